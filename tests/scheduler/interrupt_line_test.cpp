// SPDX-License-Identifier: Apache-2.0
// Interrupts on their way: when they are handled, and in which order.
#include "scheduler/state/interrupt_line.hpp"

#include "sim/kernel/kernel.hpp"
#include "sim/kernel/now.hpp"
#include "tests/support/script.hpp"
#include "tests/support/units.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <functional>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

EngineReport of(std::uint32_t node, std::uint64_t fence_id, bool preempted = false) {
  EngineReport report;
  report.node = node;
  report.fence_id = fence_id;
  report.preempted = preempted;
  return report;
}

SchedulerConfig latencies(double isr_us, double dpc_us) {
  SchedulerConfig config;
  config.isr_us = isr_us;
  config.dpc_us = dpc_us;
  return config;
}

/// A kernel in which things happen at given times.
void play(const std::vector<std::pair<std::uint64_t, std::function<void()>>>& steps) {
  KernelOf<Script> kernel;
  kernel.enter([&](Script& script) {
    for (const auto& [at_ps, step] : steps) script.at(at_ps, step);
  });
  kernel.kernel.run_to_end();
}

}  // namespace

TEST_CASE("interrupt line: each is handled after service routine and deferred call, those of a node in their order",
          "[scheduler]") {
  InterruptLine line(latencies(2, 3), 2);
  std::vector<std::uint64_t> due_ps;
  std::vector<std::vector<std::uint64_t>> handled;
  const auto take = [&] {
    handled.emplace_back();
    for (const EngineReport& report : line.take_due()) handled.back().push_back(report.fence_id);
  };
  play({{10 * us,
         [&] {
           due_ps = {line.raise(of(1, 7)), line.raise(of(0, 9)), line.raise(of(0, 8))};
         }},
        {15 * us - 1, take},
        {15 * us, take},
        {16 * us, take}});
  CHECK(due_ps == std::vector<std::uint64_t>(3, 15 * us));
  // Of one moment by node, then by packet.
  CHECK(handled == std::vector<std::vector<std::uint64_t>>{{}, {8, 9, 7}, {}});
}

TEST_CASE("interrupt line: hardware that schedules learns at once, of fences still as late", "[scheduler]") {
  SchedulerConfig config = latencies(2, 3);
  config.hardware_scheduling = true;
  InterruptLine line(config, 1);
  play({{us, [&] {
           CHECK(line.raise(of(0, 1)) == us);
           CHECK(line.take_due().size() == 1);
           CHECK(line.next_latency_ps() == 5 * us);
         }}});
}

TEST_CASE("interrupt line: with jitter an interrupt never overtakes an earlier one of its node", "[scheduler]") {
  SchedulerConfig config = latencies(1, 1);
  config.interrupt_jitter_us = 20;
  InterruptLine line(config, 1);
  std::uint64_t last_ps = 0;
  bool late = false;
  std::vector<std::pair<std::uint64_t, std::function<void()>>> steps;
  for (std::uint64_t i = 1; i <= 200; ++i) {
    steps.emplace_back(i * us, [&, i] {
      const std::uint64_t due_ps = line.raise(of(0, i));
      CHECK(due_ps >= last_ps);
      CHECK(due_ps >= i * us + 2 * us);
      late = late || due_ps > i * us + 2 * us;
      last_ps = due_ps;
    });
  }
  play(steps);
  CHECK(late);
}

TEST_CASE("interrupt line: what ends is fresh once, what comes back never, and what has been handled neither",
          "[scheduler]") {
  InterruptLine line(latencies(2, 3), 2);
  const auto fresh = [&] {
    std::vector<std::uint64_t> ids;
    for (const EngineReport* report : line.take_fresh()) ids.push_back(report->fence_id);
    return ids;
  };
  play({{us,
         [&] {
           line.raise(of(1, 5));
           line.raise(of(0, 4));
           line.raise(of(0, 6, true));
           CHECK(fresh() == std::vector<std::uint64_t>{4, 5});
           CHECK(fresh().empty());
           line.raise(of(0, 7));
           CHECK(fresh() == std::vector<std::uint64_t>{7});
         }},
        {6 * us, [&] {
           CHECK(line.take_due().size() == 4);
           CHECK(fresh().empty());
         }}});
}
