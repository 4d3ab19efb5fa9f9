// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bgproc/tasks/task_executor.hpp"

#include <cstdint>
#include <list>
#include <optional>
#include <vector>

namespace fenceline {

/// Runs tasks when a test says so, on the test's thread: workers that the queue wakes wait until then.
class SteppedExecutor final : public TaskExecutor {
 public:
  /// A task that has begun, and at which priority.
  struct Begun {
    Task task;
    TaskPriority priority = TaskPriority::idle;
  };

  explicit SteppedExecutor(std::uint32_t processors = 4) : processors_(processors) {}
  void wake(TaskSource& source) override { workers_.push_back({&source, {next_worker_++, priority_, 0}, {}}); }
  void set_priority(TaskPriority priority) override { priority_ = priority; }
  std::uint32_t processors() const override { return processors_; }
  void wait_for_workers() override { run_all(); }

  /// Each worker without a task asks for one and begins it; those that get none go.
  void start() {
    for (auto worker = workers_.begin(); worker != workers_.end();) {
      if (!worker->task) {
        worker->task = worker->source->next();
        if (!worker->task) {
          worker = workers_.erase(worker);
          continue;
        }
        worker->run.priority = priority_;
        begun_.push_back({*worker->task, priority_});
        worker->source->started(*worker->task, worker->run);
      }
      ++worker;
    }
  }
  /// Does a task that has begun. False: there is no such task.
  bool finish(std::uint64_t task) {
    for (Worker& worker : workers_) {
      if (!worker.task || worker.task->id != task) continue;
      const Task done = *worker.task;
      TaskRun run = worker.run;
      run.cpu_ps = done.info.cpu_ps.value_or(0);
      done.callback(done.context);
      worker.source->finished(done, run);
      worker.task.reset();
      return true;
    }
    return false;
  }
  /// Tasks that have begun and are not done.
  std::vector<std::uint64_t> running() const {
    std::vector<std::uint64_t> ids;
    for (const Worker& worker : workers_) {
      if (worker.task) ids.push_back(worker.task->id);
    }
    return ids;
  }
  /// All that is queued, and what that queues, one task after the other.
  void run_all() {
    for (start(); !running().empty(); start()) finish(running().front());
  }

  TaskPriority priority() const { return priority_; }
  const std::vector<Begun>& begun() const { return begun_; }  ///< ever, in order

 private:
  struct Worker {
    TaskSource* source;
    TaskRun run;
    std::optional<Task> task;
  };

  std::uint32_t processors_;
  std::uint32_t next_worker_ = 0;
  TaskPriority priority_ = TaskPriority::idle;
  std::list<Worker> workers_;
  std::vector<Begun> begun_;
};

}  // namespace fenceline
