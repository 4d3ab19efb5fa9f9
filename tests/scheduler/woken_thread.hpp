// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/fences/fence_unit.hpp"
#include "tests/scheduler/bench.hpp"

#include <cstdint>
#include <vector>

namespace fenceline::testing {

/// From an interrupt until the deferred call has told CPU threads, where the scheduler is `interrupting()`.
constexpr std::uint64_t latency_us = 5;

/// A scheduler whose interrupts take time: 2 us to the service routine, the rest of `latency_us` to the deferred call.
inline SchedulerConfig interrupting() {
  SchedulerConfig config;
  config.isr_us = 2;
  config.dpc_us = latency_us - config.isr_us;
  return config;
}

/// A CPU thread that notes when fences that it waits for wake it.
struct WokenThread : FenceWaiter {
  explicit WokenThread(Bench& of) : bench(of) {}
  void fence_reached(std::uint64_t, Signaller) override { woken_ps.push_back(bench.now()); }
  Bench& bench;
  std::vector<std::uint64_t> woken_ps;
};

}  // namespace fenceline::testing
