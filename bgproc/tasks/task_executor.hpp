// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bgproc/tasks/task.hpp"

#include <cstdint>
#include <optional>

namespace fenceline {

/// Where an executor's workers get their tasks: the queue. Thread-safe.
class TaskSource {
 public:
  virtual ~TaskSource() = default;
  /// The next task that the calling worker is to run. Nothing: the worker is not needed any more.
  virtual std::optional<Task> next() = 0;
  /// The task begins on that worker.
  virtual void started(const Task& task, const TaskRun& run) = 0;
  /// Its callback has returned.
  virtual void finished(const Task& task, const TaskRun& run) = 0;
};

/// Runs tasks: on real threads or in simulated time. A worker asks the source for tasks until it gets none, and runs
/// each: `started`, its callback, `finished`.
class TaskExecutor {
 public:
  virtual ~TaskExecutor() = default;
  /// One more worker is wanted. Not called with the source's lock held.
  virtual void wake(TaskSource& source) = 0;
  /// Counts for tasks that run and those to come.
  virtual void set_priority(TaskPriority priority) = 0;
  /// How many tasks make sense at one time while they are boosted.
  virtual std::uint32_t processors() const = 0;
  /// Returns when none of its workers has a task: each task that has begun ends as it would have. Nothing is to be
  /// woken meanwhile.
  virtual void wait_for_workers() = 0;
};

}  // namespace fenceline
