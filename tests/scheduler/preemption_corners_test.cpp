// SPDX-License-Identifier: Apache-2.0
// What random scenarios found: requests, waits on the hardware and turns of processes that come at an awkward moment.
#include "tests/scheduler/bench.hpp"
#include "tests/support/units.hpp"

#include <catch2/catch.hpp>

#include <cstdint>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

EngineConfig stops_at_once(std::uint32_t depth = 2) {
  EngineConfig config = plain_node(depth);
  config.copy_preemption.granularity = CopyPreemption::transfer_boundary;
  return config;
}

SchedulerConfig with_hardware_waits(SchedulingPolicy policy = SchedulingPolicy::wddm) {
  SchedulerConfig config;
  config.policy = policy;
  config.hardware_waits = true;
  return config;
}

}  // namespace

TEST_CASE("preemption: a finer step of the escalation while the last command's end travels asks nothing twice",
          "[scheduler]") {
  EngineConfig config = stops_at_once();
  config.copy_preemption.escalation = {{CopyPreemption::copy_boundary, 0}, {CopyPreemption::transfer_boundary, 14}};
  NodePath path;
  path.completion_ns = 10'000;
  Bench bench({config});
  const ContextId queue = bench.context(0, 0, path);
  const std::uint64_t work = bench.execute(queue, 10 * us, 3);
  bench.at(1 * us, [&] { CHECK(bench.scheduler().preempt(queue)); });  // the first ends at 10, completely at 20
  CHECK(bench.run());
  CHECK(bench.record(work).preemptions == 1);
  CHECK(bench.now() == 50 * us);
}

TEST_CASE("preemption: a packet that is stopped while it launches has used only what it ran", "[scheduler]") {
  NodePath path;
  path.launch_ns = 10'000;
  Bench bench({stops_at_once()});
  const ContextId queue = bench.context(0, 0, path);
  const std::uint64_t work = bench.execute(queue, 20 * us);
  bench.at(15 * us, [&] { bench.scheduler().preempt(queue); });  // 5 us done
  bench.at(20 * us, [&] { bench.scheduler().preempt(queue); });  // launching again
  CHECK(bench.run());
  CHECK(bench.record(work).preemptions == 2);
  CHECK(bench.record(work).finished_ps == 50 * us);  // it is loaded to the end, at 25, and then a third time
  const PacketRecord& record = bench.record(work);
  CHECK(record.finished_ps - record.started_ps - record.preempted_ps == 20 * us);
}

TEST_CASE("preemption: a front end that takes longer than a turn gets through it in several", "[scheduler]") {
  EngineConfig config = stops_at_once();
  config.clock_mhz = 1000;
  config.command_cycles = 25'000;
  config.runlist = "all";
  SchedulerConfig scheduler;
  scheduler.policy = SchedulingPolicy::time_slice;
  scheduler.time_slice_us = 10;
  Bench bench({config}, scheduler);
  std::vector<std::uint64_t> work;
  for (const char* name : {"a", "b"}) {
    const ContextId queue = bench.context(0, 0, {}, 0, bench.process({name}));
    work.push_back(bench.execute(queue, 3 * us));
  }
  CHECK(bench.run());
  CHECK(bench.now() == 2 * (25 + 3) * us);  // nothing is fetched twice
  CHECK(bench.record(work[0]).preemptions == 2);
}

TEST_CASE("runlist: a slice shorter than loading a process begins when it runs", "[scheduler]") {
  EngineConfig config = stops_at_once();
  config.context_state.switch_us = 30;
  config.context_state.restore_us = 30;
  config.runlist = "all";
  SchedulerConfig scheduler;
  scheduler.policy = SchedulingPolicy::time_slice;
  scheduler.time_slice_us = 10;
  Bench bench({config}, scheduler);
  std::vector<std::uint64_t> work;
  for (const char* name : {"a", "b"}) {
    const ContextId queue = bench.context(0, 0, {}, 0, bench.process({name}));
    work.push_back(bench.execute(queue, 35 * us));
  }
  CHECK(bench.run());
  CHECK(bench.record(work[0]).preemptions == 3);  // 10, 10, 10 and 5 us
  CHECK(bench.record(work[1]).preemptions == 3);
}

