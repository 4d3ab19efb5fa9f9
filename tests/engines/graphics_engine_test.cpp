// SPDX-License-Identifier: Apache-2.0
#include "engines/graphics_engine.hpp"

#include "tests/engines/board.hpp"

#include <catch2/catch.hpp>

#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

BoardConfig four_sms() {
  BoardConfig config = gigahertz_board();
  config.array.sms = 4;
  config.array.graphics_sms = 2;
  return config;
}

GraphicsEngineConfig drawing() {
  auto config = gigahertz_engine<GraphicsEngineConfig>();
  config.rates.triangles_per_clock = 1;
  config.rates.lanes_per_clock = 16;
  config.rates.rop_pixels_per_clock = 32;
  config.write_back_bytes = 1;
  return config;
}

/// The packet's running time for these commands with these pipelines.
std::uint64_t running_ps(const BoardConfig& board, const GraphicsEngineConfig& config,
                         std::vector<GraphicsPipeline> pipelines, std::vector<Command> commands) {
  CommandStream stream;
  stream.commands = std::move(commands);
  stream.graphics_pipelines = std::move(pipelines);
  stream.compute_pipelines.resize(1);
  stream.compute_pipelines[0].work.cycles = 700;
  return testing::running_ps(run_alone<GraphicsEngine>(board, config, std::move(stream)));
}
std::uint64_t running_ps(const BoardConfig& board, const GraphicsPipeline& pipeline, std::vector<Command> commands) {
  return running_ps(board, drawing(), {pipeline}, std::move(commands));
}

/// A vertex and a pixel shader of so many instructions, each of four cycles, and 8 warps a group share 4 warp
/// instructions a cycle.
GraphicsPipeline pipeline_of(double vertex_alu, double pixel_alu, std::uint32_t bytes_per_vertex,
                             std::uint32_t bytes_per_pixel) {
  GraphicsPipeline pipeline;
  pipeline.name = "p";
  pipeline.vertex_shader.alu_instructions = vertex_alu;
  pipeline.pixel_shader.alu_instructions = pixel_alu;
  pipeline.bytes_per_vertex = bytes_per_vertex;
  pipeline.bytes_per_pixel = bytes_per_pixel;
  return pipeline;
}

}  // namespace

