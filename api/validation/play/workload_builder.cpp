// SPDX-License-Identifier: Apache-2.0
#include "api/validation/play/workload_builder.hpp"

#include <fmt/format.h>

#include <utility>

namespace fenceline {

const char* name_of(CopyDirection direction) {
  return enum_names(direction)[static_cast<std::size_t>(direction)].second;
}

std::size_t WorkloadBuilder::queue(const std::string& name, QueueType type, const char* path, QueuePriority priority) {
  QueueInfo info;
  info.name = name;
  info.type = type;
  info.path = path;
  info.priority = priority;
  workload_.queues.push_back(std::move(info));
  return workload_.queues.size() - 1;
}

const std::string& WorkloadBuilder::pipeline(const ComputePipeline& pipeline) {
  if (compute_pipelines_.insert(pipeline.name).second) workload_.compute_pipelines.push_back(pipeline);
  return pipeline.name;
}

const std::string& WorkloadBuilder::pipeline(const GraphicsPipeline& pipeline) {
  if (graphics_pipelines_.insert(pipeline.name).second) workload_.graphics_pipelines.push_back(pipeline);
  return pipeline.name;
}

CommandInfo WorkloadBuilder::copy(CopyDirection direction, std::uint64_t bytes) {
  const std::string name = fmt::format("copy{}", workload_.resources.size() / 2);
  const HeapType from = direction == CopyDirection::h2d ? HeapType::upload : HeapType::default_heap;
  const HeapType to = direction == CopyDirection::d2h ? HeapType::readback : HeapType::default_heap;
  workload_.resources.emplace_back(BufferResource{name + ".source", from, bytes});
  workload_.resources.emplace_back(BufferResource{name + ".destination", to, bytes});
  CopyBufferCommand command;
  command.source = name + ".source";
  command.destination = name + ".destination";
  return command;
}

void WorkloadBuilder::list(std::size_t queue, const std::string& name, std::vector<CommandInfo> commands) {
  workload_.command_lists.push_back({name, command_list_type(workload_.queues[queue].type), std::move(commands)});
}

void WorkloadBuilder::execute(std::size_t queue, const std::string& list) {
  workload_.queues[queue].timeline.emplace_back(ExecuteStep{{list}, 0});
}

void WorkloadBuilder::signal(std::size_t queue, const std::string& name) {
  SignalStep step;
  step.fence = fence(name);
  step.value = 1;
  workload_.queues[queue].timeline.emplace_back(step);
}

void WorkloadBuilder::wait(std::size_t queue, const std::string& name) {
  WaitStep step;
  step.fence = fence(name);
  step.value = 1;
  workload_.queues[queue].timeline.emplace_back(step);
}

void WorkloadBuilder::owned_by(std::size_t queue, const std::string& process) {
  workload_.queues[queue].process = process;
}

void WorkloadBuilder::keeps_busy(std::size_t queue, const std::string& list, std::uint64_t count,
                                 std::uint64_t submitted) {
  Host thread = host(list);
  CpuRepeat repeat;
  repeat.count = count;
  CpuExecute execute;
  execute.lists.push_back(list);
  execute.queue = workload_.queues[queue].name;
  CpuQueueSignal signal;
  signal.queue = execute.queue;
  CpuFenceWait wait;
  signal.fence = wait.fence = fence(fmt::format("{} done", list));
  signal.value = wait.value = 1;
  signal.value_step = wait.value_step = 1;
  wait.from_iteration = submitted - 1;
  repeat.steps = {execute, signal, wait};
  thread.timeline().emplace_back(std::move(repeat));
}

WorkloadBuilder::Host WorkloadBuilder::host(const std::string& name) {
  workload_.cpus.push_back({name, {}});
  return {*this, workload_.cpus.size() - 1};
}

template <class Step>
WorkloadBuilder::Host& WorkloadBuilder::Host::with_fence(Step step, const std::string& fence) {
  step.fence = builder_.fence(fence);
  step.value = 1;
  timeline().emplace_back(std::move(step));
  return *this;
}

WorkloadBuilder::Host& WorkloadBuilder::Host::works(double us) {
  timeline().emplace_back(CpuWork{us, 0});
  return *this;
}
WorkloadBuilder::Host& WorkloadBuilder::Host::signals(const std::string& fence) {
  return with_fence(CpuFenceSignal{}, fence);
}
WorkloadBuilder::Host& WorkloadBuilder::Host::waits(const std::string& fence) {
  return with_fence(CpuFenceWait{}, fence);
}
WorkloadBuilder::Host& WorkloadBuilder::Host::executes(std::size_t queue, const std::string& list) {
  CpuExecute step;
  step.lists.push_back(list);
  step.queue = builder_.workload_.queues[queue].name;
  timeline().emplace_back(std::move(step));
  return *this;
}
WorkloadBuilder::Host& WorkloadBuilder::Host::signals(std::size_t queue, const std::string& fence) {
  CpuQueueSignal step;
  step.queue = builder_.workload_.queues[queue].name;
  return with_fence(std::move(step), fence);
}

const std::string& WorkloadBuilder::fence(const std::string& name) {
  if (fences_.insert(name).second) workload_.fences.push_back({name, 0});
  return name;
}

}  // namespace fenceline
