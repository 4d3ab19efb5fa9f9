// SPDX-License-Identifier: Apache-2.0
// Requests at awkward moments: as a packet ends, starts, is restored or waits, and beside another hardware queue.
#include "tests/engines/stopping/preemption_bench.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

constexpr std::uint64_t running = (10 + 2000) * ns;
constexpr std::uint64_t end = launch_ps + running;
constexpr std::uint64_t group_state = 64 * (32 * 4 + 2);

/// Two waves of two one-microsecond groups.
DmaPacket waves(std::uint64_t id) {
  CommandStream stream;
  stream.compute_pipelines.resize(1);
  stream.compute_pipelines[0].group.threads = 64;
  stream.compute_pipelines[0].work.cycles = 1000;
  stream.commands = {Dispatch{0, 4}};
  return packet_of(id, std::move(stream), {launch_ps, retire_ps, 0});
}

ComputeEngineConfig stopping(PreemptionLevel level) { return stopping_at(plain_engine<ComputeEngineConfig>(), level); }

PreemptionBench bench_of(const ComputeEngineConfig& config, const BoardConfig& board = plain_board()) {
  return {board, engine_of<ComputeEngine>(config)};
}

}  // namespace

TEST_CASE("preemption: a request as the packet ends or retires finds it complete", "[engines]") {
  for (const PreemptionLevel level : preemption_levels) {
    for (const std::uint64_t at_ps :
         {end - 1, end, end + 1, end + retire_ps - 1, end + retire_ps, end + retire_ps + 1}) {
      INFO("level " << static_cast<int>(level) << ", at " << at_ps);
      PreemptionBench bench = bench_of(stopping(level));
      bench.submit(0, 0, waves(1));
      bench.preempt(at_ps);
      bench.kernel.run_to_end();
      REQUIRE(bench.top().preempted.size() == 1);
      const Board::Preempted& answer = bench.top().preempted[0];
      CHECK(answer.packets.empty());
      CHECK(answer.at_ps == std::max(at_ps, end + retire_ps));
      CHECK(answer.report.saved_bytes == 0);
      CHECK(answer.report.last_completed_fence_id == 1);
      CHECK(bench.completed(1).finished_ps == end);
    }
  }
}

TEST_CASE("preemption: at the end of a packet those behind it are withheld, unless nothing may be stopped",
          "[engines]") {
  for (const PreemptionLevel level : preemption_levels) {
    PreemptionBench bench =
        bench_of(stopping_at(plain_engine<ComputeEngineConfig>(), PreemptionLevel::dma_buffer, level,
                             PreemptionLevel::dma_buffer));  // only the second counts here
    bench.submit(0, 0, waves(1));
    bench.submit(0, 0, waves(2));
    bench.preempt(end + 1);
    bench.kernel.run_to_end();
    const bool all = level == PreemptionLevel::none;
    CHECK(bench.top().completed.size() == (all ? 2 : 1));
    CHECK(bench.top().preempted.at(0).packets.size() == (all ? 0 : 1));
    CHECK(bench.top().preempted.at(0).at_ps == (all ? 2 * (end + retire_ps) : end + retire_ps));
  }
}

TEST_CASE("preemption: a packet that is being launched goes back as it came", "[engines]") {
  for (const auto level : {PreemptionLevel::command, PreemptionLevel::group, PreemptionLevel::shader}) {
    PreemptionBench bench = bench_of(stopping(level));
    bench.submit(0, 0, waves(1));
    bench.submit(0, 0, waves(2));
    bench.preempt(launch_ps - 1);
    bench.resubmit(10 * ns, 100 * ns);
    bench.kernel.run_to_end();
    const Board::Preempted& answer = bench.top().preempted.at(0);
    CHECK(answer.packets.size() == 2);
    CHECK(answer.at_ps == launch_ps - 1);
    CHECK_FALSE(answer.packets.at(0).begun());
    CHECK(answer.packets.at(0).started_ps == Progress::not_started);
    CHECK(bench.completed(1).started_ps == 100 * ns + launch_ps);
    CHECK(bench.completed(1).preempted_ps == 0);
    CHECK(bench.completed(2).finished_ps == 100 * ns + end + retire_ps + end);
  }
}