TEST_CASE("runlist: packets queued on another runlist's engines do not make a slice begin anew", "[scheduler]") {
  EngineConfig config = stops_at_once();  // without a name each engine is a runlist of its own
  SchedulerConfig scheduler;
  scheduler.policy = SchedulingPolicy::time_slice;
  scheduler.time_slice_us = 40;
  Bench bench({config, config}, scheduler);
  const ProcessId a = bench.process({"a"});
  const ProcessId b = bench.process({"b"});
  bench.execute(bench.context(0, 0, {}, 0, a), 200 * us);
  const ContextId copies = bench.context(1, 0, {}, 0, a);
  for (int i = 0; i < 3; ++i) bench.execute(copies, 200 * us);
  const ContextId waiting = bench.context(0, 0, {}, 0, b);
  std::uint64_t work = 0;
  // The slice of a on the first engine ended at 40, and nothing of a is queued there.
  bench.at(52 * us, [&] { work = bench.execute(waiting, 5 * us); });
  CHECK(bench.run());
  CHECK(bench.record(work).finished_ps == 57 * us);
}

TEST_CASE("hardware waits: a wait does not pass another that is on the hardware", "[scheduler]") {
  Bench bench({plain_node(4)}, with_hardware_waits());
  const ContextId queue = bench.context(0);
  const FenceId late = bench.fence();
  const FenceId early = bench.fence(1);
  const std::uint64_t first = bench.wait(queue, late, 1);
  const std::uint64_t second = bench.wait(queue, early, 1);  // satisfied
  const std::uint64_t work = bench.execute(queue, 5 * us);
  bench.at(7 * us, [&] {
    CHECK_FALSE(bench.completed(second));
    bench.cpu_signal(late, 1);
  });
  CHECK(bench.run());
  CHECK(bench.order() == std::vector<std::uint64_t>{first, second, work});
  CHECK(bench.record(work).started_ps == 7 * us);
}

TEST_CASE("hardware waits: one that is satisfied before it has a place on the hardware passes", "[scheduler]") {
  NodePath hop;
  hop.fence_from_cpu_ns = 4000;
  Bench bench({plain_node(1)}, with_hardware_waits(SchedulingPolicy::fifo));
  const ContextId busy = bench.context(0);
  const ContextId queue = bench.context(0, 0, hop);
  const FenceId fence = bench.fence();
  bench.execute(busy, 20 * us);
  const std::uint64_t wait = bench.wait(queue, fence, 1);
  SECTION("with nothing behind it") {
    bench.at(5 * us, [&] { bench.cpu_signal(fence, 1); });
    CHECK(bench.run());
    CHECK(bench.record(wait).completed_ps == 9 * us);
  }
  SECTION("while the news travels") {
    bench.at(18 * us, [&] { bench.cpu_signal(fence, 1); });  // the place falls free at 20, the news comes at 22
    const std::uint64_t work = bench.execute(queue, 1 * us);
    CHECK(bench.run());
    CHECK(bench.record(wait).completed_ps == 22 * us);
    CHECK(bench.record(work).started_ps == 22 * us);
  }
}

TEST_CASE("hardware waits: one that holds up other contexts gives way to what it waits for", "[scheduler]") {
  const auto policy = GENERATE(SchedulingPolicy::fifo, SchedulingPolicy::strict_priority, SchedulingPolicy::wddm,
                               SchedulingPolicy::round_robin, SchedulingPolicy::xe);
  const int priority = GENERATE(0, 100);
  const std::uint32_t depth = GENERATE(1, 3);
  Bench bench({plain_node(depth)}, with_hardware_waits(policy));
  const ContextId waiting = bench.context(0, priority);
  const ContextId signalling = bench.context(0);
  const FenceId fence = bench.fence();
  const std::uint64_t wait = bench.wait(waiting, fence, 1);
  const std::uint64_t after = bench.execute(waiting, 2 * us);
  bench.execute(signalling, 5 * us);
  bench.signal(signalling, fence, 1);
  CHECK(bench.run());
  CHECK(bench.record(wait).preemptions == 1);
  CHECK(bench.record(after).started_ps == 5 * us);
}

