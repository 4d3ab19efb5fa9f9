// SPDX-License-Identifier: Apache-2.0
#include "api/validation/kinds/torch_mix.hpp"

#include "api/import/import_kineto.hpp"
#include "api/validation/measured/measured_steps.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <utility>

namespace fenceline {
namespace {

using Of = Moment::Of;

/// One of the two: its queue and the CPU thread that feeds it.
class Job {
 public:
  /// The imported step is the thread's timeline, and is taken out of it.
  Job(Workload& workload, std::size_t index)
      : workload_(workload), index_(index), step_(std::exchange(workload.cpus[index].timeline, {})) {}

  void step() { timeline().insert(timeline().end(), step_.begin(), step_.end()); }
  Figure timed_step(const std::string& name) {
    record(name + " before");
    step();
    record(name + " after");
    return {{Of::list_end, name + " before"}, {Of::list_end, name + " after"}};
  }
  void signal(const std::string& fence) {
    workload_.fences.push_back({fence, 0});
    CpuQueueSignal signal;
    signal.queue = queue().name;
    signal.fence = fence;
    signal.value = 1;
    timeline().emplace_back(signal);
  }
  void wait(const std::string& fence) {
    CpuFenceWait wait;
    wait.fence = fence;
    wait.value = 1;
    timeline().emplace_back(wait);
  }
  void sleep(double us) { timeline().emplace_back(CpuWork{us, 0}); }

 private:
  std::vector<CpuStep>& timeline() { return workload_.cpus[index_].timeline; }
  const QueueInfo& queue() const { return workload_.queues[index_]; }
  void record(const std::string& name) { timeline().emplace_back(event_on(workload_, index_, name)); }

  Workload& workload_;
  std::size_t index_;
  std::vector<CpuStep> step_;
};

}  // namespace

CpuExecute event_on(Workload& workload, std::size_t queue, const std::string& name) {
  const QueueInfo& on = workload.queues[queue];
  workload.command_lists.push_back({name, command_list_type(on.type), {}});
  CpuExecute execute;
  execute.lists.push_back(name);
  execute.queue = on.name;
  return execute;
}

TorchMix::TorchMix(const std::string& file, const MachineConfig& machine, const Jobs& jobs,
                   const std::string& asked_name, const std::string& kept_name) {
  workload.name = fmt::format("{} beside {}", asked_name, kept_name);
  KinetoImporter importer(machine, workload);
  importer.add(median_step(jobs.asked), asked_name);
  importer.add(median_step(jobs.kept), kept_name);
  if (workload.queues.size() != 2 || workload.cpus.size() != 2) {
    throw ConfigError(file, "", "traces with one stream each", fmt::format("{} streams", workload.queues.size()));
  }
  Job one(workload, 0);
  for (std::uint64_t i = 0; i < jobs.asked_steps; ++i) {
    asked.push_back(one.timed_step(fmt::format("asked {}", i)));
    one.signal(fmt::format("asked {}", i));
    one.wait(fmt::format("asked {}", i));
    one.sleep(sleep_us * (1 + static_cast<double>(i % 7) / 7));
  }
  Job other(workload, 1);
  for (std::uint64_t i = 0; i < jobs.kept_steps; ++i) {
    if (jobs.how == Kept::in_pairs) {
      other.step();
      if (i % 2 == 0) continue;
      other.signal(fmt::format("kept {}", i));
      other.wait(fmt::format("kept {}", i));
    } else {
      kept.push_back(other.timed_step(fmt::format("kept {}", i)));
      other.signal(fmt::format("kept {}", i));
      if (i > 0) other.wait(fmt::format("kept {}", i - 1));
    }
  }
}

void TorchMix::share_process(QueuePriority asked_priority) {
  workload.processes.resize(1);
  for (QueueInfo& queue : workload.queues) queue.process = workload.processes.front().name;
  workload.queues.front().priority = asked_priority;
}

}  // namespace fenceline
