// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/config/scheduler_config.hpp"
#include "scheduler/recovery/tdr_config.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace fenceline {

/// TdrConfig in picoseconds, as it counts with a scheduler: what times out, and when.
struct TdrRules {
  TdrRules(const TdrConfig& config, const SchedulerConfig& scheduler);

  bool watches() const { return level != TdrLevel::off; }
  /// CPU threads do not leave the driver in time for a reset of the adapter.
  bool stays_in_driver() const { return threads_leave_ps > ddi_delay_ps; }

  TdrLevel level;
  std::uint64_t delay_ps;
  std::uint64_t too_long_ps;  ///< 0: never
  std::uint64_t dependent_wait_ps;
  EngineResets engine_reset;
  std::uint64_t engine_reset_ps;
  std::uint64_t adapter_reset_ps;  ///< from when CPU threads have left the driver
  std::uint64_t threads_leave_ps;  ///< which they need so long for
  std::uint64_t ddi_delay_ps;      ///< and may need so long for
  std::uint32_t limit_count;
  std::uint64_t limit_time_ps;
  TdrDebugMode debug_mode;
  bool preemption_aware;      ///< else no request is needed
  bool by_scheduler_timeout;  ///< the policy has a timeout of its own
};

/// What the watchdog sees of a hardware queue.
struct WatchedQueue {
  static constexpr std::uint64_t never = ~std::uint64_t{0};
  std::optional<std::uint64_t> running_since_ps;  ///< the packet that runs; unset: none does, or a wait
  std::uint64_t answer_due_ps = never;            ///< of the request under way; never: it is not looked at
  bool asked = false;                             ///< a request is under way
  bool exempt = false;                            ///< the packet that runs is of a queue with disable_gpu_timeout
};

enum class Watched : std::uint8_t {
  nothing,   ///< there is nothing to do
  too_long,  ///< the packet has run too long: it is asked to stop
  timeout,   ///< it has not stopped in time
  let_go,    ///< the request is looked at no more
};

/// What is to be done now.
Watched watch(const TdrRules& rules, const WatchedQueue& queue, std::uint64_t now_ps);
/// When that may change without news; never: not.
std::uint64_t watched_until(const TdrRules& rules, const WatchedQueue& queue);

/// One at `now_ps` is more than `count` in less than `window_ps`; the earlier ones are in order.
bool beyond_limit(const std::vector<std::uint64_t>& earlier_ps, std::uint64_t now_ps, std::uint64_t count,
                  std::uint64_t window_ps);

}  // namespace fenceline
