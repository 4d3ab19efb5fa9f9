// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/command.hpp"
#include "engines/raster_rates.hpp"

#include <cstdint>

namespace fenceline {

/// A draw taken apart: its parts run side by side and the slowest sets the pace.
struct DrawCost {
  std::uint64_t vertex_groups = 0;
  std::uint64_t pixel_groups = 0;  ///< idle lanes included
  std::uint64_t setup_cycles = 0;  ///< primitive assembly
  std::uint64_t raster_cycles = 0;
  std::uint64_t rop_cycles = 0;
  std::uint64_t vram_bytes = 0;  ///< vertex fetch, render-target and depth traffic
};

/// Small triangles waste lanes: a quad of pixels is shaded whole even where the triangle covers one of them, and a
/// triangle below the size of a pixel covers a sample only now and then.
DrawCost draw_cost(const Draw& draw, const GraphicsPipeline& pipeline, const RasterRates& rates);
/// Repeated indices hit the post-transform cache, so only unique vertices are fetched and shaded.
DrawCost draw_cost(const DrawIndexed& draw, const GraphicsPipeline& pipeline, const RasterRates& rates);

}  // namespace fenceline
