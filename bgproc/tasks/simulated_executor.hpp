// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bgproc/cores/cpu_cores.hpp"
#include "bgproc/tasks/task_executor.hpp"

#include <cstdint>
#include <vector>

namespace fenceline {

/// Runs tasks in simulated time, on modelled CPU cores: a task's callback is called when its CPU time has passed there.
/// Called from inside the simulation, or with its context current. `wait_for_workers` passes no time: what runs ends at
/// once.
class SimulatedExecutor : public TaskExecutor {
 public:
  /// `default_cpu_ps` is what tasks take that do not say, picoseconds.
  SimulatedExecutor(CpuCores& cores, std::uint64_t default_cpu_ps);
  ~SimulatedExecutor() override;
  void wake(TaskSource& source) override;
  void set_priority(TaskPriority priority) override;
  std::uint32_t processors() const override;
  void wait_for_workers() override;

 private:
  static constexpr std::uint64_t no_thread = 0;
  struct Worker {
    TaskSource* source = nullptr;  ///< null: free
    Task task;
    TaskRun run;
    std::uint64_t thread = no_thread;  ///< of the cores
  };
  void work(std::uint32_t worker);
  void ended(std::uint64_t worker);

  CpuCores& cores_;
  std::uint64_t default_cpu_ps_;
  TaskPriority priority_ = TaskPriority::idle;
  std::vector<Worker> workers_;
};

}  // namespace fenceline
