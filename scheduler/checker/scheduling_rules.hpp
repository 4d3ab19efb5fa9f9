// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/policies/policy.hpp"
#include "scheduler/policies/priority.hpp"

#include <array>
#include <cstdint>

namespace fenceline {

struct SchedulerConfig;

/// What the rules of docs/scheduling.md need to know of a machine's scheduler.
struct SchedulingRules {
  const PolicyTraits* policy = &wddm_policy;
  std::array<std::uint64_t, priority_bands> process_quantum_ps{};
  std::array<std::uint64_t, priority_bands> process_grace_ps{};
  double floor = 0;           ///< share of the normal band, 0 to 1
  bool preempts = true;       ///< running packets may be stopped, queued ones withheld
  bool back_to_back = false;  ///< pieces of a list that is split: the Windows 7 model
  bool has_contexts = true;   ///< false: all queues of a process on a node are one
};
SchedulingRules rules_of(const SchedulerConfig& config);

}  // namespace fenceline
