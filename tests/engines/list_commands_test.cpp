// SPDX-License-Identifier: Apache-2.0
// What resolves, queries, predication and render passes cost on the 3D engine, worked out by hand.
#include "engines/copy_engine.hpp"
#include "engines/graphics_engine.hpp"
#include "tests/engines/board.hpp"

#include <catch2/catch.hpp>

#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

constexpr std::uint64_t read_ps = 600'000;
constexpr std::uint64_t command_cycles = 100;
constexpr std::uint64_t front_end_ps = command_cycles * cycle_ps;
constexpr std::uint64_t work_ps = 5000 * cycle_ps;

GraphicsEngineConfig fetching() {
  auto config = gigahertz_engine<GraphicsEngineConfig>();
  config.command_cycles = command_cycles;
  config.indirect_fetch_ns = 600;
  return config;
}

/// A dispatch of one group of 5000 cycles.
const Dispatch work{0, 1};
/// 5000 triangles, one a cycle, and no pixels.
const Draw draw{0, 0, 1, 5000, 0};

CommandStream stream_of(std::vector<Command> commands) {
  CommandStream stream;
  stream.commands = std::move(commands);
  stream.compute_pipelines.resize(1);
  stream.compute_pipelines[0].work.cycles = 5000;
  stream.graphics_pipelines.resize(1);
  stream.graphics_pipelines[0].bytes_per_pixel = 0;
  stream.indirect_calls.push_back({work, 3, 12, false, false});
  return stream;
}

DmaPacket run(std::vector<Command> commands, Cursor cursor = {}) {
  return run_alone<GraphicsEngine>(gigahertz_board(), fetching(), stream_of(std::move(commands)), cursor);
}

std::uint64_t running_ps(std::vector<Command> commands) { return run(std::move(commands)).finished_ps; }

}  // namespace

TEST_CASE("resolve: reads every sample and writes every texel", "[engines]") {
  const Resolve resolve{1'000'000, 4};
  CHECK(access_bytes(resolve) == 5'000'000u);
  CHECK(running_ps({resolve}) == front_end_ps + 5'000'000);  // 1000 GB/s: a byte a picosecond
  // Like every command it runs beside others until a barrier keeps it from that.
  CHECK(running_ps({draw, resolve}) == 2 * front_end_ps + 5'000'000);
  CHECK(running_ps({draw, Barrier{}, resolve}) == 2 * front_end_ps + work_ps + 5'000'000);
}

TEST_CASE("queries: their ends cost front-end cycles and stall nothing", "[engines]") {
  const BeginQuery begin{QueryType::occlusion, 0};
  const EndQuery end{QueryType::occlusion, 0};
  CHECK(running_ps({begin, end}) == 2 * front_end_ps);
  CHECK(running_ps({begin, draw, end}) == 2 * front_end_ps + work_ps);
  // The second draw is set up right behind the first, although a query ends and another begins between them.
  CHECK(running_ps({begin, draw, end, begin, draw, end}) == 2 * front_end_ps + 2 * work_ps);
}

TEST_CASE("queries: ResolveQueryData waits for their draws, then copies their results", "[engines]") {
  const BeginQuery begin{QueryType::occlusion, 0};
  const EndQuery end{QueryType::occlusion, 0};
  const std::uint64_t bytes = 8'000'000;
  // Inside video memory results are read and written, over PCIe a byte takes 40 ps (25 GB/s).
  CHECK(running_ps({begin, draw, end, ResolveQueryData{CopyRoute::device_to_device, bytes}}) ==
        2 * front_end_ps + work_ps + front_end_ps + 2 * bytes);
  CHECK(running_ps({begin, draw, end, ResolveQueryData{CopyRoute::device_to_host, bytes}}) ==
        2 * front_end_ps + work_ps + front_end_ps + 40 * bytes);
  // Nothing to wait for.
  CHECK(running_ps({ResolveQueryData{CopyRoute::device_to_host, 8}}) == front_end_ps + 8 * 40);
}

