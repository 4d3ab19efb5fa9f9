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

/// What a commit asks for.
struct TaskCommit {
  bool high_priority = false;
  /// Tasks from this number on, of those that are queued, are what it generated: while one of them is unfinished, a
  /// commit of high priority boosts all tasks. The others are in its set as well.
  std::uint64_t generated_from = 1;
  std::function<void()> completed;  ///< called once, when its set has ended; it may be empty
};

/// What changes at once: nothing comes between its parts.
struct TaskQueueChange {
  std::optional<TaskCommit> commit;
  std::optional<bool> disabled;
  bool goes_on = false;  ///< it was disabled before, but for what the commit generated: that cancels nothing anew
  std::function<void()> stands;  ///< called once it has changed and before anybody is told; it may be empty
};

/// What became of the tasks of a queue: those that have neither finished nor been cancelled are pending.
struct TaskCounts {
  std::uint64_t queued = 0;
  std::uint64_t finished = 0;
  std::uint64_t cancelled = 0;
  std::uint64_t pending() const { return queued - finished - cancelled; }
};

/// The runtime's side of background processing: a driver queues tasks, the runtime's executor runs them.
///
/// Tasks start in the order in which they were queued, at most `parallel_tasks` at a time; while a commit of high
/// priority has generated tasks that are unfinished, as many as the executor has processors, if these are more, at
/// boosted priority. For each task that was queued exactly one of its callback and its cancel is called. Every method
/// may be called from any thread, and from inside callbacks, cancels and listeners, but for the destructor; and `close`
/// not from inside one of these. Source: DirectX-Specs, BackgroundProcessing.md; `TaskQueueConfig` has what the older
/// DDI page says else.
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
  /// on, but for what a commit in the same change has generated.
  ///
  /// All tasks that are queued or run now are the set of a new commit, the number of which is returned (from 1; 0:
  /// there is none). It is completed when all of them have finished or were cancelled, on the thread where that
  /// happens: with an empty set before this returns. Tasks queued later do not delay it.
  std::uint64_t change(TaskQueueChange what);
  /// A commit of high priority is about to generate tasks: those from the answer on, which are boosted from the start.
  std::uint64_t expect_commit();
  void set_disabled(bool disabled);
  /// All tasks of the set count as generated.
  std::uint64_t commit(bool high_priority, std::function<void()> completed);

  /// The device is destroyed: what has not begun is cancelled on the calling thread, what runs is waited for.
  void close();

  /// All of these at one moment, which add up.
  TaskCounts counts() const;
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
    std::function<void()> completed;
  };
  /// Tasks that a commit of high priority has generated, while one of them is unfinished.
  struct Boost {
    std::uint64_t first_task;
    std::uint64_t last_task;  ///< `open`: it goes on generating
  };
  static constexpr std::uint64_t open = ~std::uint64_t{0};
  /// What is left to do when the lock is gone.
  struct Deferred;

  std::optional<Task> next() override;
  void started(const Task& task, const TaskRun& run) override;
  void finished(const Task& task, const TaskRun& run) override;
  std::uint32_t limit() const;
  std::uint64_t commit_of(std::uint64_t task) const;
  void want_workers(Deferred& later);
  void end_commits(Deferred& later);
  bool ended(const Boost& boost) const;
  void cancel_waiting(std::uint64_t end, Deferred& later);
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
  std::deque<Commit> commits_;            // unfinished ones, in their order, which is that of their last tasks
  std::deque<Boost> boosts_;              // the same; the first one has not ended
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
