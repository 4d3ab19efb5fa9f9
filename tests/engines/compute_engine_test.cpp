// SPDX-License-Identifier: Apache-2.0
#include "engines/compute_engine.hpp"

#include "sim/assert.hpp"
#include "tests/engines/board.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// Commands of one list; a dispatch is one small group of so many cycles.
struct List {
  List& dispatch(std::uint64_t cycles) {
    ComputePipeline pipeline;
    pipeline.work.cycles = cycles;
    stream.commands.emplace_back(Dispatch{static_cast<std::uint32_t>(stream.compute_pipelines.size()), 1});
    stream.compute_pipelines.push_back(pipeline);
    return *this;
  }
  List& add(const Command& command) {
    stream.commands.push_back(command);
    return *this;
  }
  CommandStream stream;
};

DmaPacket run(const ComputeEngineConfig& config, const List& list) {
  return run_alone<ComputeEngine>(gigahertz_board(), config, list.stream);
}

using Timestamps = std::vector<std::pair<std::uint32_t, std::uint64_t>>;

}  // namespace

TEST_CASE("compute engine: commands without a barrier overlap", "[engines]") {
  CHECK(run(gigahertz_engine<ComputeEngineConfig>(), List().dispatch(3000).dispatch(1000).dispatch(2000)).finished_ps ==
        3000 * cycle_ps);
}

TEST_CASE("compute engine: a barrier waits for every earlier command and takes its own cycles", "[engines]") {
  ComputeEngineConfig config = gigahertz_engine<ComputeEngineConfig>();
  const List list = List().dispatch(3000).dispatch(1000).add(Barrier{}).dispatch(500).add(Barrier{});
  CHECK(run(config, list).finished_ps == (3000 + 500) * cycle_ps);
  config.barrier_cycles = 200;
  CHECK(run(config, list).finished_ps == (3000 + 200 + 500 + 200) * cycle_ps);
  CHECK(run(config, List().add(Barrier{}).add(Barrier{})).finished_ps == 2 * 200 * cycle_ps);
}

TEST_CASE("compute engine: a submission path may say what a barrier costs, with the fetch behind it", "[engines]") {
  ComputeEngineConfig config = gigahertz_engine<ComputeEngineConfig>();
  config.barrier_cycles = 200;
  config.command_cycles = 50;
  const List list = List().dispatch(3000).add(Barrier{}).dispatch(500).dispatch(700).add(Barrier{}).dispatch(10);
  const auto finished_ps = [&](const SubmissionCost& cost) {
    KernelOf<Board> bench(gigahertz_board(), engine_of<ComputeEngine>(config));
    bench.enter([&](Board& board) {
      DmaPacket packet = packet_of(1, list.stream);
      packet.cost = cost;
      board.engine->submit(0, std::move(packet));
    });
    bench.kernel.run_to_end();
    return bench.top().completed.at(0).packet.finished_ps;
  };
  SubmissionCost cost;
  CHECK(finished_ps(cost) == (50 + 3000 + 200 + 50 + 50 + 700 + 200 + 50 + 10) * cycle_ps);
  cost.barrier_ps = 7 * cycle_ps;  // only the dispatch directly behind the barrier is fetched already
  CHECK(finished_ps(cost) == (50 + 3000 + 7 + 50 + 700 + 7 + 10) * cycle_ps);
  cost.barrier_ps = 0;
  CHECK(finished_ps(cost) == (50 + 3000 + 50 + 700 + 10) * cycle_ps);
}

TEST_CASE("compute engine: the front end handles one command after another", "[engines]") {
  ComputeEngineConfig config = gigahertz_engine<ComputeEngineConfig>();
  config.command_cycles = 100;
  // The last dispatch begins after four times the front end's work.
  const List list = List().dispatch(10).dispatch(10).dispatch(10).dispatch(1000);
  CHECK(run(config, list).finished_ps == (4 * 100 + 1000) * cycle_ps);
}

