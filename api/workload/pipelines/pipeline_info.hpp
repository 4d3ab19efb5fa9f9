// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bgproc/pgo/pgo_config.hpp"
#include "engines/command/pipeline.hpp"
#include "sim/config/described.hpp"

#include <optional>
#include <string>
#include <utility>

namespace fenceline {

/// A pipeline state with its code, which says what the workload leaves out.
struct ComputePipelineInfo : ComputePipeline {
  ComputePipelineInfo() = default;
  /// One whose cost says everything.
  ComputePipelineInfo(ComputePipeline pipeline) : ComputePipeline(std::move(pipeline)) {}
  std::string label;  ///< what logs call it; empty: its name
  std::string bytecode;
  bool dxbc = false;                  ///< its code is DXBC, not DXIL
  std::optional<FoldedParts> folded;  ///< unset: the machine's
};
/// A graphics pipeline state with the code of its stages, which says what the workload leaves out.
struct GraphicsPipelineInfo : GraphicsPipeline {
  GraphicsPipelineInfo() = default;
  /// One whose cost says everything.
  GraphicsPipelineInfo(GraphicsPipeline pipeline) : GraphicsPipeline(std::move(pipeline)) {}
  std::string label;  ///< what logs call it; empty: its name
  std::string vertex_bytecode;
  std::string pixel_bytecode;
  bool dxbc = false;                  ///< the code of both stages is DXBC, not DXIL
  std::optional<FoldedParts> folded;  ///< unset: the machine's
};
/// The pipeline state as logs call it.
template <class Info>
Info labelled(Info info) {
  if (!info.label.empty()) info.name = info.label;
  return info;
}
void describe(Fields& f, ComputePipelineInfo& c);
void describe(Fields& f, GraphicsPipelineInfo& c);

}  // namespace fenceline
