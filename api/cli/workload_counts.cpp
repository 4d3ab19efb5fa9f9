// SPDX-License-Identifier: Apache-2.0
#include "api/cli/workload_counts.hpp"

#include <limits>
#include <type_traits>
#include <variant>

namespace fenceline::cli {
namespace {

void add_to(std::uint64_t& sum, std::uint64_t more) {
  if (__builtin_add_overflow(sum, more, &sum)) sum = std::numeric_limits<std::uint64_t>::max();
}

/// Counts a step that `iterations` of a repeat go through, or one that stands alone.
struct StepCounter {
  WorkloadCounts& counts;
  std::uint64_t iterations = 1;

  template <class One>
  void operator()(const One& step) const {
    ++counts.steps;
    if constexpr (std::is_same_v<One, CpuWrite>) ++counts.writes;
    if constexpr (std::is_base_of_v<MarkerText, One>) {
      if (step.from_iteration < iterations) add_to(counts.markers, iterations - step.from_iteration);
    }
    if constexpr (std::is_same_v<One, QueueRepeat> || std::is_same_v<One, CpuRepeat>) {
      for (const auto& inner : step.steps) std::visit(StepCounter{counts, step.count}, inner);
    } else if constexpr (std::is_base_of_v<PresentStep, One> || std::is_base_of_v<ExecuteStep, One>) {
      std::uint64_t& count = std::is_base_of_v<PresentStep, One> ? counts.frames : counts.submits;
      if (step.from_iteration < iterations) add_to(count, iterations - step.from_iteration);
    }
  }
};

/// Counts a command that is recorded so many times; markers are none.
struct CommandCounter {
  WorkloadCounts& counts;
  std::uint64_t times = 1;

  template <class One>
  void operator()(const One& command) const {
    if constexpr (std::is_same_v<One, RepeatCommand>) {
      for (const SimpleCommandInfo& inner : command.commands) std::visit(CommandCounter{counts, command.count}, inner);
    } else if constexpr (std::is_base_of_v<MarkerText, One>) {
      add_to(counts.markers, times);
    } else if constexpr (!std::is_same_v<One, EndEventCommand>) {
      add_to(counts.commands, times);
    }
  }
};

}  // namespace

WorkloadCounts counts_of(const Workload& workload) {
  WorkloadCounts counts;
  counts.queues = workload.queues.size();
  counts.cpus = workload.cpus.size();
  counts.resources = workload.resources.size();
  for (const Resource& resource : workload.resources) {
    counts.contents += has_content(resource) ? 1 : 0;
  }
  counts.pipelines = workload.compute_pipelines.size() + workload.graphics_pipelines.size();
  counts.fences = workload.fences.size();
  counts.lists = workload.command_lists.size();
  for (const CommandListInfo& list : workload.command_lists) {
    for (const CommandInfo& command : list.commands) std::visit(CommandCounter{counts}, command);
  }
  for (const QueueInfo& queue : workload.queues) {
    for (const QueueStep& step : queue.timeline) std::visit(StepCounter{counts}, step);
  }
  for (const CpuInfo& cpu : workload.cpus) {
    for (const CpuStep& step : cpu.timeline) std::visit(StepCounter{counts}, step);
  }
  return counts;
}

}  // namespace fenceline::cli
