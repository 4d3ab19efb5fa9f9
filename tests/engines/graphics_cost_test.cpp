// SPDX-License-Identifier: Apache-2.0
#include "engines/graphics_cost.hpp"

#include <catch2/catch.hpp>

using namespace fenceline;

namespace {

GraphicsPipeline pipeline_of(std::uint32_t bytes_per_vertex, std::uint32_t bytes_per_pixel) {
  GraphicsPipeline pipeline;
  pipeline.bytes_per_vertex = bytes_per_vertex;
  pipeline.bytes_per_pixel = bytes_per_pixel;
  return pipeline;
}

}  // namespace

TEST_CASE("graphics cost: vertices and pixels fill groups, the last one in part", "[engines]") {
  const RasterRates rates{1, 16, 256};
  const DrawCost cost = draw_cost(Draw{0, 257, 2, 10, 1024}, pipeline_of(12, 4), rates);
  CHECK(cost.vertex_groups == 3);  // 514 vertices
  CHECK(cost.pixel_groups == 4);
  CHECK(cost.vram_bytes == 514 * 12 + 1024 * 4);
  const DrawCost empty = draw_cost(Draw{0, 0, 0, 0, 0}, pipeline_of(12, 4), rates);
  CHECK(empty.vertex_groups == 0);
  CHECK(empty.pixel_groups == 0);
  CHECK(empty.raster_cycles == 0);
  CHECK(empty.vram_bytes == 0);
}

TEST_CASE("graphics cost: the slower of triangle set-up and pixel output decides the rasteriser", "[engines]") {
  const RasterRates rates{2, 16, 256};
  CHECK(draw_cost(Draw{0, 3, 1, 1001, 160}, pipeline_of(0, 0), rates).raster_cycles == 501);  // 1001 / 2
  CHECK(draw_cost(Draw{0, 3, 1, 10, 1601}, pipeline_of(0, 0), rates).raster_cycles == 101);   // 1601 / 16
  const RasterRates slow{0.25, 16, 256};
  CHECK(draw_cost(Draw{0, 3, 1, 100, 0}, pipeline_of(0, 0), slow).raster_cycles == 400);
}

TEST_CASE("graphics cost: an indexed draw shades and fetches only unique vertices", "[engines]") {
  const RasterRates rates{1, 16, 64};
  const Draw draw{0, 6000, 3, 2000, 640};
  const DrawCost indexed = draw_cost(DrawIndexed{draw, 1000}, pipeline_of(32, 8), rates);
  CHECK(indexed.vertex_groups == 47);  // 3000 / 64
  CHECK(indexed.pixel_groups == 10);
  CHECK(indexed.raster_cycles == 2000);
  CHECK(indexed.vram_bytes == 3000 * 32 + 640 * 8);
  Draw unique = draw;
  unique.vertices = 1000;
  CHECK(draw_cost(unique, pipeline_of(32, 8), rates).vram_bytes == indexed.vram_bytes);
  CHECK(draw_cost(draw, pipeline_of(32, 8), rates).vram_bytes == 18'000 * 32 + 640 * 8);
}
