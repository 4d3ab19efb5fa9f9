// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command.hpp"

#include <cstdint>

namespace fenceline {

/// Fixed-function rates of the 3D engine.
struct RasterRates {
  double triangles_per_clock = 1;     ///< assembled and set up
  double pixels_per_clock = 16;       ///< rasterised and written
  std::uint32_t group_threads = 256;  ///< vertices or pixels shaded by one group
};

/// A draw taken apart: its parts run side by side and the slowest decides.
struct DrawCost {
  std::uint64_t vertex_groups = 0;
  std::uint64_t pixel_groups = 0;
  std::uint64_t raster_cycles = 0;  ///< clock cycles of the 3D engine
  std::uint64_t vram_bytes = 0;     ///< vertex fetch and render-target writes
};

DrawCost draw_cost(const Draw& draw, const GraphicsPipeline& pipeline, const RasterRates& rates);
/// Repeated indices hit the post-transform cache, so only unique vertices are fetched and shaded.
DrawCost draw_cost(const DrawIndexed& draw, const GraphicsPipeline& pipeline, const RasterRates& rates);

}  // namespace fenceline
