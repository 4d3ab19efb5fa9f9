// SPDX-License-Identifier: Apache-2.0
#include "engines/graphics_cost.hpp"

#include <algorithm>
#include <cmath>

namespace fenceline {
namespace {

DrawCost cost_of(const Draw& draw, std::uint64_t shaded_vertices, const GraphicsPipeline& pipeline,
                 const RasterRates& rates) {
  const auto groups = [&](std::uint64_t threads) { return (threads + rates.group_threads - 1) / rates.group_threads; };
  const auto cycles = [](std::uint64_t items, double per_clock) {
    return static_cast<std::uint64_t>(std::ceil(static_cast<double>(items) / per_clock));
  };
  DrawCost cost;
  cost.vertex_groups = groups(shaded_vertices);
  cost.pixel_groups = groups(draw.pixels);
  cost.raster_cycles =
      std::max(cycles(draw.triangles, rates.triangles_per_clock), cycles(draw.pixels, rates.pixels_per_clock));
  cost.vram_bytes = shaded_vertices * pipeline.bytes_per_vertex + draw.pixels * pipeline.bytes_per_pixel;
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
