// SPDX-License-Identifier: Apache-2.0
// ExecuteIndirect on the engines: what it costs, and that it goes on where a preempted packet stopped.
#include "engines/compute_engine.hpp"
#include "engines/graphics_engine.hpp"
#include "tests/engines/board.hpp"

#include <catch2/catch.hpp>

#include <utility>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

constexpr std::uint64_t fetch_ps = 600'000;

template <class Config = ComputeEngineConfig>
Config indirect_engine() {
  auto config = gigahertz_engine<Config>();
  config.command_cycles = 100;
  config.indirect_fetch_ns = 600;
  return config;
}

/// An ExecuteIndirect of dispatches, each one group of so many cycles.
CommandStream indirect(std::uint64_t count, std::uint64_t cycles) {
  CommandStream stream;
  stream.name = "indirect";
  stream.compute_pipelines.resize(1);
  stream.compute_pipelines[0].work.cycles = cycles;
  stream.indirect_calls.push_back({Dispatch{0, 1}, count, count, 12, false, false});
  stream.commands.emplace_back(ExecuteIndirect{0});
  return stream;
}

template <class Kind = ComputeEngine, class Config = ComputeEngineConfig>
DmaPacket run(const Config& config, CommandStream stream, Cursor cursor = {}) {
  return run_alone<Kind>(gigahertz_board(), config, std::move(stream), cursor);
}

}  // namespace

TEST_CASE("ExecuteIndirect: the front end reads the arguments, then takes its cycles for each command", "[engines]") {
  // Its own cycles, the fetch, the cycles of each dispatch; the last dispatch ends last.
  CHECK(run(indirect_engine(), indirect(1, 3000)).finished_ps == (100 + 100 + 3000) * cycle_ps + fetch_ps);
  CHECK(run(indirect_engine(), indirect(5, 3000)).finished_ps == (100 + 5 * 100 + 3000) * cycle_ps + fetch_ps);
}

TEST_CASE("ExecuteIndirect: nothing to run costs the fetch alone", "[engines]") {
  CommandStream stream = indirect(0, 3000);
  stream.indirect_calls[0].count_buffer = true;
  const DmaPacket packet = run(indirect_engine(), stream);
  CHECK(packet.finished_ps == 100 * cycle_ps + fetch_ps);
  CHECK(packet.cursor.command == 1);
  CHECK(argument_bytes(stream.indirect_calls[0]) == 4);
}

TEST_CASE("ExecuteIndirect: all arguments pass their memory", "[engines]") {
  // At 1000 GB/s a byte takes a picosecond, over PCIe at 25 GB/s forty.
  CommandStream stream = indirect(2, 0);
  stream.indirect_calls[0].stride_bytes = 10'000'000;
  stream.indirect_calls[0].max_count = 3;  // of which two are run: all are fetched
  const std::uint64_t bytes = 3 * 10'000'000;
  CHECK(argument_bytes(stream.indirect_calls[0]) == bytes);
  CHECK(run(indirect_engine(), stream).finished_ps == 100 * cycle_ps + bytes);
  stream.indirect_calls[0].arguments_in_host = true;
  CHECK(run(indirect_engine(), stream).finished_ps == 100 * cycle_ps + 40 * bytes);
}

TEST_CASE("ExecuteIndirect: a barrier and a time stamp see all of it", "[engines]") {
  CommandStream stream = indirect(4, 3000);
  stream.commands.emplace_back(Timestamp{7});
  stream.commands.emplace_back(Barrier{});
  stream.commands.emplace_back(Dispatch{0, 1});
  const DmaPacket packet = run(indirect_engine(), stream);
  const std::uint64_t all_ps = (100 + 4 * 100 + 3000) * cycle_ps + fetch_ps;
  REQUIRE(packet.timestamps.size() == 1);
  CHECK(packet.timestamps[0] == std::pair<std::uint32_t, std::uint64_t>{7, all_ps});
  CHECK(packet.finished_ps == all_ps + (100 + 3000) * cycle_ps);
}

TEST_CASE("ExecuteIndirect: a million commands need no room of their own and take their cycles", "[engines]") {
  static_assert(sizeof(Command) <= 64 + 8, "commands are kept by the million");
  ComputeEngineConfig config = indirect_engine();
  config.command_cycles = 10;
  const std::uint64_t count = 1'000'000;
  const DmaPacket packet = run(config, indirect(count, 5));
  CHECK(packet.finished_ps == (10 + count * 10 + 5) * cycle_ps + fetch_ps);
  CHECK(packet.stream->commands.size() == 1);
}

TEST_CASE("ExecuteIndirect: a packet taken back goes on with the command it stopped at", "[engines]") {
  const Cursor cursor{0, 3};
  const DmaPacket packet = run(indirect_engine(), indirect(5, 3000), cursor);
  // The arguments of the two that are left are read again.
  CHECK(packet.finished_ps == (100 + 2 * 100 + 3000) * cycle_ps + fetch_ps);
  CHECK(packet.cursor.command == 1);
  CHECK(packet.cursor.inner == 0);
}

TEST_CASE("ExecuteIndirect: the 3D engine repeats draws, and drains between them and dispatches", "[engines]") {
  GraphicsEngineConfig config;
  config.clock_mhz = 1000;
  config.indirect_fetch_ns = 600;
  CommandStream stream = indirect(2, 3000);
  stream.graphics_pipelines.resize(1);
  stream.graphics_pipelines[0].bytes_per_pixel = 0;
  // A thousand triangles of one cycle each, no pixels: the set-up stage serves one draw after another.
  stream.indirect_calls.push_back({Draw{0, 0, 1, 1000, 0}, 4, 16, false, false});
  stream.commands = {ExecuteIndirect{1}};
  CHECK(run<GraphicsEngine>(config, stream).finished_ps == 4 * 1000 * cycle_ps + fetch_ps);
  // The second fetch begins while the draws run; its dispatches wait for them.
  stream.commands = {ExecuteIndirect{1}, ExecuteIndirect{0}};
  CHECK(run<GraphicsEngine>(config, stream).finished_ps == (4 * 1000 + 3000) * cycle_ps + fetch_ps);
}