TEST_CASE("compute engine: commands in flight are limited", "[engines]") {
  ComputeEngineConfig config = gigahertz_engine<ComputeEngineConfig>();
  const List list = List().dispatch(1000).dispatch(3000).dispatch(1000).dispatch(1000);
  config.commands_in_flight = 1;
  CHECK(run(config, list).finished_ps == 6000 * cycle_ps);
  config.commands_in_flight = 2;  // three of 1000 beside the one of 3000
  CHECK(run(config, list).finished_ps == 3000 * cycle_ps);
  config.commands_in_flight = 3;
  const DmaPacket packet = run(config, List(list).add(Barrier{}).dispatch(1));
  CHECK(packet.finished_ps == 3001 * cycle_ps);
}

TEST_CASE("compute engine: a time stamp is taken at the bottom of the pipe without stalling later work", "[engines]") {
  const DmaPacket packet = run(gigahertz_engine<ComputeEngineConfig>(), List()
                                                                            .add(Timestamp{9})
                                                                            .dispatch(3000)
                                                                            .add(Timestamp{0})
                                                                            .dispatch(1000)
                                                                            .add(Timestamp{1})
                                                                            .dispatch(5000)
                                                                            .add(Timestamp{2})
                                                                            .add(Timestamp{3}));
  // The second dispatch ends first, but its stamp waits for the one before as well.
  CHECK(packet.timestamps ==
        Timestamps{{9, 0}, {0, 3000 * cycle_ps}, {1, 3000 * cycle_ps}, {2, 5000 * cycle_ps}, {3, 5000 * cycle_ps}});
  CHECK(packet.finished_ps == 5000 * cycle_ps);
}

TEST_CASE("compute engine: a time stamp behind a barrier comes after it", "[engines]") {
  ComputeEngineConfig config = gigahertz_engine<ComputeEngineConfig>();
  config.barrier_cycles = 100;
  const DmaPacket packet = run(config, List().dispatch(1000).add(Barrier{}).add(Timestamp{0}).dispatch(500));
  CHECK(packet.timestamps == Timestamps{{0, 1100 * cycle_ps}});
}

TEST_CASE("compute engine: hardware queues work side by side and do not see each other's commands", "[engines]") {
  ComputeEngineConfig config = gigahertz_engine<ComputeEngineConfig>();
  config.hardware_queues = 2;
  KernelOf<Board> bench(gigahertz_board(), engine_of<ComputeEngine>(config));
  bench.enter([&](Board& board) {
    board.engine->submit(0, packet_of(1, List().dispatch(5000).add(Barrier{}).dispatch(1000).stream));
    board.engine->submit(1, packet_of(2, List().dispatch(2000).add(Timestamp{0}).add(Barrier{}).dispatch(10).stream));
    board.engine->submit(0, packet_of(3, List().dispatch(100).stream));
  });
  bench.kernel.run_to_end();
  const auto& completed = bench.top().completed;
  REQUIRE(completed.size() == 3);
  CHECK(completed[0].packet.id == 2);
  CHECK(completed[0].at_ps == 2010 * cycle_ps);
  CHECK(completed[0].packet.timestamps == Timestamps{{0, 2000 * cycle_ps}});
  CHECK(completed[1].packet.id == 1);
  CHECK(completed[1].at_ps == 6000 * cycle_ps);
  CHECK(completed[2].at_ps == 6100 * cycle_ps);
}

TEST_CASE("compute engine: packets of a higher priority have their groups placed first", "[engines]") {
  ComputeEngineConfig config = gigahertz_engine<ComputeEngineConfig>();
  config.hardware_queues = 2;
  BoardConfig small = gigahertz_board();
  small.array.sms = small.array.graphics_sms = 1;
  KernelOf<Board> bench(small, engine_of<ComputeEngine>(config));
  CommandStream stream;
  stream.compute_pipelines = {{"full", {1024, 32, 0}, {1000, {}, 0, 16}}};
  stream.commands = {Dispatch{0, 4}};  // two waves
  DmaPacket high = packet_of(2, stream);
  high.priority = 1;
  bench.enter([&](Board& board) {
    board.engine->submit(0, packet_of(1, stream));
    board.engine->submit(1, std::move(high));
  });
  bench.kernel.run_to_end();
  CHECK(bench.top().completed.at(0).packet.id == 2);
  CHECK(bench.top().completed.at(0).at_ps == 2000 * cycle_ps);
  CHECK(bench.top().completed.at(1).at_ps == 4000 * cycle_ps);
}

