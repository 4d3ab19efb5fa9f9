// SPDX-License-Identifier: Apache-2.0
// How many pixels of a draw are on the SMs: what a stop saves and waits for, and what a dispatch beside it finds.
#include "tests/engines/shader_array/array_bench.hpp"
#include "tests/engines/stopping/preemption_bench.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// Machine tiny: 4 SMs of 32 lanes with 2 places each, 4 cycles of latency, a cycle a nanosecond, no overheads.
ShaderArrayConfig tiny_array() {
  ShaderArrayConfig array;
  array.sms = array.graphics_sms = 4;
  array.clock_mhz = 1000;
  array.groups_per_sm = 2;
  array.register_allocation_unit = 32;
  array.shared_bytes_reserved_per_group = 0;
  array.shared_splits_kib.clear();
  array.alu_lanes = 32;
  array.alu_latency_cycles = 4;
  return array;
}
BoardConfig tiny_board() {
  BoardConfig board;
  board.array = tiny_array();
  board.memory.vram.gb_per_s = 100'000;
  return board;
}

struct DrawShape {
  double pixels_per_clock = 16;  ///< rasterised and written
  double instructions = 4;       ///< of a pixel
  std::uint64_t pixels = 256'000;
  std::uint64_t triangles = 1;
};

GraphicsEngineConfig engine_of_shape(const DrawShape& shape) {
  GraphicsEngineConfig config;
  config.clock_mhz = 1000;
  config.rates.lanes_per_clock = config.rates.rop_pixels_per_clock = shape.pixels_per_clock;
  return config;
}
CommandStream stream_of(const DrawShape& shape) {
  CommandStream stream;
  stream.graphics_pipelines.resize(1);
  stream.graphics_pipelines[0].pixel_shader.alu_instructions = shape.instructions;
  stream.graphics_pipelines[0].bytes_per_pixel = 0;
  stream.commands = {Draw{0, 0, 1, shape.triangles, shape.pixels}};
  return stream;
}

PreemptionReport stop_of(const DrawShape& shape, PreemptionLevel level, std::uint64_t at_ps) {
  const GraphicsEngineConfig config = stopping_at(engine_of_shape(shape), level);
  PreemptionBench bench(tiny_board(), engine_of<GraphicsEngine>(config));
  bench.submit(0, 0, packet_of(1, stream_of(shape)));
  bench.preempt(at_ps);
  bench.kernel.run_to_end();
  REQUIRE(bench.top().preempted.size() == 1);
  return bench.top().preempted[0].report;
}

std::uint64_t lone_draw_ps(const BoardConfig& board, const DrawShape& shape) {
  PreemptionBench bench(board, engine_of<GraphicsEngine>(engine_of_shape(shape)));
  bench.submit(0, 0, packet_of(1, stream_of(shape)));
  bench.kernel.run_to_end();
  return running_ps(bench.completed(1));
}

/// A group of 256 pixels: 8 warps of 32 threads with 32 registers of 4 bytes.
constexpr std::uint64_t saved_per_group = 256 * 32 * 4;

Grid pixels_of(std::uint64_t groups, PixelFlow flow, std::uint64_t cycles) {
  Grid grid = grid_of(groups, {}, cycles);
  grid.graphics = true;
  grid.flow = flow;
  return grid;
}

}  // namespace

TEST_CASE("3D engine: a draw bound by filling saves the pixels between rasteriser and output", "[engines]") {
  // 16 pixels a cycle: a group every 16 cycles. An instruction of 256 threads takes the 32 lanes 8 cycles, so 4 of them
  // 32: two groups are on the SMs, whatever fits there.
  const auto saved = [](double rate, double instructions) {
    return stop_of({rate, instructions}, PreemptionLevel::shader, 1010 * ns).saved_bytes;
  };
  CHECK(saved(16, 4) == 2 * saved_per_group);
  CHECK(saved(16, 8) == 4 * saved_per_group);  // the shader takes twice as long
  CHECK(saved(32, 4) == 4 * saved_per_group);  // they come twice as fast
  CHECK(saved(8, 4) == 1 * saved_per_group);
  // 40 instructions take 320 cycles, in which 20 groups come: all 8 places are taken. It is bound by its shader.
  CHECK(saved(16, 40) == 8 * saved_per_group);
}

