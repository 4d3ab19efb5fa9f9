// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/timeline/timeline.hpp"
#include "api/workload/created_pipelines.hpp"
#include "api/workload/deadline.hpp"
#include "api/workload/program_memory.hpp"
#include "api/workload/program_screen.hpp"
#include "api/workload/workload.hpp"
#include "engines/command/command.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

struct ProgramContents;

/// A workload whose names are resolved and whose command lists are recorded: ready to be played, many times.
struct Program {
  std::string name;
  std::vector<FenceInfo> fences;
  std::vector<std::optional<std::uint32_t>> frames_of;  ///< by fence: the swap chain whose frames it tells of
  std::vector<std::shared_ptr<const CommandStream>> lists;
  /// What folds away in pipeline states that say so, by name.
  std::map<std::string, FoldedParts> folded_compute;
  std::map<std::string, FoldedParts> folded_graphics;
  std::vector<ProcessInfo> processes;
  std::vector<CreatablePipeline> created;  ///< what CPU threads may create
  std::vector<QueueConfig> queues;
  std::vector<ProgramScreen> screens;     ///< by swap chain: queues' own ones, then the others
  std::vector<Timeline> queue_timelines;  ///< by queue
  std::vector<Timeline> cpu_timelines;
  std::vector<bool> captured;  ///< by CPU thread
  std::vector<Deadline> deadlines;
  ProgramMemory memory;
  std::shared_ptr<const ProgramContents> contents;  ///< what it does to bytes; null: it does not act on them
};

/// Resolves and records. Throws ConfigError with the file and the pointer of what is wrong: unknown or doubled names,
/// copies beyond their resources, lists on queues of another type, times beyond what can be simulated.
Program make_program(const Workload& workload, const std::string& file);
/// Whose device the step is about; empty: that of the process without a name.
const std::string& process_of(const Program& program, const Step& step);
/// Queue packets (lists, signals and waits of queues) that playing the program submits.
std::uint64_t packets_of(const Program& program);
/// What only a machine can refuse: queues without a node, groups that fit on no SM. Throws ConfigError.
void check_machine(const Program& program, const std::string& file, const MachineConfig& machine);

}  // namespace fenceline
