// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bgproc/tasks/task_executor.hpp"
#include "bgproc/tasks/task_queue.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace fenceline::testing {

using TaskIds = std::vector<std::uint64_t>;

/// The numbers from `first` to `last`.
inline TaskIds ids_from(std::uint64_t first, std::uint64_t last) {
  TaskIds ids;
  for (std::uint64_t id = first; id <= last; ++id) ids.push_back(id);
  return ids;
}

/// An executor whose workers do nothing until the test steps them, all on the test's thread.
class ManualExecutor : public TaskExecutor {
 public:
  explicit ManualExecutor(std::uint32_t processor_count) : processors_(processor_count) {}

  void wake(TaskSource& source) override {
    workers_.push_back({&source, std::nullopt, {next_worker_++, TaskPriority::idle, 0}});
  }
  void set_priority(TaskPriority priority) override { priority_ = priority; }
  std::uint32_t processors() const override { return processors_; }
  void wait_for_workers() override {
    while (!workers_.empty()) {
      if (workers_.front().task) {
        end(workers_.begin());
      } else {
        ask(workers_.begin());
      }
    }
  }

  /// Workers that were woken or have ended a task, and have not asked for one since.
  std::size_t asking() const {
    return static_cast<std::size_t>(
        std::count_if(workers_.begin(), workers_.end(), [](const Worker& w) { return !w.task; }));
  }
  /// The nth of them asks: it begins what it gets, or goes.
  void ask_nth(std::size_t n) {
    auto worker = workers_.begin();
    for (;; ++worker) {
      if (!worker->task && n-- == 0) break;
    }
    ask(worker);
  }
  /// All of them ask, and those that are woken meanwhile.
  void settle() {
    while (asking() > 0) ask_nth(0);
  }
  /// The running task's callback is called and returns. Its worker does not ask yet.
  void end_task(std::uint64_t id) {
    const auto runs_it = [id](const Worker& w) { return w.task && w.task->id == id; };
    const auto worker = std::find_if(workers_.begin(), workers_.end(), runs_it);
    if (worker == workers_.end()) throw std::logic_error("task " + std::to_string(id) + " does not run");
    end(worker);
  }
  /// The same, then everybody asks.
  void finish(std::uint64_t id) {
    end_task(id);
    settle();
  }
  /// Each task in turn, the one that began first before others, until none is left.
  void finish_all() {
    for (settle(); !running().empty();) finish(running().front());
  }

  /// Tasks that have begun and not ended, by number.
  TaskIds running() const {
    TaskIds ids;
    for (const Worker& worker : workers_) {
      if (worker.task) ids.push_back(worker.task->id);
    }
    std::sort(ids.begin(), ids.end());
    return ids;
  }
  const TaskIds& starts() const { return starts_; }  ///< tasks ever begun, in the order in which they did
  TaskPriority priority() const { return priority_; }

 private:
  struct Worker {
    TaskSource* source;
    std::optional<Task> task;
    TaskRun run;
  };
  using Place = std::list<Worker>::iterator;

  void ask(Place worker) {
    const std::optional<Task> task = worker->source->next();
    if (!task) {
      workers_.erase(worker);
      return;
    }
    worker->task = task;
    worker->run.priority = priority_;
    worker->run.cpu_ps = 0;
    starts_.push_back(task->id);
    worker->source->started(*task, worker->run);
  }
  void end(Place worker) {
    const Task task = *worker->task;
    task.callback(task.context);
    worker->run.cpu_ps = task.info.cpu_ps.value_or(0);
    worker->source->finished(task, worker->run);
    worker->task.reset();
  }

  std::uint32_t processors_;
  std::uint32_t next_worker_ = 0;
  TaskPriority priority_ = TaskPriority::idle;
  std::list<Worker> workers_;  // in the order in which they were woken
  TaskIds starts_;
};

/// What a test queues as a task: counts how it ends.
struct Job {
  int called = 0;
  int cancelled = 0;
  std::function<void()> when_called;
  std::function<void()> when_cancelled;

