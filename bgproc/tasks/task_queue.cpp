// SPDX-License-Identifier: Apache-2.0
#include "bgproc/tasks/task_queue.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace fenceline {

struct TaskQueue::Deferred {
  std::vector<Task> cancelled;
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

void TaskQueue::set_disabled(bool disabled) {
  Deferred later;
  {
    const std::lock_guard held(mutex_);
    const bool first = disabled && !disabled_;
    disabled_ = disabled;
    if (first && config_.disabling_cancels) cancel_waiting(later);
  }
  carry_out(later);
}

std::uint64_t TaskQueue::commit(bool high_priority, std::function<void()> completed) {
  Deferred later;
  std::uint64_t id = 0;
  {
    const std::lock_guard held(mutex_);
    id = next_commit_++;
    commits_.push_back({id, next_task_ - 1, high_priority, std::move(completed)});
    end_commits(later);
    want_workers(later);
  }
  carry_out(later);
  return id;
}

void TaskQueue::close() {
  Deferred later;
  {
    const std::lock_guard held(mutex_);
    closed_ = true;
    cancel_waiting(later);
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

/// Commits whose tasks have ended complete, and the boost with the last one of high priority.
void TaskQueue::end_commits(Deferred& later) {
  const std::uint64_t first_unfinished = unfinished_.empty() ? next_task_ : unfinished_.front();
  const auto ended = [&](const Commit& commit) { return commit.last_task < first_unfinished; };
  for (Commit& commit : commits_) {
    if (ended(commit) && commit.completed) later.completed.push_back(std::move(commit.completed));
  }
  commits_.erase(std::remove_if(commits_.begin(), commits_.end(), ended), commits_.end());
  const bool boosted =
      std::any_of(commits_.begin(), commits_.end(), [](const Commit& commit) { return commit.high_priority; });
  if (boosted == boosted_) return;
  boosted_ = boosted;
  later.priority = true;
}

void TaskQueue::cancel_waiting(Deferred& later) {
  later.cancelled.assign(waiting_.begin(), waiting_.end());
  waiting_.clear();
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
  const auto waits = [&](const Commit& commit) { return task <= commit.last_task; };
  const auto at = std::find_if(commits_.begin(), commits_.end(), waits);
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
