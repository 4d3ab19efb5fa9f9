// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/shaders/pipeline_desc.hpp"

#include <cstdint>

namespace fenceline::d3d12 {

/// What draws with a graphics pipeline state do to the targets that are bound, as far as that state says so.
struct DrawOutputs {
  std::uint8_t colors = 0;  ///< render targets that they write: bit 0 is the first
  bool reads_depth = false;
  bool writes_depth = false;
  bool reads_stencil = false;
  bool writes_stencil = false;
  bool operator==(const DrawOutputs& other) const {
    return colors == other.colors && reads_depth == other.reads_depth && writes_depth == other.writes_depth &&
           reads_stencil == other.reads_stencil && writes_stencil == other.writes_stencil;
  }
};

/// Of a graphics or mesh pipeline.
DrawOutputs draw_outputs(const PipelineDesc& desc);

}  // namespace fenceline::d3d12
