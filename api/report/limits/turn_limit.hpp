// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/machine_config.hpp"
#include "api/queue_rules.hpp"
#include "api/report/preemption_stats.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace fenceline {

/// The parameter of turns, graces and the floor of the normal band for which the packets of a node waited longest.
struct TurnLimit {
  const char* what = "";        ///< "quantum", "grace" or "floor of the normal band"
  std::string pointer;          ///< of the parameter: a queue's own, else its band's
  double value = 0;             ///< what it says: microseconds, of the floor per cent
  std::uint64_t waited_ps = 0;  ///< for it, of all requests; 0: for none
};

/// `queues`: those of the workload by their names, for what they say of themselves.
TurnLimit turn_limit(const SchedulerConfig& scheduler, const std::map<std::string, QueueConfig>& queues,
                     const std::vector<TurnTime>& turns);

/// How long they waited for what was of a higher rank, of all requests.
std::uint64_t rank_wait_ps(const std::vector<TurnTime>& turns);

}  // namespace fenceline
