// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/workload/workload.hpp"

#include <set>
#include <string>

namespace fenceline {

/// What the steps and deadlines of a workload need, and what that needs in turn.
struct NeededNames {
  explicit NeededNames(const Workload& workload);
  std::set<std::string> queues;
  std::set<std::string> swap_chains;  ///< besides queues' own
  std::set<std::string> lists;        ///< bundles, too
  std::set<std::string> pipelines;
  std::set<std::string> resources;
  std::set<std::string> fences;
  std::set<std::string> processes;
};

/// Takes out of the workload what it does not need, and CPU threads without steps.
void drop_unneeded(Workload& workload);

}  // namespace fenceline
