// SPDX-License-Identifier: Apache-2.0
// Requests that begin at a coarse granularity and go finer after a bounded wait.
#include "tests/engines/stopping/preemption_bench.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

constexpr std::uint64_t first = launch_ps + 10 * ns;

using Steps = std::vector<EscalationStep<ComputePreemption>>;

ComputeEngineConfig escalating(Steps steps) {
  auto config = plain_engine<ComputeEngineConfig>();
  config.compute_preemption.granularity = steps.back().granularity;
  config.compute_preemption.escalation = std::move(steps);
  return config;
}

/// Four waves of one-microsecond groups, then a short dispatch.
CommandStream waves() {
  CommandStream stream;
  stream.compute_pipelines.resize(1);
  stream.compute_pipelines[0].group.threads = 64;
  stream.compute_pipelines[0].work.cycles = 1000;
  stream.commands = {Dispatch{0, 8}, Barrier{}, Dispatch{0, 1}};
  return stream;
}
constexpr std::uint64_t dispatch_end = first + 4000 * ns;
constexpr std::uint64_t running = (10 + 4000 + 20 + 10 + 1000) * ns;

struct Outcome {
  PreemptionReport report;
  std::size_t packets;
  std::uint64_t running_ps;
};

Outcome stop(const ComputeEngineConfig& config, std::uint64_t at_ps, SubmissionCost cost = {launch_ps, 2 * ns, 0},
             std::uint64_t behind = 0) {
  PreemptionBench bench(plain_board(), engine_of<ComputeEngine>(config));
  bench.submit(0, 0, packet_of(1, waves(), cost));
  for (std::uint64_t id = 2; id < 2 + behind; ++id) bench.submit(0, 0, packet_of(id, waves(), cost));
  bench.preempt(at_ps);
  bench.resubmit(10 * ns, 1000 * ns);
  bench.kernel.run_to_end();
  REQUIRE(bench.top().preempted.size() == 1);
  REQUIRE(bench.top().completed.size() == 1 + behind);
  const Board::Preempted& answer = bench.top().preempted[0];
  CHECK(answer.at_ps == answer.report.free_ps);
  return {answer.report, answer.packets.size(), running_ps(bench.completed(1))};
}

constexpr ComputePreemption none = ComputePreemption::none;
constexpr ComputePreemption dma = ComputePreemption::dma_buffer_boundary;
constexpr ComputePreemption dispatch = ComputePreemption::dispatch_boundary;
constexpr ComputePreemption group = ComputePreemption::thread_group_boundary;
constexpr ComputePreemption shader = ComputePreemption::shader_boundary;

}  // namespace

TEST_CASE("escalation: the finer granularity counts once the wait is over, not before", "[engines]") {
  const ComputeEngineConfig config = escalating({{dispatch, 0}, {group, 0.7}, {shader, 1.1}});
  // The next wave ends before the first step, between the steps, and after the second one.
  const auto stopped_ps = [&](std::uint64_t after_ps) { return stop(config, first + after_ps).report.stopped_ps; };
  CHECK(stopped_ps(200 * ns) == first + 1000 * ns);  // at 900 groups, the wave ends at 1000
  CHECK(stopped_ps(299 * ns) == first + 1000 * ns);  // at 999
  CHECK(stopped_ps(300 * ns) == first + 1400 * ns);  // at 1000 groups, as the next wave begins; at 1400 everything
  CHECK(stopped_ps(301 * ns) == first + 1401 * ns);  // at 1001 groups, 1401 everything
  CHECK(stopped_ps(899 * ns) == first + 1999 * ns);
  CHECK(stopped_ps(900 * ns) == first + 2000 * ns);   // both at one moment
  CHECK(stopped_ps(901 * ns) == first + 2000 * ns);   // the wave ends first
  CHECK(stopped_ps(3299 * ns) == first + 4000 * ns);  // the dispatch ends before the first step can
  CHECK(stop(config, first + 301 * ns).running_ps == running);
  CHECK(stop(config, first + 200 * ns).report.saved_bytes == 100);
  CHECK(stop(config, first + 301 * ns).report.saved_bytes == 100 + 2 * 64 * (32 * 4 + 2));
}

TEST_CASE("escalation: what is done before the wait is over makes it needless", "[engines]") {
  const ComputeEngineConfig config = escalating({{dispatch, 0}, {shader, 5}});
  const Outcome at_dispatch = stop(config, first + 10 * ns);
  CHECK(at_dispatch.report.stopped_ps == dispatch_end);
  CHECK(at_dispatch.running_ps == running);
  const Outcome at_end = stop(escalating({{dma, 0}, {shader, 100}}), first + 10 * ns);
  CHECK(at_end.packets == 0);
  CHECK(at_end.report.stopped_ps == launch_ps + running + 2 * ns);
  // Behind a wait that is over the run ends with its work: nothing is left that would keep the clock going.
  PreemptionBench bench(plain_board(), engine_of<ComputeEngine>(escalating({{dma, 0}, {shader, 100}})));
  bench.submit(0, 0, packet_of(1, waves(), {launch_ps, 0, 0}));
  bench.preempt(first);
  bench.kernel.run_to_end();
  CHECK(bench.kernel.now_ps() == launch_ps + running);
}

