// SPDX-License-Identifier: Apache-2.0
#include "bgproc/tasks/task_queue.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace fenceline {

struct TaskQueue::Deferred {
  std::deque<Task> cancelled;
  std::vector<std::function<void()>> completed;
  bool priority = false;  // it may have changed
  std::uint32_t wakes = 0;
};

TaskQueue::TaskQueue(const TaskQueueConfig& config, TaskExecutor& executor, TaskListener* listener)
    : config_(config), executor_(executor), listener_(listener) {
  if (config.parallel_tasks == 0) throw std::invalid_argument("task queue: expected parallel_tasks >= 1, found 0");
}

TaskQueue::~TaskQueue() { close(); }

bool TaskQueue::queue_processing_work(TaskMethod callback, TaskMethod cancel, void* context, const TaskInfo& info) {
  if (callback == nullptr) throw std::invalid_argument("queue_processing_work: expected a callback, found null");
  Deferred later;
  {
    const std::lock_guard held(mutex_);
    if (closed_) return false;
    const Task task{next_task_++, callback, cancel, context, info};
    if (disabled_) {
      later.cancelled.push_back(task);
    } else {
      unfinished_.push_back(task.id);
      waiting_.push_back(task);
      want_workers(later);
    }
  }
  carry_out(later);
  return true;
}

std::uint64_t TaskQueue::change(TaskQueueChange what) {
  Deferred later;
  std::uint64_t id = 0;
  {
    const std::lock_guard held(mutex_);
    std::uint64_t generated_from = next_task_;
    if (what.commit) {
      id = next_commit_++;
      generated_from = what.commit->generated_from;
      commits_.push_back({id, next_task_ - 1, std::move(what.commit->completed)});
      if (what.commit->high_priority) {
        if (!boosts_.empty() && boosts_.back().last_task == open) boosts_.pop_back();
        boosts_.push_back({generated_from, next_task_ - 1});
      }
      end_commits(later);
    }
    if (what.disabled) {
      const bool entered = *what.disabled && !disabled_ && !what.goes_on;
      disabled_ = *what.disabled;
      if (entered && config_.disabling_cancels) cancel_waiting(generated_from, later);
    }
    want_workers(later);
  }
  if (what.stands) what.stands();
  carry_out(later);
  return id;
}

std::uint64_t TaskQueue::expect_commit() {
  Deferred later;
  std::uint64_t first = 0;
  {
    const std::lock_guard held(mutex_);
    first = next_task_;
    boosts_.push_back({first, open});
    end_commits(later);
    want_workers(later);
  }
  carry_out(later);
  return first;
}

void TaskQueue::set_disabled(bool disabled) {
  TaskQueueChange what;
  what.disabled = disabled;
  change(std::move(what));
}

std::uint64_t TaskQueue::commit(bool high_priority, std::function<void()> completed) {
  TaskQueueChange what;
  what.commit = TaskCommit{high_priority, 1, std::move(completed)};
  return change(std::move(what));
}

void TaskQueue::close() {
  Deferred later;
  {
    const std::lock_guard held(mutex_);
    closed_ = true;
    cancel_waiting(next_task_, later);
  }
  carry_out(later);
  executor_.wait_for_workers();
}

/// Tasks at one time.
std::uint32_t TaskQueue::limit() const {
  return boosted_ ? std::max(config_.parallel_tasks, executor_.processors()) : config_.parallel_tasks;
}

void TaskQueue::want_workers(Deferred& later) {
  // A worker that is on its way to `next` takes one of these, too: there may be one too many, which goes again.
  const std::uint64_t wanted = std::min<std::uint64_t>(limit(), workers_ + waiting_.size());
  for (; workers_ < wanted; ++workers_) ++later.wakes;
}

/// Commits whose tasks have ended complete, and the boost ends with the last of what they generated.
void TaskQueue::end_commits(Deferred& later) {
  const std::uint64_t first_unfinished = unfinished_.empty() ? next_task_ : unfinished_.front();
  for (; !commits_.empty() && commits_.front().last_task < first_unfinished; commits_.pop_front()) {
    if (commits_.front().completed) later.completed.push_back(std::move(commits_.front().completed));
  }
  while (!boosts_.empty() && ended(boosts_.front())) boosts_.pop_front();
  const bool boosted = !boosts_.empty();
  if (boosted == boosted_) return;
  boosted_ = boosted;
  later.priority = true;
}