TEST_CASE("compute engine: copies and clears go to memory, draws are refused", "[engines]") {
  BoardConfig board = gigahertz_board();
  const std::uint64_t bytes = 1'000'000;
  const List list = List().add(CopyBuffer{CopyRoute::host_to_device, bytes}).add(Barrier{}).add(Clear{bytes});
  const double expected_ps =
      static_cast<double>(bytes) * 1e3 * (1 / board.memory.pcie_to_device.gb_per_s + 1 / board.memory.vram.gb_per_s);
  CHECK(run(gigahertz_engine<ComputeEngineConfig>(), list).finished_ps ==
        static_cast<std::uint64_t>(std::llround(expected_ps)));
  List draw = List().add(Draw{});
  draw.stream.graphics_pipelines.emplace_back();
  CHECK_THROWS_AS(run(gigahertz_engine<ComputeEngineConfig>(), draw), InternalError);
}

TEST_CASE("compute engine: many commands leave no trace in the next packet", "[engines]") {
  KernelOf<Board> bench(gigahertz_board(), engine_of<ComputeEngine>(gigahertz_engine<ComputeEngineConfig>()));
  for (std::uint64_t id = 1; id <= 20; ++id) {
    List list;
    std::uint64_t longest = 0;
    for (std::uint64_t i = 0; i < 200; ++i) {
      list.dispatch(1 + i * id % 50);
      longest = std::max(longest, 1 + i * id % 50);
    }
    list.add(Barrier{}).dispatch(7);
    bench.enter([&](Board& board) { board.engine->submit(0, packet_of(id, list.stream)); });
    bench.kernel.run_to_end();
    const DmaPacket& packet = bench.top().completed.at(id - 1).packet;
    // 128 at once: those that wait start when one ends, within the length of two.
    CHECK(packet.finished_ps - packet.started_ps >= (longest + 7) * cycle_ps);
    CHECK(packet.finished_ps - packet.started_ps <= (2 * longest + 7) * cycle_ps);
  }
}

TEST_CASE("compute engine: a dispatch waits until all groups of the one before it have places", "[engines]") {
  BoardConfig board = gigahertz_board();
  board.array.sms = board.array.graphics_sms = board.array.groups_per_sm = 1;
  ComputeEngineConfig config = gigahertz_engine<ComputeEngineConfig>();
  config.hardware_queues = 2;
  KernelOf<Board> bench(board, engine_of<ComputeEngine>(config));
  List list = List().dispatch(1000).dispatch(1000);
  std::get<Dispatch>(list.stream.commands[0]).groups = 3;
  bench.enter([&](Board& top) {
    top.engine->submit(0, packet_of(1, list.stream));
    top.script.at(500 * cycle_ps, [&top] { top.engine->submit(1, packet_of(2, List().dispatch(100).stream)); });
  });
  bench.kernel.run_to_end();
  const auto& completed = bench.top().completed;
  REQUIRE(completed.size() == 2);
  // The other queue's dispatch is older than the second one of the list, which has not reached the array before.
  CHECK(completed[0].packet.id == 2);
  CHECK(completed[0].packet.finished_ps == (3000 + 100) * cycle_ps);
  CHECK(completed[1].packet.finished_ps == (3000 + 100 + 1000) * cycle_ps);
}

TEST_CASE("compute engine: a path's completion is paid where something waits, and once", "[engines]") {
  const auto finished = [](const List& list) {
    KernelOf<Board> bench(gigahertz_board(), engine_of<ComputeEngine>(gigahertz_engine<ComputeEngineConfig>()));
    SubmissionCost cost;
    cost.completion_ps = 400 * cycle_ps;
    bench.enter([&](Board& board) { board.engine->submit(0, packet_of(1, list.stream, cost)); });
    bench.kernel.run_to_end();
    return bench.top().completed.at(0).packet.finished_ps;
  };
  CHECK(finished(List()) == 0);
  CHECK(finished(List().dispatch(1000)) == 1400 * cycle_ps);
  CHECK(finished(List().dispatch(1000).dispatch(700)) == 1400 * cycle_ps);
  CHECK(finished(List().dispatch(1000).add(Barrier{}).dispatch(700)) == 2500 * cycle_ps);
}
