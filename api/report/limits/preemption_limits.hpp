// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/machine_config.hpp"
#include "api/queue_rules.hpp"
#include "api/report/run/run_preemption.hpp"
#include "api/workload/workload.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace fenceline {

/// What a workload has that may be stopped.
struct StoppableWork {
  bool draws = false;
  bool dispatches = false;
  std::set<std::string> paths;                  ///< by which its queues submit
  std::map<std::string, QueueConfig> queues{};  ///< its queues, by name
};
StoppableWork stoppable_work(const Workload& workload, const MachineConfig& machine);

/// What binds the stops of a node: the parameter that somebody who wants them shorter would turn next.
struct PreemptionLimit {
  std::string node;  ///< its name in the machine, "3d0"
  std::string text;  ///< one line; parameters by their pointers
};

/// Of the nodes of a run that were to be stopped: where most of the time went - before a request a turn or grace of
/// what ran, or the floor of the normal band, from the request to the free engine what could not be stopped, the save,
/// a restore that was under way - and what decides how long that takes; or that stops cost nothing. Waits for what is
/// of a higher rank are no part of it, and are told beside it where they are more. Of nodes that were never asked to
/// stop anything: that nothing could be stopped, that what waited was of a lower rank, what changes between contexts
/// cost. A node of which nothing can be said has no line.
std::vector<PreemptionLimit> preemption_limits(const MachineConfig& machine, const StoppableWork& work,
                                               const RunPreemption& preemption);

}  // namespace fenceline
