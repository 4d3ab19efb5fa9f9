// SPDX-License-Identifier: Apache-2.0
#pragma once

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

}  // namespace fenceline
