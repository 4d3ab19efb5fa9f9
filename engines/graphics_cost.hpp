// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/command.hpp"

#include <cstdint>

namespace fenceline {

/// Fixed-function rates of the 3D engine, per cycle of its clock.
struct RasterRates {
  double triangles_per_clock = 1;         ///< assembled, culled and set up
  double lanes_per_clock = 16;            ///< pixels rasterised, with the idle lanes of their quads
  double rop_pixels_per_clock = 16;       ///< written, of formats up to rop_full_rate_bytes
  std::uint32_t rop_full_rate_bytes = 8;  ///< larger formats take one turn for every so many bytes
  double triangle_lanes = 0;              ///< idle lanes of every triangle that covers a pixel
  double tile_pixels = 64;                ///< triangles that follow each other within one tile share its warps
  double border_lanes = 0;                ///< idle lanes along the border: times the square root of its area in pixels
  std::uint32_t group_threads = 256;      ///< vertices or pixels shaded by one group
};

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
