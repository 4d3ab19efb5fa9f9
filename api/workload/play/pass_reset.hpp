// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/machine.hpp"

#include <string>
#include <vector>

namespace fenceline {

struct Program;

/// A program's things on a machine.
struct PlayedThings {
  const std::vector<FenceId>& fences;                   ///< by fence of the program
  const std::vector<ContextId>& queues;                 ///< by queue of the program
  const std::vector<std::vector<std::string>>& owners;  ///< processes whose device's it is, by fence of the program
};

/// Before a program is played on the machine again: what it has changed is as the workload has it, and what the machine
/// keeps, in caches and in memory, stays (docs/replay.md, rule 21). Nothing of the program is under way.
void reset_pass(Machine& machine, const Program& program, const PlayedThings& things);

}  // namespace fenceline
