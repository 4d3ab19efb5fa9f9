// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/machine_config.hpp"
#include "api/workload/run_uses.hpp"
#include "api/workload/workload.hpp"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

/// What decides whether a parameter can matter. Without a workload, what is so in every run.
struct KnobFacts {
  const MachineConfig& machine;
  const Workload* workload = nullptr;
  std::optional<RunUses> uses = {};
  std::optional<WorkloadUses> names = {};

  const SchedulerConfig& scheduler() const { return machine.scheduler; }
  bool policy(std::initializer_list<SchedulingPolicy> some) const {
    return std::find(some.begin(), some.end(), scheduler().policy) != some.end();
  }
};

/// Why a parameter cannot matter.
struct KnobSilence {
  const char* reason = nullptr;  ///< null: it can matter
  std::size_t tokens = 0;  ///< of the pointer: those of the element of a list that the reason speaks of; 0: of none
};

/// Of the parameter with such tokens of its pointer, as `--set` addresses it; at least one.
KnobSilence silence_of(const KnobFacts& facts, const std::vector<std::string>& at);

}  // namespace fenceline