TEST_CASE("3D engine: the slowest stage of a draw sets the pace", "[engines]") {
  const BoardConfig board = four_sms();
  CHECK(running_ps(board, pipeline_of(0, 0, 0, 0), {Draw{0, 0, 1, 5000, 16}}) == 5000 * cycle_ps);  // set-up
  CHECK(running_ps(board, pipeline_of(0, 0, 0, 4), {Draw{0, 0, 1, 1, 80'000}}) ==
        5000 * cycle_ps);  // raster: 16 a cycle
  // Output: 16 bytes a pixel are two turns of 8, 32 turns a cycle; blending doubles them.
  CHECK(running_ps(board, pipeline_of(0, 0, 0, 16), {Draw{0, 0, 1, 1, 80'000}}) == 5000 * cycle_ps);
  GraphicsPipeline blending = pipeline_of(0, 0, 0, 16);
  blending.blend = true;
  CHECK(running_ps(board, blending, {Draw{0, 0, 1, 1, 80'000}}) == 10'000 * cycle_ps);
  // Memory: 1000 GB/s, a byte a picosecond.
  CHECK(running_ps(board, pipeline_of(0, 0, 100'000, 0), {Draw{0, 2560, 1, 1, 0}}) == 256'000'000);
}

TEST_CASE("3D engine: pixel work on the graphics SMs sets the pace of heavy shaders", "[engines]") {
  const BoardConfig board = four_sms();
  // 320 groups of 256 pixels on two SMs that each do 4 warp instructions a cycle: 160 groups x 8 warps x 1000 / 4.
  const std::uint64_t cycles = 160 * 8 * 1000 / 4;
  const std::uint64_t ps = running_ps(board, pipeline_of(0, 1000, 0, 0), {Draw{0, 0, 1, 1, 320 * 256}});
  CHECK(ps >= cycles * cycle_ps);
  CHECK(ps <= (cycles + 2 * 4000) * cycle_ps);  // and the latency of the last groups
}

TEST_CASE("3D engine: the first vertices fill the pipeline before anything else moves", "[engines]") {
  const BoardConfig board = four_sms();
  // One group of vertices: 100 instructions of 4 cycles; then 1000 triangles.
  CHECK(running_ps(board, pipeline_of(100, 0, 0, 0), {Draw{0, 3, 1, 1000, 0}}) == 1400 * cycle_ps);
  const std::uint64_t one = running_ps(board, pipeline_of(100, 0, 0, 0), {Draw{0, 256, 1, 1, 0}});
  CHECK(one == 401 * cycle_ps);
  // Many go on beside set-up and decide: 101 groups on one of two SMs, 8 warps x 100 instructions at 4 a cycle each.
  const std::uint64_t many = running_ps(board, pipeline_of(100, 0, 0, 0), {Draw{0, 256 * 201, 1, 1, 0}});
  CHECK(many >= 101 * 200 * cycle_ps);
  CHECK(many <= (101 * 200 + 800) * cycle_ps);
}

TEST_CASE("3D engine: stages serve one draw after another, and draws overlap", "[engines]") {
  const GraphicsPipeline pipeline = pipeline_of(100, 0, 0, 0);
  const Draw draw{0, 3, 1, 1000, 0};
  CHECK(running_ps(four_sms(), pipeline, {draw, draw, draw}) == (400 + 3000) * cycle_ps);
  CHECK(running_ps(four_sms(), pipeline, {draw, Barrier{}, DrawIndexed{draw, 3}}) == 2 * 1400 * cycle_ps);
}

TEST_CASE("3D engine: a change of pipeline state and a switch to dispatches cost front-end cycles", "[engines]") {
  GraphicsEngineConfig config = drawing();
  config.command_cycles = 10;
  config.pipeline_change_cycles = 7;
  config.dispatch_switch_cycles = 50;
  const std::vector<GraphicsPipeline> pipelines = {pipeline_of(0, 0, 0, 0), pipeline_of(0, 0, 0, 0)};
  const Draw first{0, 0, 1, 1, 0};
  const Draw second{1, 0, 1, 1, 0};
  const auto cycles = [&](std::vector<Command> commands) {
    return running_ps(four_sms(), config, pipelines, std::move(commands)) / cycle_ps;
  };
  CHECK(cycles({first, first, first}) == 31);
  CHECK(cycles({first, second, first}) == 31 + 2 * 7);
  CHECK(cycles({Dispatch{0, 1}, Dispatch{0, 1}}) == 10 + 50 + 10 + 700);
  // A dispatch waits for the draw before it, a draw for the dispatch: 2000 triangles, 700 cycles, 1 triangle.
  CHECK(cycles({Draw{0, 0, 1, 2000, 0}, Dispatch{0, 1}, first}) == 10 + 2000 + 60 + 700 + 10 + 1);
}

TEST_CASE("3D engine: written pixels go to video memory in large pieces", "[engines]") {
  GraphicsEngineConfig config = drawing();
  config.write_back_bytes = 1000;
  BoardConfig board = four_sms();
  board.memory.vram.gb_per_s = 1;  // a byte a cycle
  const auto cycles = [&](std::vector<Command> commands) {
    return running_ps(board, config, {pipeline_of(0, 0, 0, 4)}, std::move(commands)) / cycle_ps;
  };
  const Draw draw{0, 0, 1, 1, 160};  // 10 cycles, 640 bytes
  CHECK(cycles({draw}) == 10);
  CHECK(cycles({draw, draw}) == 10 + 1280);  // from the second one's pixels on
  CHECK(cycles({draw, draw, draw}) == 10 + 1280);
}

TEST_CASE("3D engine: a draw of nothing is complete at once", "[engines]") {
  CHECK(running_ps(four_sms(), pipeline_of(0, 0, 4, 4), {Draw{}, Barrier{}, Draw{}}) == 0);
}

TEST_CASE("3D engine: dispatches, copies and clears run here, too", "[engines]") {
  const BoardConfig board = four_sms();
  CHECK(running_ps(board, {}, {Dispatch{0, 1}}) == 700 * cycle_ps);
  const std::uint64_t pcie = 1'000'000 * 1000 / 25;
  CHECK(running_ps(board, {}, {CopyBuffer{CopyRoute::host_to_device, 1'000'000}, Clear{5000}}) == pcie);
}