  static void call(void* context) {
    auto& job = *static_cast<Job*>(context);
    ++job.called;
    if (job.when_called) job.when_called();
  }
  static void cancel(void* context) {
    auto& job = *static_cast<Job*>(context);
    ++job.cancelled;
    if (job.when_cancelled) job.when_cancelled();
  }
};

/// Writes down what a queue's listener hears, task by task.
struct Ledger : TaskListener {
  struct Entry {
    int started = 0;
    int finished = 0;
    int cancelled = 0;
    bool in_order = true;  ///< it had started when it finished
    TaskPriority priority = TaskPriority::idle;
    std::uint64_t commit_at_start = 0;
    std::uint64_t commit_at_end = 0;
    TaskInfo info;

    bool has_run() const { return started == 1 && finished == 1 && cancelled == 0 && in_order; }
    bool was_cancelled() const { return started == 0 && finished == 0 && cancelled == 1; }
  };

  void task_started(const Task& task, const TaskRun& run) override {
    Entry& entry = entries[task.id];
    ++entry.started;
    entry.priority = run.priority;
    entry.commit_at_start = task.commit;
    entry.info = task.info;
    if (when_started) when_started(task.id);
  }
  void task_finished(const Task& task, const TaskRun&) override {
    Entry& entry = entries[task.id];
    ++entry.finished;
    entry.in_order = entry.started == 1;
    entry.commit_at_end = task.commit;
    if (when_finished) when_finished(task.id);
  }
  void task_cancelled(const Task& task) override {
    Entry& entry = entries[task.id];
    ++entry.cancelled;
    entry.commit_at_end = task.commit;
    entry.info = task.info;
    if (when_cancelled) when_cancelled(task.id);
  }

  std::map<std::uint64_t, Entry> entries;
  std::function<void(std::uint64_t)> when_started;
  std::function<void(std::uint64_t)> when_finished;
  std::function<void(std::uint64_t)> when_cancelled;
};

/// A queue on a manual executor, the jobs in it, and its commits.
class QueueBench {
 public:
  explicit QueueBench(const TaskQueueConfig& config = {}, std::uint32_t processor_count = 4)
      : executor(processor_count), queue(std::in_place, config, executor, &ledger) {}

  /// Queues jobs; nobody asks for them yet.
  void add(int count = 1, const TaskInfo& info = {}) {
    for (int i = 0; i < count; ++i) {
      jobs.emplace_back();
      accepted.push_back(queue->queue_processing_work(&Job::call, &Job::cancel, &jobs.back(), info));
    }
  }
  /// Of the task with that number: they count from 1 in the order in which they were queued.
  Job& job(std::uint64_t id) { return jobs.at(id - 1); }
  /// Commits; which of `completed` counts its completion.
  std::size_t commit(bool high_priority = false) {
    completed.push_back(0);
    int& count = completed.back();
    commit_ids.push_back(queue->commit(high_priority, [&count] { ++count; }));
    return completed.size() - 1;
  }
  int called(std::uint64_t first, std::uint64_t last) {
    int sum = 0;
    for (std::uint64_t id = first; id <= last; ++id) sum += job(id).called;
    return sum;
  }
  int cancelled(std::uint64_t first, std::uint64_t last) {
    int sum = 0;
    for (std::uint64_t id = first; id <= last; ++id) sum += job(id).cancelled;
    return sum;
  }
  /// Each accepted job was called or cancelled, once, each refused one neither, and the listener heard the same.
  bool all_ended_once() {
    std::uint64_t id = 0;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const Job& one = jobs[i];
      if (!accepted[i]) {
        if (one.called + one.cancelled != 0) return false;
        continue;
      }
      const Ledger::Entry& entry = ledger.entries[++id];
      if (one.called + one.cancelled != 1 || (one.called == 1 ? !entry.has_run() : !entry.was_cancelled()))
        return false;
    }
    return true;
  }

  ManualExecutor executor;
  Ledger ledger;
  std::deque<Job> jobs;
  std::deque<bool> accepted;
  std::deque<int> completed;
  TaskIds commit_ids;
  std::optional<TaskQueue> queue;  // the rest outlives it
};

}  // namespace fenceline::testing
