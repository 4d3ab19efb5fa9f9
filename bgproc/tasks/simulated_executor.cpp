// SPDX-License-Identifier: Apache-2.0
#include "bgproc/tasks/simulated_executor.hpp"

#include <algorithm>

namespace fenceline {
namespace {

CpuPriority on_cpu(TaskPriority priority) {
  return priority == TaskPriority::boosted ? CpuPriority::normal : CpuPriority::idle;
}

}  // namespace

SimulatedExecutor::SimulatedExecutor(CpuCores& cores, std::uint64_t default_cpu_ps)
    : cores_(cores), default_cpu_ps_(default_cpu_ps) {}

SimulatedExecutor::~SimulatedExecutor() { wait_for_workers(); }

void SimulatedExecutor::wake(TaskSource& source) {
  const auto free =
      std::find_if(workers_.begin(), workers_.end(), [](const Worker& one) { return one.source == nullptr; });
  const auto worker = static_cast<std::uint32_t>(free - workers_.begin());
  if (free == workers_.end()) workers_.emplace_back();
  workers_[worker].source = &source;
  work(worker);
}

/// Takes the next task, if there is one.
void SimulatedExecutor::work(std::uint32_t index) {
  TaskSource& source = *workers_[index].source;
  const std::optional<Task> task = source.next();
  if (!task) {
    workers_[index].source = nullptr;
    return;
  }
  const TaskRun run{index, priority_, task->info.cpu_ps.value_or(default_cpu_ps_)};
  const std::uint64_t thread =
      cores_.start(run.cpu_ps, on_cpu(priority_), Callback::to<&SimulatedExecutor::ended>(this, index));
  workers_[index] = {&source, *task, run, thread};
  source.started(*task, run);
}

void SimulatedExecutor::ended(std::uint64_t index) {
  if (const auto processor = cores_.processor_of(workers_[index].thread)) workers_[index].run.processor = processor;
  const Worker worker = workers_[index];  // the callback may wake further ones
  workers_[index].thread = no_thread;
  worker.task.callback(worker.task.context);
  worker.source->finished(worker.task, worker.run);
  work(static_cast<std::uint32_t>(index));
}

void SimulatedExecutor::set_priority(TaskPriority priority) {
  priority_ = priority;
  for (const Worker& worker : workers_) {
    if (worker.source != nullptr && worker.thread != no_thread) cores_.set_priority(worker.thread, on_cpu(priority));
  }
}

std::uint32_t SimulatedExecutor::processors() const { return cores_.processors(); }

void SimulatedExecutor::wait_for_workers() {
  for (std::uint32_t index = 0; index < workers_.size(); ++index) {
    while (workers_[index].source != nullptr && workers_[index].thread != no_thread) {
      workers_[index].run.processor = cores_.processor_of(workers_[index].thread);
      workers_[index].run.cpu_ps -= cores_.cancel(workers_[index].thread);
      ended(index);
    }
  }
}

}  // namespace fenceline