TEST_CASE("hardware waits: in the Windows 7 model they hold the hardware queue", "[scheduler]") {
  SchedulerConfig config = with_hardware_waits();
  config.caps.preemption_aware = false;
  Bench bench({plain_node(3)}, config);
  const ContextId waiting = bench.context(0);
  const ContextId other = bench.context(0);
  const FenceId fence = bench.fence();
  bench.wait(waiting, fence, 1);
  const std::uint64_t work = bench.execute(other, 5 * us);
  bench.at(50 * us, [&] { bench.cpu_signal(fence, 1); });
  CHECK(bench.run());
  CHECK(bench.record(work).started_ps == 50 * us);
}

TEST_CASE("preemption: a higher one's second packet does not stay behind a lower one's that is queued", "[scheduler]") {
  // 10 us each, packets are never stopped inside. At 0 high, at 2 low behind it, at 5 high again, with the one that
  // runs: low is withheld, and runs last.
  for (const auto policy : {SchedulingPolicy::wddm, SchedulingPolicy::xe, SchedulingPolicy::strict_priority}) {
    for (const std::uint32_t depth : {2U, 4U}) {
      SchedulerConfig scheduler;
      scheduler.policy = policy;
      EngineConfig node = plain_node(depth);
      node.copy_preemption.granularity = CopyPreemption::dma_buffer_boundary;
      Bench bench({node}, scheduler);
      const ContextId high = bench.context(0, 100);  // in-process priority +1
      const ContextId low = bench.context(0);
      const std::uint64_t first = bench.execute(high, 10 * us);
      bench.at(2 * us, [&] { bench.execute(low, 10 * us); });
      bench.at(5 * us, [&] { bench.execute(high, 10 * us); });
      CHECK(bench.run());
      CHECK(bench.order() == std::vector<std::uint64_t>{first, first + 2, first + 1});
      CHECK(bench.record(first + 2).finished_ps == 20 * us);
      CHECK(bench.record(first + 1).finished_ps == 30 * us);
    }
  }
}

TEST_CASE("preemption: a queue that is raised goes, with all its packets, before those queued among them",
          "[scheduler]") {
  // Four packets of 10 us in the hardware queue: r, which runs, x, y, x again; y came before x's second. At 5 x's
  // process becomes higher: x, x, y. With one more queue's z behind y: x, x, y, z.
  for (const bool more : {false, true}) {
    EngineConfig node = plain_node(5);
    node.copy_preemption.granularity = CopyPreemption::dma_buffer_boundary;
    Bench bench({node});
    const ProcessId raised = bench.process({"x"});
    const ContextId r = bench.context(0, 0, {}, 0, bench.process({"r"}));
    const ContextId x = bench.context(0, 0, {}, 0, raised);
    const ContextId y = bench.context(0, 0, {}, 0, bench.process({"y"}));
    const ContextId z = bench.context(0, 0, {}, 0, bench.process({"z"}));
    bench.execute(r, 10 * us);
    const std::uint64_t first = bench.execute(x, 10 * us);
    bench.at(1 * us, [&] { bench.execute(y, 10 * us); });
    if (more) bench.at(2 * us, [&] { bench.execute(z, 10 * us); });
    bench.at(3 * us, [&] { bench.execute(x, 10 * us); });
    bench.at(5 * us, [&] { bench.scheduler().set_priority(raised, ProcessPriority::high, 0); });
    CHECK(bench.run());
    const std::uint64_t second = first + (more ? 3 : 2);
    CHECK(bench.record(first).finished_ps == 20 * us);
    CHECK(bench.record(second).finished_ps == 30 * us);
    CHECK(bench.record(first + 1).finished_ps == 40 * us);
    if (more) CHECK(bench.record(first + 2).finished_ps == 50 * us);
  }
}