bool TaskQueue::ended(const Boost& boost) const {
  if (boost.last_task == open) return false;
  const auto first = std::lower_bound(unfinished_.begin(), unfinished_.end(), boost.first_task);
  return first == unfinished_.end() || *first > boost.last_task;
}

/// Those with numbers below `end`.
void TaskQueue::cancel_waiting(std::uint64_t end, Deferred& later) {
  const auto below = [](const Task& task, std::uint64_t number) { return task.id < number; };
  const auto first_kept = std::lower_bound(waiting_.begin(), waiting_.end(), end, below);
  std::deque<Task> kept(first_kept, waiting_.end());
  waiting_.erase(first_kept, waiting_.end());
  later.cancelled.swap(waiting_);
  waiting_.swap(kept);
  for (Task& task : later.cancelled) task.commit = commit_of(task.id);
}

/// What calls others, without the lock.
void TaskQueue::carry_out(Deferred& later) {
  for (const Task& task : later.cancelled) {
    if (task.cancel != nullptr) task.cancel(task.context);
    if (listener_ != nullptr) listener_->task_cancelled(task);
    const std::lock_guard held(mutex_);
    end_task(task.id);
    ++cancelled_;
    end_commits(later);
  }
  if (later.priority) apply_priority();
  for (const std::function<void()>& completed : later.completed) completed();
  for (; later.wakes > 0; --later.wakes) executor_.wake(*this);
}

/// The executor gets the last word, whoever comes first.
void TaskQueue::apply_priority() {
  const std::lock_guard applying(priority_mutex_);
  executor_.set_priority(priority());
}

/// Of tasks in their order; those that run end in any order.
void TaskQueue::end_task(std::uint64_t id) {
  const auto at = std::lower_bound(unfinished_.begin(), unfinished_.end(), id);
  if (at != unfinished_.end() && *at == id) unfinished_.erase(at);
}

std::optional<Task> TaskQueue::next() {
  const std::lock_guard held(mutex_);
  if (waiting_.empty() || workers_ > limit()) {
    --workers_;
    return {};
  }
  Task task = waiting_.front();
  waiting_.pop_front();
  task.commit = commit_of(task.id);
  return task;
}

/// The first one that waits for it; 0: none.
std::uint64_t TaskQueue::commit_of(std::uint64_t task) const {
  const auto ends_before = [](const Commit& commit, std::uint64_t number) { return commit.last_task < number; };
  const auto at = std::lower_bound(commits_.begin(), commits_.end(), task, ends_before);
  return at != commits_.end() ? at->id : 0;
}

void TaskQueue::started(const Task& task, const TaskRun& run) {
  if (listener_ != nullptr) listener_->task_started(task, run);
}

void TaskQueue::finished(const Task& task, const TaskRun& run) {
  Task ended = task;
  {
    const std::lock_guard held(mutex_);
    ended.commit = commit_of(task.id);
  }
  if (listener_ != nullptr) listener_->task_finished(ended, run);
  Deferred later;
  {
    const std::lock_guard held(mutex_);
    end_task(task.id);
    ++finished_;
    end_commits(later);
  }
  carry_out(later);
}

TaskCounts TaskQueue::counts() const {
  const std::lock_guard held(mutex_);
  return {next_task_ - 1, finished_, cancelled_};
}

std::uint64_t TaskQueue::queued() const {
  const std::lock_guard held(mutex_);
  return next_task_ - 1;
}

std::uint64_t TaskQueue::finished() const {
  const std::lock_guard held(mutex_);
  return finished_;
}

std::uint64_t TaskQueue::cancelled() const {
  const std::lock_guard held(mutex_);
  return cancelled_;
}

bool TaskQueue::idle() const {
  const std::lock_guard held(mutex_);
  return unfinished_.empty();
}

TaskPriority TaskQueue::priority() const {
  const std::lock_guard held(mutex_);
  return boosted_ ? TaskPriority::boosted : TaskPriority::idle;
}

}  // namespace fenceline
