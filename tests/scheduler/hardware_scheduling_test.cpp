// SPDX-License-Identifier: Apache-2.0
// Hardware scheduling: no interrupts between one context and the next; and suspended contexts.
#include "tests/scheduler/bench.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <vector>

using namespace fenceline;
using fenceline::testing::Bench;
using fenceline::testing::plain_node;

namespace {

constexpr std::uint64_t us = 1'000'000;  // picoseconds
constexpr std::uint64_t latency_us = 5;

SchedulerConfig with(bool hardware_scheduling) {
  SchedulerConfig config;
  config.hardware_scheduling = hardware_scheduling;
  config.isr_us = 2;
  config.dpc_us = latency_us - config.isr_us;
  return config;
}

EngineConfig stops_inside(std::uint32_t depth = 2) {
  EngineConfig config = plain_node(depth);
  config.copy_preemption.granularity = CopyPreemption::transfer_boundary;
  return config;
}

struct Thread : FenceWaiter {
  explicit Thread(Bench& of) : bench(of) {}
  void fence_reached(std::uint64_t, Signaller) override { woken_ps = bench.now(); }
  Bench& bench;
  std::uint64_t woken_ps = 0;
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
    Thread thread(bench);
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
    CHECK(thread.woken_ps == (10 + latency_us) * us);
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
  CHECK(bench.record(signal).completed_ps == (360 + switch_us) * us);
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
