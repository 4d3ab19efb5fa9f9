// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/d3d12/debugged.hpp"
#include "tests/d3d12/pipelines/pipeline_builder.hpp"

#include <algorithm>
#include <functional>
#include <vector>

namespace fenceline::testing {

/// A change to a pipeline state that is right, and what D3D12 says to it.
struct PipelineRule {
  const char* what;
  int id;  ///< of the one message; 0: none, and the description is taken
  std::function<void(Pipeline&)> change;
};

inline void check_rules(const std::vector<PipelineRule>& rows) {
  DebuggedApp app;
  for (const PipelineRule& row : rows) {
    CAPTURE(row.what);
    Pipeline pipeline(app);
    row.change(pipeline);
    app.said_ids();
    CHECK(pipeline.create(app) == (row.id == 0 ? S_OK : E_INVALIDARG));
    CHECK(app.said_ids() == (row.id == 0 ? Ids{} : Ids{row.id}));
  }
}

inline void render_to(Pipeline& pipeline, const std::vector<DXGI_FORMAT>& formats) {
  pipeline.desc.NumRenderTargets = static_cast<UINT>(formats.size());
  std::copy(formats.begin(), formats.end(), pipeline.desc.RTVFormats);
}

template <class Enum>
Enum enum_of(int value) {
  return static_cast<Enum>(value);
}

}  // namespace fenceline::testing
