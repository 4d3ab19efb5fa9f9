// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bgproc/tasks/task_executor.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

namespace fenceline {

/// How a task queue behaves where Microsoft's texts differ.
struct TaskQueueConfig {
  std::uint32_t parallel_tasks = 2;  ///< at one time, at idle priority; the DDI's page of 2019 has one
  /// Disabling cancels what is queued and has not begun (the DDI's page of 2019) instead of letting it finish.
  bool disabling_cancels = false;
};

/// The runtime's side of background processing: a driver queues tasks, the runtime's executor runs them.
///
/// Tasks start in the order in which they were queued, at most `parallel_tasks` at a time; while the set of a commit of
/// high priority is unfinished, as many as the executor has processors, if these are more, at boosted priority. For
/// each task that was queued exactly one of its callback and its cancel is called. Every method may be called from any
/// thread, and from inside callbacks, cancels and listeners, but for the destructor; and `close` not from inside one of
/// these. Source: DirectX-Specs, BackgroundProcessing.md; `TaskQueueConfig` has what the older DDI page says else.
class TaskQueue : private TaskSource {
 public:
  /// Executor and listener live longer; the listener may be null. std::invalid_argument where no task may run.
  TaskQueue(const TaskQueueConfig& config, TaskExecutor& executor, TaskListener* listener = nullptr);
  /// Closes it.
  ~TaskQueue() override;
  TaskQueue(const TaskQueue&) = delete;
  TaskQueue& operator=(const TaskQueue&) = delete;

  /// QueueProcessingWorkCb. Null `cancel`: cancelled, the task is dropped without a word. While disabled, `cancel` is
  /// called on the calling thread before it returns. False once the queue is closed: then neither is called.
  /// std::invalid_argument without a callback.
  bool queue_processing_work(TaskMethod callback, TaskMethod cancel, void* context, const TaskInfo& info = {});

  /// New tasks are cancelled from now on, or not any more. Those that were queued before finish, unless
  /// `disabling_cancels`: then those that have not begun are cancelled, on the calling thread, each time it is turned
  /// on.
  void set_disabled(bool disabled);

  /// All tasks that are queued or run now are the set of a new commit, the number of which is returned (from 1).
  /// `completed` is called once, when all of them have finished or were cancelled, on the thread where that happens: of
  /// an empty set before it returns. Tasks queued later do not delay it. It may be empty. `high_priority` boosts all
  /// tasks until the set has finished.
  std::uint64_t commit(bool high_priority, std::function<void()> completed);

  /// The device is destroyed: what has not begun is cancelled on the calling thread, what runs is waited for.
  void close();

  std::uint64_t queued() const;     ///< tasks ever queued, those cancelled at once included
  std::uint64_t finished() const;   ///< whose callback has returned
  std::uint64_t cancelled() const;  ///< with or without a cancel to call
  /// Nothing is queued and nothing runs.
  bool idle() const;
  /// What tasks that begin now get.
  TaskPriority priority() const;

 private:
  /// Tasks up to a number, until they have ended.
  struct Commit {
    std::uint64_t id;
    std::uint64_t last_task;
    bool high_priority;
    std::function<void()> completed;
  };
  /// What is left to do when the lock is gone.
  struct Deferred;

  std::optional<Task> next() override;
  void started(const Task& task, const TaskRun& run) override;
  void finished(const Task& task, const TaskRun& run) override;
  std::uint32_t limit() const;
  std::uint64_t commit_of(std::uint64_t task) const;
  void want_workers(Deferred& later);
  void end_commits(Deferred& later);
  void cancel_waiting(Deferred& later);
  void end_task(std::uint64_t id);
  void apply_priority();
  void carry_out(Deferred& later);

  TaskQueueConfig config_;
  TaskExecutor& executor_;
  TaskListener* listener_;
  mutable std::mutex mutex_;
  std::mutex priority_mutex_;  // before mutex_
  std::deque<Task> waiting_;
  std::deque<std::uint64_t> unfinished_;  // ids of tasks that have not ended, in order
  std::vector<Commit> commits_;           // unfinished ones, in their order
  std::uint64_t next_task_ = 1;
  std::uint64_t next_commit_ = 1;
  std::uint32_t workers_ = 0;  // woken, and not told that there is nothing
  std::uint64_t finished_ = 0;
  std::uint64_t cancelled_ = 0;
  bool disabled_ = false;
  bool closed_ = false;
  bool boosted_ = false;
};

}  // namespace fenceline
