// SPDX-License-Identifier: Apache-2.0
#include "engines/graphics_cost.hpp"

#include <algorithm>
#include <cmath>

namespace fenceline {
namespace {

/// Pixels with the idle lanes that go with them.
double lanes_of(const Draw& draw, const RasterRates& rates) {
  const auto pixels = static_cast<double>(draw.pixels);
  const auto triangles = static_cast<double>(draw.triangles);
  if (pixels <= 0 || triangles <= 0) return pixels;
  const double area = pixels / triangles;
  const double covers_a_pixel = std::min(1.0, 2 * area);
  const auto extent = static_cast<double>(draw.extent_pixels);
  const double begins_a_warp = extent > 0 ? std::exp(-triangles * rates.tile_pixels / extent) : 1;
  return pixels +
         triangles * covers_a_pixel * (rates.triangle_lanes * begins_a_warp + rates.border_lanes * std::sqrt(area));
}

DrawCost cost_of(const Draw& draw, std::uint64_t shaded_vertices, const GraphicsPipeline& pipeline,
                 const RasterRates& rates) {
  const auto groups = [&](std::uint64_t threads) { return (threads + rates.group_threads - 1) / rates.group_threads; };
  const auto cycles = [](double items, double per_clock) {
    return static_cast<std::uint64_t>(std::ceil(items / per_clock));
  };
  const double lanes = lanes_of(draw, rates);
  std::uint64_t turns = (pipeline.bytes_per_pixel + rates.rop_full_rate_bytes - 1) / rates.rop_full_rate_bytes;
  std::uint64_t bytes_per_pixel = pipeline.bytes_per_pixel + 2ull * pipeline.depth_bytes_per_pixel;  // read and write
  if (pipeline.blend) {
    turns *= 2;
    bytes_per_pixel += pipeline.bytes_per_pixel;
  }
  DrawCost cost;
  cost.vertex_groups = groups(shaded_vertices);
  cost.pixel_groups = groups(static_cast<std::uint64_t>(std::ceil(lanes)));
  cost.setup_cycles = cycles(static_cast<double>(draw.triangles), rates.triangles_per_clock);
  cost.raster_cycles = cycles(lanes, rates.lanes_per_clock);
  cost.rop_cycles = cycles(static_cast<double>(draw.pixels * turns), rates.rop_pixels_per_clock);
  cost.vram_bytes = shaded_vertices * pipeline.bytes_per_vertex + draw.pixels * bytes_per_pixel;
  return cost;
}

}  // namespace

DrawCost draw_cost(const Draw& draw, const GraphicsPipeline& pipeline, const RasterRates& rates) {
  return cost_of(draw, draw.vertices * draw.instances, pipeline, rates);
}

DrawCost draw_cost(const DrawIndexed& draw, const GraphicsPipeline& pipeline, const RasterRates& rates) {
  return cost_of(draw.draw, draw.unique_vertices * draw.draw.instances, pipeline, rates);
}

}  // namespace fenceline
