// SPDX-License-Identifier: Apache-2.0
// Hardware scheduling: no interrupts between one context and the next; and suspended contexts.
#include "tests/scheduler/woken_thread.hpp"
#include "tests/support/units.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

SchedulerConfig with(bool hardware_scheduling) {
  SchedulerConfig config = interrupting();
  config.hardware_scheduling = hardware_scheduling;
  return config;
}

EngineConfig stops_inside(std::uint32_t depth = 2) {
  EngineConfig config = plain_node(depth);
  config.copy_preemption.granularity = CopyPreemption::transfer_boundary;
  return config;
}

/// What the log says of contexts and their lists.
struct States final : LogSink {
  explicit States(Bench& of) : bench(of) { bench.log().attach(*this, EventLog::Detail::packets); }
  ~States() override { bench.log().detach(*this); }
  void instant(const EventLog& log, const Instant& instant) override {
    lines.push_back(fmt::format("{} {} {}", instant.at_ps / us, log.text(instant.track), log.text(instant.name)));
  }
  void interrupt(const EventLog& log, const InterruptRecord& record) override {
    if (record.context == LogName{}) return;
    CHECK(record.dpc_ps == record.at_ps + latency_us * us);
    lines.push_back(
        fmt::format("{} {} {} {}", record.at_ps / us, name_of(record.type), record.fence_id, log.text(record.context)));
  }
  Bench& bench;
  std::vector<std::string> lines;
};

}  // namespace

TEST_CASE("hardware scheduling: a high packet need not wait for the interrupt of the one that gives way",
          "[scheduler]") {
  for (const bool hardware : {false, true}) {
    Bench bench({stops_inside()}, with(hardware));
    const ContextId low = bench.context(0);
    const ContextId high = bench.context(0, 100);
    const std::uint64_t work = bench.execute(low, 100 * us);
    std::uint64_t urgent = 0;
    bench.at(40 * us, [&] { urgent = bench.execute(high, 10 * us); });
    CHECK(bench.run());
    const std::uint64_t switch_us = hardware ? 0 : latency_us;
    CHECK(bench.record(urgent).started_ps == (40 + switch_us) * us);
    CHECK(bench.record(work).preemptions == 1);
    CHECK(bench.record(urgent).completed_ps == bench.record(urgent).finished_ps + switch_us * us);
  }
}

TEST_CASE("hardware scheduling: queues go on with the fence, CPU threads after its interrupt", "[scheduler]") {
  for (const bool hardware : {false, true}) {
    Bench bench({plain_node(), plain_node()}, with(hardware));
    WokenThread thread(bench);
    const ContextId first = bench.context(0);
    const ContextId second = bench.context(1);
    const FenceId fence = bench.fence();
    bench.fences().cpu_wait(fence, 1, thread, 0);
    bench.execute(first, 10 * us);
    bench.signal(first, fence, 1);
    bench.wait(second, fence, 1);
    const std::uint64_t after = bench.execute(second, 10 * us);
    CHECK(bench.run());
    CHECK(bench.record(after).started_ps == (10 + (hardware ? 0 : latency_us)) * us);
    CHECK(thread.woken_ps == std::vector<std::uint64_t>{(10 + latency_us) * us});
  }
}

TEST_CASE("hardware scheduling: the second context runs while the first is idle or blocked, and not beside it",
          "[scheduler]") {
  Bench bench({stops_inside()}, with(true));
  const ContextId first = bench.context(0, 100);
  const ContextId second = bench.context(0);
  const FenceId fence = bench.fence();
  const std::uint64_t before = bench.execute(first, 10 * us);
  bench.wait(first, fence, 1);
  const std::uint64_t behind = bench.execute(first, 10 * us);
  const std::uint64_t filler = bench.execute(second, 100 * us);
  bench.at(50 * us, [&] { bench.cpu_signal(fence, 1); });
  CHECK(bench.run());
  CHECK(bench.record(before).finished_ps == 10 * us);
  CHECK(bench.record(filler).started_ps == 10 * us);
  CHECK(bench.record(behind).started_ps == 50 * us);
  CHECK(bench.record(filler).finished_ps == 120 * us);
}

TEST_CASE("suspend: a context stops at once, runs nothing, and goes on where it was when it is resumed",
          "[scheduler]") {
  const bool hardware = GENERATE(false, true);
  SchedulerConfig config = with(hardware);
  config.bands.normal.grace_us = 1000;  // none for a suspension
  Bench bench({stops_inside()}, config);
  const ContextId context = bench.context(0);
  const ContextId other = bench.context(0);
  const FenceId fence = bench.fence();
  const std::uint64_t work = bench.execute(context, 100 * us);
  const std::uint64_t signal = bench.signal(context, fence, 1);
  const std::uint64_t beside = bench.execute(other, 10 * us);
  const std::uint64_t switch_us = hardware ? 0 : latency_us;
  bench.at(40 * us, [&] {
    CHECK_FALSE(bench.scheduler().suspend(context));
    CHECK_FALSE(bench.scheduler().suspended(context));
    CHECK_FALSE(bench.scheduler().suspend(context));  // again, while it is under way
  });
  bench.at((40 + latency_us + 1) * us, [&] { CHECK(bench.scheduler().suspended(context)); });
  bench.at(300 * us, [&] {
    CHECK(bench.scheduler().suspend(context));  // it is
    CHECK(bench.fences().value(fence) == 0);
    bench.scheduler().resume(context);
    CHECK_FALSE(bench.scheduler().suspended(context));
  });
  CHECK(bench.run());
  CHECK(bench.record(beside).started_ps == (40 + switch_us) * us);
  CHECK(bench.record(work).finished_ps == 360 * us);
  CHECK(bench.record(work).preempted_ps == 260 * us);
  CHECK(bench.record(signal).completed_ps == 360 * us);  // the GPU writes it, whenever the CPU learns of it
}

