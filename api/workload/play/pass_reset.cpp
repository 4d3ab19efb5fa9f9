// SPDX-License-Identifier: Apache-2.0
#include "api/workload/play/pass_reset.hpp"

#include "api/workload/program.hpp"
#include "scheduler/policies/priority.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <utility>

namespace fenceline {
namespace {

template <class Visit>
void for_each_cpu_step(const Program& program, const Visit& visit) {
  for (const Timeline& timeline : program.cpu_timelines) {
    for (const StepBlock& block : timeline.blocks) {
      for (const Step& step : block.steps) {
        if (block.count > step.from_iteration) visit(step, block.count - step.from_iteration);
      }
    }
  }
}

const ProcessConfig& config_of(const Program& program, const std::string& process) {
  static const ProcessConfig without_name{};
  const auto is_it = [&](const ProcessInfo& one) { return one.name == process; };
  const auto found = std::find_if(program.processes.begin(), program.processes.end(), is_it);
  return found == program.processes.end() ? without_name : *found;
}

void reset_queue(Machine& machine, const Program& program, const Step& step, ContextId queue) {
  const QueueConfig& config = program.queues[step.queue];
  std::optional<int> in_process;
  std::optional<std::uint32_t> level;
  if (step.in_process_priority) {
    in_process = config.in_process_priority.value_or(config.priority == QueuePriority::normal ? 0 : 1);
  }
  if (step.realtime_level) {
    level = config.realtime_level.value_or(config.priority == QueuePriority::global_realtime
                                               ? highest_realtime_level
                                               : config_of(program, config.process).realtime_level);
  }
  machine.set_priority(queue, in_process, level);
}

void reset_focus(Machine& machine, const Program& program) {
  for (const ProcessInfo& process : program.processes) {
    if (process.focus) machine.set_focus(process.name);
  }
}

/// What a pass has made resident more often than evicted, it will again; the other way round, too.
void reset_residency(Machine& machine, const Program& program) {
  std::map<std::pair<std::string, std::uint32_t>, std::int64_t> counts;
  for_each_cpu_step(program, [&](const Step& step, std::uint64_t times) {
    if (step.kind != Step::Kind::make_resident && step.kind != Step::Kind::evict) return;
    const auto by = static_cast<std::int64_t>(times) * (step.kind == Step::Kind::evict ? -1 : 1);
    for (const std::uint32_t allocation : step.allocations) counts[{process_of(program, step), allocation}] += by;
  });
  for (const auto& [of, count] : counts) {
    const std::vector<std::uint32_t> times(static_cast<std::size_t>(std::abs(count)), of.second);
    if (count > 0) machine.evict(of.first, times);
    if (count < 0) machine.make_resident(of.first, times, false, [] {});
  }
}

}  // namespace

void reset_pass(Machine& machine, const Program& program, const PlayedThings& things) {
  std::vector<std::string> processes;
  for (const QueueConfig& queue : program.queues) processes.push_back(queue.process);
  for (const auto& owners : things.owners) processes.insert(processes.end(), owners.begin(), owners.end());
  for (const std::string& process : processes) {
    if (machine.device_removed(process)) machine.create_device(process);
  }
  for (std::size_t i = 0; i < things.fences.size(); ++i) {
    if (program.frames_of[i]) continue;  // whoever plays it counts on
    const auto is_removed = [&](const std::string& process) { return machine.device_removed(process); };
    if (std::any_of(things.owners[i].begin(), things.owners[i].end(), is_removed)) continue;  // it has ended for good
    machine.restart_fence(things.fences[i], program.fences[i].initial_value);
  }
  for (const ContextId queue : things.queues) {
    while (!machine.open_events(queue).empty()) machine.mark(queue, {MarkerKind::end, "", 0, 0});
  }
  bool focus_moved = false;
  for_each_cpu_step(program, [&](const Step& step, std::uint64_t) {
    if (step.kind == Step::Kind::set_priority) reset_queue(machine, program, step, things.queues[step.queue]);
    if (step.kind == Step::Kind::set_process_priority) {
      const std::string& process = process_of(program, step);
      const ProcessConfig& config = config_of(program, process);
      machine.set_priority(process, config.priority, config.realtime_level);
    }
    if (step.kind == Step::Kind::set_residency_priority) {
      for (const std::uint32_t allocation : step.allocations) {
        machine.set_residency_priority({allocation}, program.memory.allocations[allocation].priority);
      }
    }
    if (step.kind == Step::Kind::set_video_memory_reservation) {
      machine.set_video_memory_reservation(process_of(program, step), 0);
    }
    focus_moved = focus_moved || step.kind == Step::Kind::focus;
  });
  if (focus_moved) reset_focus(machine, program);
  reset_residency(machine, program);
}

}  // namespace fenceline
