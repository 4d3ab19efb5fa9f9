// SPDX-License-Identifier: Apache-2.0
#include "engines/graphics_cost.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace fenceline;

namespace {

GraphicsPipeline pipeline_of(std::uint32_t bytes_per_vertex, std::uint32_t bytes_per_pixel) {
  GraphicsPipeline pipeline;
  pipeline.bytes_per_vertex = bytes_per_vertex;
  pipeline.bytes_per_pixel = bytes_per_pixel;
  return pipeline;
}

RasterRates rates_of(double triangles_per_clock, double lanes_per_clock, std::uint32_t group_threads) {
  RasterRates rates;
  rates.triangles_per_clock = triangles_per_clock;
  rates.lanes_per_clock = lanes_per_clock;
  rates.rop_pixels_per_clock = lanes_per_clock;
  rates.group_threads = group_threads;
  return rates;
}

}  // namespace

TEST_CASE("graphics cost: vertices and pixels fill groups, the last one in part", "[engines]") {
  const RasterRates rates = rates_of(1, 16, 256);
  const DrawCost cost = draw_cost(Draw{0, 257, 2, 10, 1024}, pipeline_of(12, 4), rates);
  CHECK(cost.vertex_groups == 3);  // 514 vertices
  CHECK(cost.pixel_groups == 4);
  CHECK(cost.vram_bytes == 514 * 12 + 1024 * 4);
  const DrawCost empty = draw_cost(Draw{0, 0, 0, 0, 0}, pipeline_of(12, 4), rates);
  CHECK(empty.vertex_groups == 0);
  CHECK(empty.pixel_groups == 0);
  CHECK(empty.setup_cycles == 0);
  CHECK(empty.raster_cycles == 0);
  CHECK(empty.rop_cycles == 0);
  CHECK(empty.vram_bytes == 0);
}

TEST_CASE("graphics cost: every stage has its own cycles", "[engines]") {
  RasterRates rates = rates_of(2, 16, 256);
  rates.rop_pixels_per_clock = 32;
  const DrawCost cost = draw_cost(Draw{0, 3, 1, 1001, 1601}, pipeline_of(0, 4), rates);
  CHECK(cost.setup_cycles == 501);                                                          // 1001 / 2
  CHECK(cost.raster_cycles == 101);                                                         // 1601 / 16
  CHECK(cost.rop_cycles == 51);                                                             // 1601 / 32
  CHECK(draw_cost(Draw{0, 3, 1, 1001, 1601}, pipeline_of(0, 9), rates).rop_cycles == 101);  // two turns of 8 bytes
  CHECK(draw_cost(Draw{0, 3, 1, 100, 0}, pipeline_of(0, 0), rates_of(0.25, 16, 256)).setup_cycles == 400);
}

TEST_CASE("graphics cost: blending reads what it writes, and a depth test reads and writes", "[engines]") {
  GraphicsPipeline pipeline = pipeline_of(0, 8);
  const Draw draw{0, 0, 1, 1, 1000};
  const RasterRates rates = rates_of(1, 10, 256);
  CHECK(draw_cost(draw, pipeline, rates).vram_bytes == 8000);
  pipeline.blend = true;
  CHECK(draw_cost(draw, pipeline, rates).vram_bytes == 16'000);
  CHECK(draw_cost(draw, pipeline, rates).rop_cycles == 200);
  pipeline.depth_bytes_per_pixel = 4;
  CHECK(draw_cost(draw, pipeline, rates).vram_bytes == 24'000);
}

TEST_CASE("graphics cost: small triangles waste lanes", "[engines]") {
  RasterRates rates = rates_of(1, 1, 256);
  rates.triangle_lanes = 20;
  rates.border_lanes = 4;
  const auto lanes = [&](std::uint64_t triangles, std::uint64_t pixels, std::uint64_t extent) {
    Draw draw{0, 0, 1, triangles, pixels};
    draw.extent_pixels = extent;
    return draw_cost(draw, pipeline_of(0, 0), rates).raster_cycles;
  };
  CHECK(lanes(1, 10'000, 0) == 10'000 + 20 + 4 * 100);
  CHECK(lanes(100, 400, 0) == 400 + 100 * (20 + 4 * 2));
  CHECK(lanes(100, 25, 0) == 25 + 50 * (20 + 2));  // a quarter of a pixel each: every other one covers a sample
  CHECK(lanes(100, 0, 0) == 0);
  // Packed: one triangle for every tile of 64 pixels begins a warp of its own e^-1 of the time.
  CHECK(lanes(100, 400, 6400) == static_cast<std::uint64_t>(std::ceil(400 + 100 * (20 * std::exp(-1) + 8))));
  CHECK(lanes(100, 400, 1'000'000'000) <= lanes(100, 400, 0));
}

TEST_CASE("graphics cost: an indexed draw shades and fetches only unique vertices", "[engines]") {
  const RasterRates rates = rates_of(1, 16, 64);
  const Draw draw{0, 6000, 3, 2000, 640};
  const DrawCost indexed = draw_cost(DrawIndexed{draw, 1000}, pipeline_of(32, 8), rates);
  CHECK(indexed.vertex_groups == 47);  // 3000 / 64
  CHECK(indexed.pixel_groups == 10);
  CHECK(indexed.setup_cycles == 2000);
  CHECK(indexed.vram_bytes == 3000 * 32 + 640 * 8);
  Draw unique = draw;
  unique.vertices = 1000;
  CHECK(draw_cost(unique, pipeline_of(32, 8), rates).vram_bytes == indexed.vram_bytes);
  CHECK(draw_cost(draw, pipeline_of(32, 8), rates).vram_bytes == 18'000 * 32 + 640 * 8);
}
