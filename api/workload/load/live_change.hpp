// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/machine_config.hpp"
#include "api/queue_rules.hpp"
#include "scheduler/config/context_config.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace fenceline {

struct Workload;

/// What of a machine and its workload is to count from some moment of a run on.
struct LiveChange {
  MachineConfig machine;                           ///< the one it runs on, with what is live changed
  std::map<std::size_t, QueueConfig> queues;       ///< those that change, by their place in the workload
  std::map<std::size_t, ProcessConfig> processes;  ///< the same
};

/// The `/pointer=value` texts applied, as `--set` takes them. Throws ConfigError, with file `--set`, also where one of
/// them changes what is not live, or asks what the machine cannot give a queue.
LiveChange live_change(const Workload& workload, const MachineConfig& machine, const std::vector<std::string>& sets);

}  // namespace fenceline