TEST_CASE("queries: time stamps are resolved on a copy engine, too", "[engines]") {
  CopyEngineConfig config;
  config.clock_mhz = 1000;
  KernelOf<Board> bench(gigahertz_board(), engine_of<CopyEngine>(config));
  bench.enter([&](Board& board) {
    board.engine->submit(0, packet_of(1, stream_of({CopyBuffer{CopyRoute::host_to_device, 1'000'000}, Timestamp{0},
                                                    ResolveQueryData{CopyRoute::device_to_host, 1'000}})));
  });
  bench.kernel.run_to_end();
  CHECK(bench.top().completed.at(0).packet.finished_ps ==
        2 * config.setup_cycles * cycle_ps + (1'000'000 + 1'000) * 40);
}

TEST_CASE("predication: a predicate is read, and what it skips costs front-end cycles only", "[engines]") {
  const SetPredication skip{true, true};
  const SetPredication pass{false, true};
  const SetPredication off{false, false};
  CHECK(running_ps({skip}) == front_end_ps + read_ps);
  CHECK(running_ps({off}) == front_end_ps);
  CHECK(running_ps({pass, work}) == 2 * front_end_ps + read_ps + work_ps);
  const std::vector<Command> all = {draw,
                                    DrawIndexed{draw, 0},
                                    work,
                                    CopyBuffer{CopyRoute::host_to_device, 1'000'000'000},
                                    CopyTexture{CopyRoute::host_to_host, 1'000'000, 1000},
                                    Clear{1'000'000'000},
                                    Resolve{1'000'000'000, 8},
                                    ExecuteIndirect{0}};
  std::vector<Command> skipped = {skip};
  skipped.insert(skipped.end(), all.begin(), all.end());
  CHECK(running_ps(skipped) == (1 + all.size()) * front_end_ps + read_ps);
  skipped.insert(skipped.end(), {off, work});
  CHECK(running_ps(skipped) == (1 + all.size() + 2) * front_end_ps + read_ps + work_ps);
}

TEST_CASE("predication: barriers, queries and what had begun before go on", "[engines]") {
  const SetPredication skip{true, true};
  CHECK(running_ps({work, skip, work, Barrier{}, work}) == front_end_ps + work_ps + front_end_ps);
  const DmaPacket packet = run({work, skip, work, Timestamp{3}});
  REQUIRE(packet.timestamps.size() == 1);
  CHECK(packet.timestamps[0].second == front_end_ps + work_ps);
  const std::uint64_t bytes = 8'000'000;
  CHECK(running_ps({skip, ResolveQueryData{CopyRoute::device_to_host, bytes}}) ==
        2 * front_end_ps + read_ps + 40 * bytes);
}

TEST_CASE("predication: a packet taken back remembers it, the next packet does not", "[engines]") {
  KernelOf<Board> bench(gigahertz_board(), engine_of<GraphicsEngine>(fetching()));
  const std::vector<Command> commands = {SetPredication{true, true}, work};
  Cursor behind_the_first;
  behind_the_first.command = 1;
  behind_the_first.skip = true;
  CHECK(run(commands, behind_the_first).finished_ps == front_end_ps);
  bench.enter([&](Board& board) {
    board.engine->submit(0, packet_of(1, stream_of(commands)));
    board.engine->submit(0, packet_of(2, stream_of({work})));
  });
  bench.kernel.run_to_end();
  const DmaPacket& second = bench.top().completed.at(1).packet;
  CHECK(second.finished_ps - second.started_ps == front_end_ps + work_ps);
}

TEST_CASE("render passes: clears at their beginning, resolves after their draws, nothing otherwise", "[engines]") {
  CHECK(running_ps({BeginRenderPass{0}, EndRenderPass{0}}) == 2 * front_end_ps);
  CHECK(running_ps({BeginRenderPass{0}, draw, EndRenderPass{0}}) == 2 * front_end_ps + work_ps);
  // The clear runs beside the draw, as it would outside a pass; the slower one counts.
  CHECK(running_ps({BeginRenderPass{9'000'000}, draw, EndRenderPass{0}}) == front_end_ps + 9'000'000);
  CHECK(running_ps({BeginRenderPass{0}, draw, EndRenderPass{3'000'000}}) ==
        2 * front_end_ps + work_ps + front_end_ps + 3'000'000);
  // A pass without resolves lets the next one's draws in.
  CHECK(running_ps({BeginRenderPass{0}, draw, EndRenderPass{0}, BeginRenderPass{0}, draw, EndRenderPass{0}}) ==
        2 * front_end_ps + 2 * work_ps);
}
