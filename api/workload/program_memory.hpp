// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/timeline/timeline.hpp"
#include "api/workload/workload.hpp"
#include "engines/command/command.hpp"
#include "scheduler/residency/allocation.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace fenceline {

/// What a program has in video memory (docs/residency.md, rules 1 and 2).
struct ProgramMemory {
  std::vector<AllocationConfig> allocations;             ///< by number: its resources in video memory, in order
  std::map<std::string, std::set<std::uint32_t>> known;  ///< by process: those that its queues' lists use
};

/// What the workload's timelines do with its lists.
struct TimelinesView {
  const std::vector<std::shared_ptr<const CommandStream>>& lists;  ///< by command list
  const std::vector<Timeline>& queues;                             ///< by queue
  const std::vector<Timeline>& cpus;                               ///< by CPU thread
};

/// ConfigError where a step names a resource that the device of its process does not know.
ProgramMemory memory_of(const Workload& workload, const TimelinesView& timelines, const std::string& file);

}  // namespace fenceline
