// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bgproc/tasks/task_executor.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace fenceline {

/// Runs tasks on real threads, a pool of its own with one for each processor of the machine that it runs on. Threads
/// have SCHED_IDLE, or nice 19 where the kernel refuses that; boosted ones SCHED_OTHER and nice 0.
class HostExecutor : public TaskExecutor {
 public:
  HostExecutor();
  /// Waits for its workers.
  ~HostExecutor() override;
  void wake(TaskSource& source) override;
  void set_priority(TaskPriority priority) override;
  std::uint32_t processors() const override;
  void wait_for_workers() override;
  /// A worker has been woken and is not at rest: it has a task, or will look for one.
  bool working() const;
  /// Threads of all pools of this process.
  static std::size_t threads();
  /// What the kernel refused of the priorities asked for, for a log; empty: nothing.
  std::string refused() const;

 private:
  class Pool;
  std::unique_ptr<Pool> pool_;
};

}  // namespace fenceline
