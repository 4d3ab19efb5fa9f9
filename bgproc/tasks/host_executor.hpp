// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bgproc/tasks/idle_thread.hpp"
#include "bgproc/tasks/task_executor.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace fenceline {

/// Runs tasks on real threads of its own: some that are idle for good (SCHED_IDLE, or nice 19 where the kernel refuses
/// that), and others of the program's own priority, which have what begins while tasks are boosted. A task that has
/// begun stays where it is: to raise an idle thread needs privileges. Where the system has too few threads, fewer run
/// tasks, and without any the thread that queues does.
class HostExecutor : public TaskExecutor {
 public:
  /// So many tasks run at one time, boosted ones as many as there are processors if these are more.
  explicit HostExecutor(std::uint32_t parallel_tasks = 2, const IdleCalls& calls = {});
  /// Waits for its workers.
  ~HostExecutor() override;
  void wake(TaskSource& source) override;
  void set_priority(TaskPriority priority) override;
  std::uint32_t processors() const override;
  void wait_for_workers() override;
  /// A worker has been woken and is not at rest: it has a task, or will look for one.
  bool working() const;
  /// Threads of all executors of this process.
  static std::size_t threads();
  /// What the system refused so far and what happened instead, each once, for a log.
  std::vector<std::string> refused() const;

 private:
  class Workers;
  std::unique_ptr<Workers> workers_;
};

}  // namespace fenceline
