// SPDX-License-Identifier: Apache-2.0
#include "engines/graphics_engine.hpp"

#include "tests/engines/board.hpp"

#include <catch2/catch.hpp>

#include <vector>

using namespace fenceline;

namespace {

constexpr std::uint64_t cycle_ps = 1000;  // engine and SMs at 1 GHz

BoardConfig board_config() {
  BoardConfig config;
  config.array.sms = 4;
  config.array.graphics_sms = 2;
  config.array.clock_khz = 1'000'000;
  return config;
}

/// The packet's running time for these commands with one pipeline.
std::uint64_t running_ps(const BoardConfig& board, const GraphicsPipeline& pipeline, std::vector<Command> commands) {
  GraphicsEngineConfig config;
  config.clock_mhz = 1000;
  config.rates = {1, 16, 256};
  KernelOf<Board> bench(board, engine_of<GraphicsEngine>(config));
  CommandStream stream;
  stream.commands = std::move(commands);
  stream.graphics_pipelines = {pipeline};
  stream.compute_pipelines.resize(1);
  stream.compute_pipelines[0].work.cycles = 700;
  bench.enter([&](Board& b) { b.engine->submit(0, packet_of(1, std::move(stream))); });
  bench.kernel.run_to_end();
  const DmaPacket& packet = bench.top().completed.at(0).packet;
  return packet.finished_ps - packet.started_ps;
}

GraphicsPipeline pipeline_of(std::uint64_t vertex_cycles, std::uint64_t pixel_cycles, std::uint32_t bytes_per_vertex,
                             std::uint32_t bytes_per_pixel) {
  return {"p", vertex_cycles, pixel_cycles, {}, {}, 32, bytes_per_pixel, bytes_per_vertex};
}

}  // namespace

TEST_CASE("3D engine: the slowest part of a draw decides", "[engines]") {
  const BoardConfig board = board_config();
  const std::uint64_t residency = groups_per_sm({256, 32, 0}, board.array);
  const std::uint64_t a_wave = 2 * residency * 256;  // vertices or pixels on the two graphics SMs
  const Draw draw{0, 2 * a_wave, 1, 5000, 3 * a_wave};
  CHECK(running_ps(board, pipeline_of(1, 1, 0, 0), {draw}) == 5000 * cycle_ps);  // triangles
  // Vertices first: two waves; then pixels: three.
  CHECK(running_ps(board, pipeline_of(4000, 3000, 0, 0), {draw}) == (2 * 4000 + 3 * 3000) * cycle_ps);
  const std::uint64_t bytes = 2 * a_wave * 10'000 + 3 * a_wave * 4;
  CHECK(running_ps(board, pipeline_of(1, 1, 10'000, 4), {draw}) == bytes);  // 1000 GB/s: a byte a picosecond
}

TEST_CASE("3D engine: the rasteriser serves one draw after another", "[engines]") {
  const Draw draw{0, 3, 1, 1000, 0};
  CHECK(running_ps(board_config(), pipeline_of(1, 1, 0, 0), {draw, draw, draw}) == 3000 * cycle_ps);
  CHECK(running_ps(board_config(), pipeline_of(1, 1, 0, 0), {draw, Barrier{}, DrawIndexed{draw, 3}}) ==
        2000 * cycle_ps);
}

TEST_CASE("3D engine: a draw of nothing is complete at once", "[engines]") {
  CHECK(running_ps(board_config(), pipeline_of(1, 1, 4, 4), {Draw{}, Barrier{}, Draw{}}) == 0);
}

TEST_CASE("3D engine: dispatches, copies and clears run here, too", "[engines]") {
  const BoardConfig board = board_config();
  CHECK(running_ps(board, {}, {Dispatch{0, 1}}) == 700 * cycle_ps);
  const std::uint64_t pcie = 1'000'000 * 1000 / 25;
  CHECK(running_ps(board, {}, {CopyBuffer{CopyRoute::host_to_device, 1'000'000}, Clear{5000}}) == pcie);
}
