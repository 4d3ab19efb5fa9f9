// SPDX-License-Identifier: Apache-2.0
#include "scheduler/recovery/watchdog.hpp"

#include "scheduler/policies/policy.hpp"
#include "sim/duration.hpp"

#include <algorithm>

namespace fenceline {

TdrRules::TdrRules(const TdrConfig& config, const SchedulerConfig& scheduler)
    : level(level_of(config, scheduler.policy)),
      delay_ps(ps_of_us(traits_of(scheduler.policy).stop_timeout ? scheduler.preemption_timeout_us : config.delay_us)),
      too_long_ps(ps_of_us(config.too_long_us)),
      dependent_wait_ps(ps_of_us(config.dependent_wait_us)),
      engine_reset(config.engine_reset),
      engine_reset_ps(ps_of_us(config.engine_reset_us)),
      adapter_reset_ps(ps_of_us(config.adapter_reset_us)),
      threads_leave_ps(ps_of_us(config.threads_leave_us)),
      ddi_delay_ps(ps_of_us(config.ddi_delay_us)),
      limit_count(config.limit_count),
      limit_time_ps(ps_of_us(config.limit_time_us)),
      debug_mode(config.debug_mode),
      preemption_aware(scheduler.caps.preemption_aware),
      by_scheduler_timeout(traits_of(scheduler.policy).stop_timeout) {}

namespace {

/// Since when the packet may run without being asked to stop, or, where nobody asks, without a timeout.
std::uint64_t run_out_ps(const TdrRules& rules, const WatchedQueue& queue) {
  const std::uint64_t allowed_ps = rules.preemption_aware ? rules.too_long_ps : rules.delay_ps;
  const bool watched = queue.running_since_ps && !queue.exempt;
  if (!watched || (rules.preemption_aware && (queue.asked || allowed_ps == 0))) return WatchedQueue::never;
  return *queue.running_since_ps + allowed_ps;
}

}  // namespace

Watched watch(const TdrRules& rules, const WatchedQueue& queue, std::uint64_t now_ps) {
  if (rules.preemption_aware && queue.answer_due_ps <= now_ps) {
    return queue.exempt ? Watched::let_go : Watched::timeout;
  }
  if (run_out_ps(rules, queue) > now_ps) return Watched::nothing;
  return rules.preemption_aware ? Watched::too_long : Watched::timeout;
}

std::uint64_t watched_until(const TdrRules& rules, const WatchedQueue& queue) {
  const std::uint64_t answer_ps = rules.preemption_aware ? queue.answer_due_ps : WatchedQueue::never;
  return std::min(answer_ps, run_out_ps(rules, queue));
}

bool beyond_limit(const std::vector<std::uint64_t>& earlier_ps, std::uint64_t now_ps, std::uint64_t count,
                  std::uint64_t window_ps) {
  const auto recent = std::count_if(earlier_ps.begin(), earlier_ps.end(),
                                    [&](std::uint64_t at_ps) { return now_ps - at_ps < window_ps; });
  return static_cast<std::uint64_t>(recent) >= count;
}

}  // namespace fenceline
