// SPDX-License-Identifier: Apache-2.0
#include "scheduler/checker/scheduling_rules.hpp"

#include "scheduler/config/scheduler_config.hpp"
#include "scheduler/policies/candidate.hpp"

#include <cstddef>

namespace fenceline {

SchedulingRules rules_of(const SchedulerConfig& config) {
  SchedulingRules rules;
  rules.policy = &traits_of(config.policy);
  for (std::size_t i = 0; i < priority_bands; ++i) {
    const Allowance allowance = allowance_of(config, static_cast<PriorityBand>(i));
    rules.process_quantum_ps[i] = allowance.process_quantum_ps;
    rules.process_grace_ps[i] = allowance.process_grace_ps;
  }
  rules.floor = rules.policy->bands ? config.target_normal_band_percentage / 100 : 0;
  rules.preempts = config.enable_preemption && config.caps.preemption_aware;
  rules.has_contexts = config.caps.multi_engine_aware;
  rules.back_to_back = !config.caps.preemption_aware;
  return rules;
}

}  // namespace fenceline