TEST_CASE("escalation: while nothing may be stopped nothing is withheld, and then it is", "[engines]") {
  const ComputeEngineConfig config = escalating({{none, 0}, {dma, 2}});
  const Outcome in_time = stop(config, first, {launch_ps, 2 * ns, 0}, 1);
  CHECK(in_time.packets == 1);  // the second one; the first runs to its end
  CHECK(in_time.report.stopped_ps == launch_ps + running + 2 * ns);
  CHECK(in_time.running_ps == running);
  const Outcome late = stop(config, launch_ps + running - 1990 * ns, {launch_ps, 2 * ns, 0}, 2);
  CHECK(late.packets == 1);  // the second has begun
  CHECK(late.report.stopped_ps == 2 * (launch_ps + running + 2 * ns));
}

TEST_CASE("escalation: while state is saved or the last results flush nothing changes", "[engines]") {
  // Saving takes 5 ns and a byte each, the step comes meanwhile.
  ComputeEngineConfig config = escalating({{dispatch, 0}, {group, 0.05}});
  const Outcome saving = stop(config, dispatch_end - 1 * ns);
  CHECK(saving.report.stopped_ps == dispatch_end);
  CHECK(saving.report.free_ps == dispatch_end + (5 + 100) * ns);
  // What is complete 200 ns after its end: the stop waits for that, and hears of the step meanwhile.
  const Outcome flushing = stop(config, dispatch_end - 1 * ns, {launch_ps, 2 * ns, 200 * ns});
  CHECK(flushing.report.stopped_ps == dispatch_end + 200 * ns);
  CHECK(flushing.report.free_ps == dispatch_end + (200 + 5 + 100) * ns);
}

TEST_CASE("escalation: a submission path that cannot be stopped so finely is not", "[engines]") {
  SubmissionCost cost{launch_ps, 2 * ns, 0};
  cost.finest_level = PreemptionLevel::command;
  CHECK(stop(escalating({{dma, 0}, {shader, 0.1}}), first, cost).report.stopped_ps == dispatch_end);
}

TEST_CASE("escalation: draws and dispatches of one engine each go finer in their own time", "[engines]") {
  auto config = plain_engine<GraphicsEngineConfig>();
  config.graphics_preemption.granularity = GraphicsPreemption::primitive_boundary;
  config.compute_preemption.granularity = shader;
  config.compute_preemption.escalation = {{dispatch, 0}, {shader, 0.5}};
  CommandStream stream = waves();
  stream.commands = {CopyBuffer{CopyRoute::host_to_device, 9000}, Dispatch{0, 8}, Barrier{}, Dispatch{0, 1}};
  const auto stopped_ps = [&](std::uint64_t at_ps) {
    PreemptionBench bench(plain_board(), engine_of<GraphicsEngine>(config));
    bench.submit(0, 0, packet_of(1, stream, {launch_ps, 2 * ns, 0}));
    bench.preempt(at_ps);
    bench.kernel.run_to_end();
    return bench.top().preempted.at(0).report.stopped_ps;
  };
  // The copy runs for 900 ns from 13, the dispatch beside it for 4000 from 23.
  CHECK(stopped_ps(50 * ns) == first + 900 * ns);  // the dispatch gives way at 550, the copy goes on
  CHECK(stopped_ps(1000 * ns) == 1500 * ns);       // the dispatch alone
}

TEST_CASE("escalation: the wait counts anew from the moment a request is deepened", "[engines]") {
  const ComputeEngineConfig config = escalating({{dispatch, 0}, {group, 0.7}, {shader, 1.1}});
  // Waves end at 1000, 2000, 3000 and 4000 after `first`.
  const auto stopped_ps = [&](PreemptionLevel finest, std::uint64_t after_ps, std::uint64_t deepened_ps) {
    PreemptionBench bench(plain_board(), engine_of<ComputeEngine>(config));
    bench.submit(0, 0, packet_of(1, waves(), {launch_ps, 2 * ns, 0}));
    bench.enter([&](Board& board) {
      board.script.at(first + after_ps, [&board, finest] { board.engine->preempt(0, finest); });
      board.script.at(first + deepened_ps, [&board] { board.engine->deepen(0, PreemptionLevel::shader); });
    });
    bench.kernel.run_to_end();
    return bench.top().preempted.at(0).report.stopped_ps - first;
  };
  CHECK(stopped_ps(PreemptionLevel::dma_buffer, 0, 601 * ns) == 1701 * ns);    // groups from 1301 on, shaders from 1701
  CHECK(stopped_ps(PreemptionLevel::dma_buffer, 0, 2200 * ns) == 3000 * ns);   // groups from 2900 on
  CHECK(stopped_ps(PreemptionLevel::command, 1 * ns, 601 * ns) == 1701 * ns);  // halting meanwhile
  CHECK(stopped_ps(PreemptionLevel::group, 150 * ns, 300 * ns) == 1000 * ns);  // groups from 850 on, as first asked
  CHECK(stopped_ps(PreemptionLevel::group, 350 * ns, 400 * ns) == 1500 * ns);  // from 1050 on; shaders from 1500
}
