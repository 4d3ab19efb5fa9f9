// SPDX-License-Identifier: Apache-2.0
#include "engines/copy_engine.hpp"

#include "sim/assert.hpp"
#include "tests/engines/board.hpp"
#include "tests/support/units.hpp"

#include <catch2/catch.hpp>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// The time one packet with these commands runs, from its first command to its last.
std::uint64_t running_ps(const CopyEngineConfig& config, const BoardConfig& board, std::vector<Command> commands) {
  CommandStream stream;
  stream.commands = std::move(commands);
  return testing::running_ps(run_alone<CopyEngine>(board, config, std::move(stream)));
}

}  // namespace

TEST_CASE("copy engine: a copy takes its set-up and its bytes over the bandwidth of its route", "[engines]") {
  CopyEngineConfig config;
  config.clock_mhz = 1410;
  config.setup_cycles = 1500;
  BoardConfig board;
  board.memory.vram.gb_per_s = 4000;
  board.memory.pcie_to_device.gb_per_s = 55;
  board.memory.pcie_to_host.gb_per_s = 50;
  board.memory.device_copy_gb_per_s = 3000;
  const std::uint64_t setup = ClockDomain(1'410'000).time_of(1500);
  const std::uint64_t bytes = 64 * mega + 3;
  const auto one = [&](CopyRoute route) { return running_ps(config, board, {CopyBuffer{route, bytes}}); };
  CHECK(one(CopyRoute::host_to_device) == setup + passing_ps(bytes, 55));
  CHECK(one(CopyRoute::device_to_host) == setup + passing_ps(bytes, 50));
  CHECK(one(CopyRoute::host_to_host) == setup + passing_ps(bytes, 50));            // the slower direction
  CHECK(one(CopyRoute::device_to_device) == setup + passing_ps(2 * bytes, 3000));  // read and write
  CHECK(running_ps(config, board, {CopyTexture{CopyRoute::host_to_device, 1000, 512}}) ==
        setup + passing_ps(1024 * 512, 55));
  CHECK(running_ps(config, board, {CopyBuffer{CopyRoute::host_to_device, 0}}) == setup);
}

TEST_CASE("copy engine: copies of one packet run one after another, or several if so configured", "[engines]") {
  CopyEngineConfig config;
  config.clock_mhz = 1000;
  config.setup_cycles = 1000;
  BoardConfig board;
  board.memory.pcie_to_device.gb_per_s = 50;
  const std::uint64_t setup = 1'000'000;
  const std::vector<Command> commands(3, CopyBuffer{CopyRoute::host_to_device, mega});
  CHECK(running_ps(config, board, commands) == 3 * (setup + passing_ps(mega, 50)));
  config.commands_in_flight = 3;  // set-ups overlap, PCIe serves in order
  CHECK(running_ps(config, board, commands) == setup + passing_ps(3 * mega, 50));
}

TEST_CASE("copy engine: a dispatch is refused", "[engines]") {
  KernelOf<Board> bench(BoardConfig{}, engine_of<CopyEngine>(CopyEngineConfig{}));
  CommandStream stream;
  stream.commands = {Dispatch{0, 1}};
  stream.compute_pipelines.emplace_back();
  bench.enter([&](Board& b) { b.engine->submit(0, packet_of(1, std::move(stream))); });
  CHECK_THROWS_AS(bench.kernel.run_to_end(), InternalError);
}