TEST_CASE("suspend: what cannot be stopped ends first, and idle contexts take packets but run none", "[scheduler]") {
  Bench bench({plain_node(1)}, with(true));
  const ContextId context = bench.context(0);
  const std::uint64_t work = bench.execute(context, 10 * us);
  std::uint64_t later = 0;
  bench.at(5 * us, [&] { CHECK_FALSE(bench.scheduler().suspend(context)); });
  bench.at(20 * us, [&] {
    CHECK(bench.scheduler().suspended(context));
    later = bench.execute(context, 10 * us);
  });
  bench.at(50 * us, [&] { bench.scheduler().resume(context); });
  CHECK(bench.run());
  CHECK(bench.record(work).finished_ps == 10 * us);
  CHECK(bench.record(later).started_ps == 50 * us);
}

TEST_CASE("suspend: a context that waits for its turn to go on has lost it, whatever else happens meanwhile",
          "[scheduler]") {
  // Turns of 10 us. The first (100 us) runs for 6 and a realtime packet for 44; the second (5 us) comes at 7. The first
  // is suspended from 20 to 30 and wants nothing meanwhile: its turn ends, and it comes behind the second: 50 to 55,
  // then 94 us more. As it was: its turn went on unless something had the scheduler decide in between.
  const bool of_processes = GENERATE(false, true);
  const bool xe = GENERATE(false, true);
  const bool decides_between = GENERATE(false, true);
  SchedulerConfig config;
  config.policy = xe ? SchedulingPolicy::xe : SchedulingPolicy::wddm;
  config.time_slice_us = config.bands.normal.quantum_us = config.bands.normal.process_quantum_us = 10;
  Bench bench({stops_inside(1)}, config);
  const ContextId first = bench.context(0);
  const ContextId second = bench.context(0, 0, {}, 0, of_processes ? bench.process({"other"}) : ProcessId{});
  const ContextId realtime = bench.context(0, 10000, {}, 0, bench.process({"urgent"}));
  const std::uint64_t work = bench.execute(first, 100 * us);
  std::uint64_t beside = 0;
  bench.at(6 * us, [&] { bench.execute(realtime, 44 * us); });
  bench.at(7 * us, [&] { beside = bench.execute(second, 5 * us); });
  bench.at(20 * us, [&] { CHECK(bench.scheduler().suspend(first)); });
  if (decides_between) bench.at(25 * us, [&] { bench.execute(realtime, 0); });
  bench.at(30 * us, [&] { bench.scheduler().resume(first); });
  CHECK(bench.run());
  CHECK(bench.record(beside).started_ps == 50 * us);
  CHECK(bench.record(work).finished_ps == 149 * us);
}

TEST_CASE("hardware scheduling: what each context does and each switch of the context list is told", "[scheduler]") {
  Bench bench({stops_inside()}, with(true));
  const ContextId low = bench.context(0);
  const ContextId high = bench.context(0, 100);
  const ContextId third = bench.context(0);
  States states(bench);
  bench.execute(low, 100 * us);
  bench.at(10 * us, [&] { bench.execute(third, 10 * us); });
  bench.at(40 * us, [&] { bench.execute(high, 10 * us); });
  CHECK(bench.run());
  const std::string queue = "adapter.scheduler.queue";
  const std::string switched = "hwcontextlist_switch_completed ";
  CHECK(states.lines ==
        std::vector<std::string>{
            "0 " + switched + "1 " + queue + "0", "0 " + queue + "0 running", "10 " + queue + "2 ready_standby",
            "40 " + queue + "1 ready", "40 " + switched + "2 " + queue + "1", "40 " + queue + "0 ready_standby",
            "40 " + queue + "1 running", "40 " + queue + "2 ready", "50 " + switched + "3 " + queue + "0",
            "50 " + queue + "0 running", "50 " + queue + "1 idle", "50 " + queue + "2 ready_standby",
            "110 " + switched + "4 " + queue + "2", "110 " + queue + "0 idle", "110 " + queue + "2 running",
            "120 " + queue + "2 idle"});
}

TEST_CASE("suspend: its end is an interrupt where it was pending, and a run may rest with a suspended context",
          "[scheduler]") {
  const bool hardware = GENERATE(false, true);
  Bench bench({stops_inside()}, with(hardware));
  const ContextId context = bench.context(0);
  const ContextId idle = bench.context(0);
  States states(bench);
  bench.execute(context, 100 * us);
  bench.at(40 * us, [&] {
    CHECK_FALSE(bench.scheduler().suspend(context));
    CHECK(bench.scheduler().suspend(idle));
  });
  CHECK_FALSE(bench.run());
  const auto said = [&](const std::string& line) {
    return std::find(states.lines.begin(), states.lines.end(), line) != states.lines.end();
  };
  const std::string stopped_at = std::to_string(40 + (hardware ? 0 : latency_us));
  CHECK(said("40 adapter.scheduler.queue1 suspended"));
  CHECK(said(stopped_at + " adapter.scheduler.queue0 suspended"));
  CHECK(said("40 suspend_context_completed 2 adapter.scheduler.queue0") == hardware);
  CHECK(bench.scheduler().held() == std::vector<ContextId>{context});
  bench.kernel().enter([&] { bench.scheduler().resume(context); });
  CHECK(bench.run());
  CHECK(bench.scheduler().held().empty());
}