// The rule that a restore is followed by a unit of work, here one cycle, is newer than this test.
TEST_CASE("preemption: a context that is being restored is restored first, then works for a cycle", "[engines]") {
  constexpr std::uint64_t bytes = 100 + 2 * group_state;
  constexpr std::uint64_t restore_ps = 7 * ns + bytes * ns;
  for (const std::uint64_t into_ps :
       {std::uint64_t{1}, launch_ps, launch_ps + restore_ps / 2, launch_ps + restore_ps - 1}) {
    PreemptionBench bench = bench_of(stopping(PreemptionLevel::shader));
    bench.submit(0, 0, waves(1));
    bench.preempt(500 * ns);
    bench.preempt(100'000 * ns + into_ps);
    bench.resubmit(10 * ns, 100'000 * ns);
    bench.kernel.run_to_end();
    REQUIRE(bench.top().preempted.size() == 2);
    const Board::Preempted& answer = bench.top().preempted[1];
    CHECK(answer.report.requested_ps == 100'000 * ns + into_ps);
    CHECK(answer.report.drain_from_ps == 100'000 * ns + launch_ps + restore_ps);  // waiting for the restore is no drain
    CHECK(answer.report.stopped_ps == answer.report.drain_from_ps + 1 * ns);
    CHECK(answer.report.free_ps == answer.report.stopped_ps + 5 * ns + bytes * ns);
    CHECK(answer.report.saved_bytes == bytes);
    CHECK(answer.report.saved.total() == bytes);
    CHECK(answer.report.saved.registers == 2 * 64 * 32 * 4);
    CHECK(answer.report.saved.threads == 2 * 64 * 2);
    CHECK(answer.report.reached == PreemptionLevel::shader);
    CHECK(answer.packets.at(0).state().total() == 2 * group_state);
    CHECK(running_ps(bench.completed(1)) == running);
    CHECK(bench.completed(1).piece_started_ps == 200'000 * ns + launch_ps + restore_ps);
  }
}

TEST_CASE("preemption: however often it is stopped a packet loses nothing", "[engines]") {
  ComputeEngineConfig config = stopping(PreemptionLevel::shader);
  config.context_state = {};
  config.context_state.gb_per_s = 1e6;
  BoardConfig board = plain_board();
  board.memory.vram.gb_per_s = 1024;  // a group's registers take 8 ns
  PreemptionBench bench = bench_of(config, board);
  bench.submit(0, 0, waves(1));
  for (std::uint64_t i = 1; i < 100; ++i) bench.preempt(i * 47 * ns);
  bench.resubmit(0, 10 * ns);
  bench.kernel.run_to_end();
  CHECK(bench.top().preempted.size() > 50);
  const DmaPacket& packet = bench.completed(1);
  CHECK(running_ps(packet) == running);
}

TEST_CASE("preemption: a wait gives way before its condition holds", "[engines]") {
  for (const PreemptionLevel level : preemption_levels) {
    for (const bool behind : {false, true}) {
      PreemptionBench bench = bench_of(stopping(level));
      DmaPacket wait;
      wait.id = wait.submission_fence_id = 2;
      if (behind) bench.submit(0, 0, waves(1));
      bench.submit(0, 0, std::move(wait));
      bench.submit(0, 0, waves(3));
      bench.preempt(10'000 * ns);
      bench.enter([&](Board& board) { board.script.at(20'000 * ns, [&board] { board.engine->release(0, 2); }); });
      bench.kernel.run_to_end();
      const Board::Preempted& answer = bench.top().preempted.at(0);
      const bool nothing = level == PreemptionLevel::none;
      CHECK(answer.at_ps == (nothing ? 20'000 * ns + end + retire_ps : 10'000 * ns));
      CHECK(answer.packets.size() == (nothing ? 0 : 2));
    }
  }
}

TEST_CASE("preemption: another hardware queue does not notice", "[engines]") {
  BoardConfig board = plain_board();
  board.array.groups_per_sm = 32;
  for (const PreemptionLevel level : preemption_levels) {
    ComputeEngineConfig config = stopping(level);
    config.hardware_queues = 2;
    const auto run = [&](const std::vector<std::uint64_t>& requests_ps) {
      auto bench = std::make_unique<PreemptionBench>(board, engine_of<ComputeEngine>(config));
      bench->submit(0, 0, waves(1));
      bench->submit(0, 0, waves(2));
      bench->submit(100 * ns, 1, waves(11));
      bench->submit(100 * ns, 1, waves(12));
      for (const std::uint64_t at_ps : requests_ps) bench->preempt(at_ps, 0);
      bench->resubmit(10 * ns);
      bench->kernel.run_to_end();
      return bench;
    };
    const auto undisturbed = run({});
    for (const std::uint64_t at_ps : {1 * ns, 13 * ns, 200 * ns, 1013 * ns, 1500 * ns, 2500 * ns}) {
      const auto preempted = run({at_ps, at_ps + 300 * ns});
      INFO("level " << static_cast<int>(level) << ", at " << at_ps);
      CHECK(preempted->top().preempted.size() >= 1);
      for (const std::uint64_t id : {11, 12}) {
        CHECK(preempted->completed(id).finished_ps == undisturbed->completed(id).finished_ps);
        CHECK(preempted->completed(id).preempted_ps == 0);
      }
      CHECK(preempted->completed(1).finished_ps >= undisturbed->completed(1).finished_ps);
    }
  }
}

TEST_CASE("preemption: state shares video memory with those that use it", "[engines]") {
  // 100,000 bytes alone take 100 ns; beside a copy, half the bandwidth each, 200.
  for (const bool copy : {false, true}) {
    ComputeEngineConfig config = stopping(PreemptionLevel::command);
    config.hardware_queues = 2;
    config.context_state.bytes = 100'000;
    config.context_state.gb_per_s = 1000;
    PreemptionBench bench = bench_of(config);
    bench.submit(0, 0, waves(1));
    CommandStream stream = *waves(2).stream;
    stream.commands = {Dispatch{0, 4}, Barrier{}, Dispatch{0, 1}};
    bench.submit(0, 0, packet_of(2, stream, {launch_ps, retire_ps, 0}));
    stream.commands = {CopyBuffer{CopyRoute::device_to_device, 10'000'000}};
    if (copy) bench.submit(0, 1, packet_of(11, stream, {launch_ps, retire_ps, 0}));
    bench.preempt(end + retire_ps + 500 * ns);
    bench.kernel.run_to_end();
    const PreemptionReport& report = bench.top().preempted.at(0).report;
    CHECK(report.stopped_ps == end + retire_ps + end);
    CHECK(report.saved_bytes == 100'000);
    CHECK(report.free_ps == report.stopped_ps + (copy ? 205 * ns : 105 * ns));
  }
}

TEST_CASE("preemption: a listener may submit and preempt again from inside its calls", "[engines]") {
  ComputeEngineConfig config = stopping(PreemptionLevel::shader);
  PreemptionBench bench = bench_of(config);
  Board& board = bench.top();
  board.on_completed = [&] {
    if (board.completed.size() == 1) board.engine->preempt(0);  // the second one launches
  };
  board.on_preempted = [&](Board::Preempted& answer) {
    for (DmaPacket& packet : std::exchange(answer.packets, {})) board.engine->submit(0, std::move(packet));
    if (board.preempted.size() < 4) board.engine->preempt(0);
  };
  bench.submit(0, 0, waves(1));
  bench.submit(0, 0, waves(2));
  bench.kernel.run_to_end();
  CHECK(board.preempted.size() == 4);
  CHECK(board.completed.size() == 2);
  // Turned back once while it was launched, it is launched the next time and works for a cycle before each stop.
  CHECK(running_ps(bench.completed(2)) == running);
}