TEST_CASE("3D engine: a stop at a pixel waits for those that are on the SMs", "[engines]") {
  // Groups stay as long as their shader takes: 32 cycles from every multiple of 32 on, 64 or 16.
  CHECK(stop_of({16, 4}, PreemptionLevel::thread, 1030 * ns).stopped_ps == 1056 * ns);
  CHECK(stop_of({16, 8}, PreemptionLevel::thread, 1030 * ns).stopped_ps == 1088 * ns);
  CHECK(stop_of({16, 2}, PreemptionLevel::thread, 1030 * ns).stopped_ps == 1040 * ns);
}

TEST_CASE("3D engine: a draw stopped at its pixels takes as long in all as one that is not", "[engines]") {
  const DrawShape shape{16, 4};
  const std::uint64_t alone_ps = lone_draw_ps(tiny_board(), shape);
  CHECK(alone_ps == 256'000 / 16 * ns);
  for (const PreemptionLevel level : {PreemptionLevel::thread, PreemptionLevel::shader}) {
    const GraphicsEngineConfig config = stopping_at(engine_of_shape(shape), level);
    PreemptionBench bench(tiny_board(), engine_of<GraphicsEngine>(config));
    bench.submit(0, 0, packet_of(1, stream_of(shape)));
    bench.preempt(5000 * ns);
    bench.resubmit(1000 * ns);
    bench.kernel.run_to_end();
    const std::uint64_t ps = running_ps(bench.completed(1));
    CHECK(ps >= alone_ps);
    CHECK(ps <= alone_ps + 64 * ns);
  }
}

TEST_CASE("3D engine: what a draw bound by filling saves grows with raster rate and shader alone", "[engines]") {
  std::mt19937_64 random(31);
  for (int round = 0; round < 200; ++round) {
    const double rate = static_cast<double>(1 + random() % 32);
    const double instructions = static_cast<double>(1 + random() % 64);
    const double resident = rate * std::max(16.0, instructions * 8) / 256;  // groups a cycle times cycles
    if (resident > 3) continue;  // no more than one on each SM: none is slowed
    INFO(rate << " pixels a cycle, " << instructions << " instructions");
    const std::uint64_t bytes = stop_of({rate, instructions}, PreemptionLevel::shader, 3001 * ns).saved_bytes;
    CHECK(static_cast<double>(bytes) >= 0.999 * resident * saved_per_group);
    CHECK(static_cast<double>(bytes) < (resident + 2) * saved_per_group);  // whole groups, in a whole number of batches
  }
}

TEST_CASE("3D engine: more SMs and faster rasterising never make a lone draw longer", "[engines]") {
  std::mt19937_64 random(32);
  for (int round = 0; round < 300; ++round) {
    BoardConfig board = tiny_board();
    board.array.groups_per_sm = 1 + static_cast<std::uint32_t>(random() % 8);
    board.array.sms = 32;
    const DrawShape shape{static_cast<double>(1 + random() % 64), static_cast<double>(random() % 100),
                          256 * (1 + random() % 2000)};
    std::uint64_t before_ps = ~std::uint64_t{0};
    for (const std::uint32_t sms : {1, 2, 4, 8, 16, 32}) {
      board.array.graphics_sms = sms;
      const std::uint64_t ps = lone_draw_ps(board, shape);
      INFO("round " << round << ", " << sms << " SMs");
      CHECK(ps <= before_ps);
      before_ps = ps;
    }
    DrawShape faster = shape;
    faster.pixels_per_clock *= 2;
    CHECK(lone_draw_ps(board, faster) <= before_ps);
  }
}

TEST_CASE("shader array: the next pixels come when the last have places", "[engines]") {
  // Two groups every 100 cycles, each 100 long, on 1 SM with 2 places: 10 groups end at 500.
  ShaderArrayConfig config = tiny_array();
  config.sms = config.graphics_sms = 1;
  const PixelFlow flow{2, 100};
  ArrayBench alone(config);
  alone.launch(0, pixels_of(10, flow, 100));
  CHECK(alone.run()[0] == 500 * ns);
  // A dispatch has the SM until 1000: what did not come meanwhile comes later.
  ArrayBench behind(config);
  behind.launch(0, grid_of(2, {}, 1000));
  behind.launch(1 * ns, pixels_of(10, flow, 100));
  CHECK(behind.run()[1] == 1500 * ns);
  // One of two places: two groups take 200 cycles, and the rasteriser waits for that.
  ArrayBench beside(config);
  beside.launch(0, grid_of(1, {}, 10'000));
  beside.launch(1 * ns, pixels_of(10, flow, 100));
  CHECK(beside.run()[1] == 1001 * ns);
}

TEST_CASE("shader array: a dispatch finds the places that a draw bound by filling does not need", "[engines]") {
  // Two of eight places are the draw's, again and again; six are the dispatch's.
  const Grid pixels = pixels_of(1000, {2, 100}, 100);
  const auto dispatch_end = [&](std::uint32_t sms, std::uint64_t groups) {
    ShaderArrayConfig config = tiny_array();
    config.sms = config.graphics_sms = sms;
    ArrayBench bench(config);
    bench.launch(0, pixels);
    bench.launch(0, grid_of(groups, {}, 1000));
    const std::uint64_t end_ps = bench.run()[1];
    CHECK(bench.run()[0] == 50'000 * ns);  // the draw loses nothing
    return end_ps;
  };
  CHECK(dispatch_end(4, 6) == 1000 * ns);
  CHECK(dispatch_end(4, 7) == 2000 * ns);
  CHECK(dispatch_end(4, 12) == 2000 * ns);
  CHECK(dispatch_end(1, 2) == 51'000 * ns);  // both places of the only SM
  CHECK(dispatch_end(132, 262) == 1000 * ns);
}

TEST_CASE("shader array: a group whose place on an SM pixels have taken waits for that SM", "[engines]") {
  // A draw of `groups` groups of 500 cycles that could be anywhere on `graphics_sms` SMs comes 10 cycles after a
  // dispatch of 16 groups of 1000. Each of the 4 SMs has two places.
  const auto ends_ns = [](std::uint32_t graphics_sms, std::uint64_t groups) {
    ShaderArrayConfig config = tiny_array();
    config.graphics_sms = graphics_sms;
    ArrayBench bench(config);
    bench.launch(0, grid_of(16, {}, 1000));
    bench.launch(10 * ns, pixels_of(groups, {}, 500));
    const std::vector<std::uint64_t>& ends = bench.run();
    return std::make_pair(ends[0] / ns, ends[1] / ns);
  };
  // At 1000 pixels take the two places of one SM for 20 rounds of 500; then come the two groups that were sent there.
  CHECK(ends_ns(1, 40) == std::make_pair<std::uint64_t, std::uint64_t>(12'000, 11'000));
  // Two SMs: 4 groups wait for 10 rounds.
  CHECK(ends_ns(2, 40) == std::make_pair<std::uint64_t, std::uint64_t>(7000, 6000));
  // Three groups of pixels: the third needs a place of the second round; one group waits for it, the other does not.
  CHECK(ends_ns(1, 3) == std::make_pair<std::uint64_t, std::uint64_t>(3000, 2000));
  // Where the draw was there first, no group is ever sent to its SM.
  ShaderArrayConfig config = tiny_array();
  config.graphics_sms = 1;
  ArrayBench first(config);
  first.launch(0, pixels_of(40, {}, 500));
  first.launch(10 * ns, grid_of(16, {}, 1000));
  CHECK(first.run()[0] == 10'000 * ns);
  CHECK(first.run()[1] == 3010 * ns);  // 6, 6 and 4 groups on the other three
}
