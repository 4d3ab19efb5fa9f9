// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/machine_config.hpp"
#include "api/workload/knobs/run_uses.hpp"
#include "api/workload/workload.hpp"
#include "scheduler/policies/policy_traits.hpp"

#include <optional>

namespace fenceline {

/// What decides whether a parameter can matter. Without a workload, what is so in every run.
struct KnobFacts {
  const MachineConfig& machine;
  const Workload* workload = nullptr;
  std::optional<RunUses> uses = {};
  std::optional<WorkloadUses> names = {};

  const SchedulerConfig& scheduler() const { return machine.scheduler; }
  const PolicyTraits& policy() const { return traits_of(scheduler().policy); }
};

}  // namespace fenceline
