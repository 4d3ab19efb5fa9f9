// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/workload/workload.hpp"
#include "engines/command/command.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fenceline {

/// One step of a timeline with its names resolved.
struct Step {
  enum class Kind : std::uint8_t {
    execute,
    queue_signal,
    queue_wait,
    present,
    fence_signal,
    fence_wait,
    work,
    sleep_until,
    focus,
    set_priority,
    set_process_priority
  };
  static constexpr std::uint32_t no_process = ~std::uint32_t{0};
  Kind kind = Kind::execute;
  std::uint32_t queue = 0;
  std::uint32_t fence = 0;
  std::uint32_t interval = 0;          ///< present: vertical blanks
  std::uint32_t process = no_process;  ///< focus, set_process_priority: no_process is the one without a name
  ProcessPriority priority = ProcessPriority::normal;  ///< set_process_priority
  std::optional<int> in_process_priority;              ///< set_priority
  std::optional<std::uint32_t> realtime_level;         ///< both
  std::uint64_t value = 0;
  std::uint64_t value_step = 0;
  std::uint64_t from_iteration = 0;
  std::uint64_t work_ps = 0;
  std::uint64_t until_ps = 0;  ///< since the start
  std::uint64_t until_step_ps = 0;
  std::vector<std::uint32_t> lists;
};

/// Steps that are gone through `count` times.
struct StepBlock {
  std::uint64_t count = 1;
  bool repeat = false;  ///< it was a `repeat` step, not a step by itself
  std::vector<Step> steps;
};

/// What one queue or CPU thread does.
struct Timeline {
  std::string owner;    ///< `queue "copy"`
  std::string pointer;  ///< `/queues/0/timeline`
  std::vector<StepBlock> blocks;
};

/// Goes through a timeline step by step, repeats unrolled on the way.
class TimelineCursor {
 public:
  explicit TimelineCursor(const Timeline& timeline) : timeline_(&timeline) { settle(); }
  bool at_end() const { return block_ == timeline_->blocks.size(); }
  const Step& step() const { return timeline_->blocks[block_].steps[step_]; }
  /// The fence value of this step in this iteration.
  std::uint64_t value() const { return step().value + step().value_step * (iteration_ - step().from_iteration); }
  /// When a sleep ends, in this iteration.
  std::uint64_t until_ps() const {
    return step().until_ps + step().until_step_ps * (iteration_ - step().from_iteration);
  }
  void next();
  /// Where the step stands in the workload's file.
  std::string pointer() const;
  const Timeline& timeline() const { return *timeline_; }

 private:
  void settle();
  const Timeline* timeline_;
  std::size_t block_ = 0;
  std::uint64_t iteration_ = 0;
  std::size_t step_ = 0;
};

/// A fence is to reach `value + i * value_step` not later than `due_ps + i * due_step_ps`, for each i below `count`.
struct Deadline {
  std::string name;
  std::uint32_t fence = 0;
  std::uint64_t value = 0;
  std::uint64_t value_step = 0;
  std::uint64_t count = 1;
  std::uint64_t due_ps = 0;  ///< since the start
  std::uint64_t due_step_ps = 0;
};

/// From here on the timeline signals the fence to at least this value.
bool signals_later(TimelineCursor cursor, std::uint32_t fence, std::uint64_t value);

/// A workload whose names are resolved and whose command lists are recorded: ready to be played, many times.
struct Program {
  std::string name;
  std::vector<FenceInfo> fences;
  std::vector<std::shared_ptr<const CommandStream>> lists;
  std::vector<ProcessConfig> processes;
  std::vector<QueueConfig> queues;
  std::vector<Timeline> queue_timelines;  ///< by queue
  std::vector<Timeline> cpu_timelines;
  std::vector<Deadline> deadlines;
};

/// Steps that the timelines of one program may have, repeats unrolled.
constexpr std::uint64_t max_program_steps = 10'000'000;

/// Resolves and records. Throws ConfigError with the file and the pointer of what is wrong: unknown or doubled names,
/// copies beyond their resources, lists on queues of another type, times beyond what can be simulated.
Program make_program(const Workload& workload, const std::string& file);
/// Queue packets (lists, signals and waits of queues) that playing the program submits.
std::uint64_t packets_of(const Program& program);
/// What only a machine can refuse: queues without a node, groups that fit on no SM. Throws ConfigError.
void check_machine(const Program& program, const std::string& file, const MachineConfig& machine);

}  // namespace fenceline
