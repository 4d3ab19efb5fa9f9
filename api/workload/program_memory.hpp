// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/workload/workload.hpp"
#include "scheduler/residency/allocation_config.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace fenceline {

struct Program;

/// What a program has in video memory (docs/residency.md, rules 1 and 2).
struct ProgramMemory {
  std::vector<AllocationConfig> allocations;             ///< by number: its resources in video memory, in order
  std::map<std::string, std::set<std::uint32_t>> known;  ///< by process: those that its queues' lists use
};

/// Of a program whose timelines and lists are there. ConfigError where a step names a resource that the device of its
/// process does not know.
ProgramMemory memory_of(const Workload& workload, const Program& program, const std::string& file);

}  // namespace fenceline
