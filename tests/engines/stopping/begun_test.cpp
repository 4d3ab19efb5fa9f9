// SPDX-License-Identifier: Apache-2.0
// What has begun when a request comes: what holds a place, a stage or a channel, and whole triangles.
#include "engines/shader_array/shortcuts/shortcut_dispatcher.hpp"
#include "tests/engines/stopping/preemption_bench.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <functional>
#include <utility>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

GraphicsEngineConfig one_group_at_a_time(PreemptionLevel level) {
  auto config = stopping_at(plain_engine<GraphicsEngineConfig>(), level);
  config.command_cycles = 1;
  config.commands_in_flight = 1024;
  config.rates.triangles_per_clock = 1000;
  config.rates.lanes_per_clock = config.rates.rop_pixels_per_clock = 1e6;
  config.rates.group_threads = 64;
  config.write_back_bytes = 1'000'000'000;
  return config;
}

}  // namespace

TEST_CASE("begun: of a thousand draws in flight the one that holds the SM finishes, the others go back", "[engines]") {
  for (const std::uint64_t draws : {3, 100, 1000}) {
    BoardConfig board = plain_board();
    board.array.groups_per_sm = 1;
    CommandStream stream;
    stream.graphics_pipelines.resize(1);
    stream.graphics_pipelines[0].pixel_shader.alu_instructions = 3000;  // 3 us each, one after another
    for (std::uint64_t i = 0; i < draws; ++i) stream.commands.emplace_back(Draw{0, 0, 1, 1, 64});
    PreemptionBench bench(board, engine_of<GraphicsEngine>(one_group_at_a_time(PreemptionLevel::command)));
    bench.submit(0, 0, packet_of(1, stream, {launch_ps, 0, 0}));
    const std::uint64_t at_ps = 4000 * ns;  // all have been issued, the second draw is shaded
    bench.preempt(at_ps);
    bench.resubmit(10 * ns, 1000 * ns);
    bench.kernel.run_to_end();
    const Board::Preempted& answer = bench.top().preempted.at(0);
    CHECK(answer.report.stopped_ps > at_ps);
    CHECK(answer.report.stopped_ps < at_ps + 3000 * ns);
    CHECK(answer.report.reached == PreemptionLevel::command);
    CHECK(answer.packets.at(0).halted.size() == draws - 2);
    CHECK(bench.top().array.dispatcher().groups_run() == draws);
    CHECK(bench.top().completed.size() == 1);
  }
}

TEST_CASE("begun: a triangle that has been shaded passes raster and output before a stop at triangles", "[engines]") {
  // Ten triangles of one group each; raster or output takes 1000 cycles for each of them, shading next to nothing.
  for (const bool output : {false, true}) {
    BoardConfig board = plain_board();
    board.array.groups_per_sm = 8;
    auto config = one_group_at_a_time(PreemptionLevel::group);
    (output ? config.rates.rop_pixels_per_clock : config.rates.lanes_per_clock) = 0.064;
    CommandStream stream;
    stream.graphics_pipelines.resize(1);
    stream.graphics_pipelines[0].pixel_shader.alu_instructions = 10;
    stream.commands = {Draw{0, 0, 1, 10, 640}};
    for (const std::uint64_t at_ps : {10 * ns, 2500 * ns, 5000 * ns, 8999 * ns}) {
      INFO("output " << output << ", at " << at_ps);
      PreemptionBench bench(board, engine_of<GraphicsEngine>(config));
      bench.submit(0, 0, packet_of(1, stream, {launch_ps, 0, 0}));
      bench.preempt(at_ps);
      bench.resubmit(10 * ns, 1000 * ns);
      bench.kernel.run_to_end();
      REQUIRE(bench.top().completed.size() == 1);
      const Board::Preempted& answer = bench.top().preempted.at(0);
      if (answer.packets.empty()) continue;  // all had been shaded: it has ended
      const CommandRemainder& left = answer.packets.at(0).halted.at(0).remainder;
      CHECK(left.stage_cycles[output ? 2 : 1] == 1000 * left.grid.groups);
      CHECK(bench.completed(1).finished_ps - bench.completed(1).started_ps - bench.completed(1).preempted_ps >=
            10'000 * ns);
    }
  }
}

TEST_CASE("begun: a packet ends under requests that come faster than it is restored", "[engines]") {
  for (const PreemptionLevel level : preemption_levels) {
    if (!traits_of(level).has(level_rule::stops_packets)) continue;
    for (const std::uint64_t period_ps : {1 * ns, 7 * ns, 50 * ns}) {
      auto config = stopping_at(plain_engine<ComputeEngineConfig>(), level);
      config.context_state.gb_per_s = 1000;
      config.context_state.restore_us = 0.02;
      CommandStream stream;
      stream.compute_pipelines.resize(1);
      stream.compute_pipelines[0].group.threads = 64;
      stream.compute_pipelines[0].work.cycles = 20;
      stream.commands = {Dispatch{0, 4}, CopyBuffer{CopyRoute::host_to_device, 100}, Barrier{}, Dispatch{0, 3}};
      std::function<void(std::uint64_t)> beat;
      PreemptionBench bench(plain_board(), engine_of<ComputeEngine>(config));
      bench.resubmit(0);
      Board& board = bench.top();
      beat = [&board, &beat, period_ps](std::uint64_t left) {
        if (!board.completed.empty() || left == 0) return;
        if (!board.engine->preempting(0)) board.engine->preempt(0);
        board.script.at(now_ps() + period_ps, [&beat, left] { beat(left - 1); });
      };
      bench.submit(0, 0, packet_of(1, stream, {launch_ps, 0, 0}));
      bench.enter([&](Board& top) { top.script.at(1 * ns, [&beat] { beat(100'000); }); });
      bench.kernel.run_to_end();
      INFO("level " << static_cast<int>(level) << ", every " << period_ps);
      REQUIRE(board.completed.size() == 1);
      CHECK(board.array.dispatcher().groups_run() == 7);
      CHECK(board.memory.pcie_to_device().moved_bytes() == 100);
    }
  }
}
