// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bgproc/tasks/simulated_executor.hpp"
#include "bgproc/tasks/task_queue.hpp"
#include "sim/kernel/now.hpp"
#include "tests/support/script.hpp"

#include <catch2/catch.hpp>
#include <systemc>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace fenceline::testing {

using Happenings = std::vector<std::tuple<std::uint64_t, std::string, std::uint64_t>>;  // time, what, whose

/// A queue whose tasks run in simulated time, and what has happened to them.
struct TasksTop : sc_core::sc_module, TaskListener {
  TasksTop(sc_core::sc_module_name module_name, const CpuConfig& cpu, const TaskQueueConfig& tasks,
           std::uint64_t default_cpu_ps)
      : sc_module(module_name),
        cores("cores", cpu),
        script("script"),
        executor(cores, default_cpu_ps),
        queue(std::in_place, tasks, executor, this) {}

  /// Queues a task now.
  void add(std::optional<std::uint64_t> cpu_ps) {
    Item& item = items.emplace_back(Item{this, items.size() + 1, 0, 0, 0, {}});
    queue->queue_processing_work(&TasksTop::called, &TasksTop::cancelled, &item, TaskInfo{0, cpu_ps});
  }
  void commit(bool high_priority) {
    const std::uint64_t number = ++commits;
    queue->commit(high_priority, [this, number] {
      happened.emplace_back(now_ps(), "completed", number);
      completed_ps.push_back(now_ps());
    });
  }
  void foreground(std::uint64_t work_ps) {
    cores.start(work_ps, CpuPriority::normal, script.callback([this] { foreground_ps.push_back(now_ps()); }));
  }

  struct Item {
    TasksTop* top;
    std::uint64_t number;
    int calls;
    int cancels;
    std::uint64_t end_ps;
    std::function<void()> when_called;
  };
  static void called(void* context) {
    auto& item = *static_cast<Item*>(context);
    ++item.calls;
    item.end_ps = now_ps();
    item.top->happened.emplace_back(now_ps(), "called", item.number);
    if (item.when_called) item.when_called();
  }
  static void cancelled(void* context) {
    auto& item = *static_cast<Item*>(context);
    ++item.cancels;
    item.end_ps = now_ps();
    item.top->happened.emplace_back(now_ps(), "cancelled", item.number);
  }
  void task_started(const Task& task, const TaskRun& run) override {
    happened.emplace_back(now_ps(), run.priority == TaskPriority::boosted ? "boosted" : "started", task.id);
  }
  void task_finished(const Task& task, const TaskRun& run) override {
    happened.emplace_back(now_ps(), "finished", task.id);
    runs.emplace_back(task.id, run);
  }
  void task_cancelled(const Task& task) override { happened.emplace_back(now_ps(), "dropped", task.id); }

  CpuCores cores;
  Script script;
  std::deque<Item> items;
  Happenings happened;
  std::vector<std::pair<std::uint64_t, TaskRun>> runs;
  std::vector<std::uint64_t> foreground_ps;
  std::vector<std::uint64_t> completed_ps;
  std::uint64_t commits = 0;
  SimulatedExecutor executor;
  std::optional<TaskQueue> queue;
};

using TaskTimes = std::vector<std::uint64_t>;

class TasksBench : public KernelOf<TasksTop> {
 public:
  explicit TasksBench(const CpuConfig& cpu, std::uint64_t default_cpu_ps = 1000, const TaskQueueConfig& tasks = {})
      : KernelOf(cpu, tasks, default_cpu_ps) {}
  ~TasksBench() {
    enter([](TasksTop& t) { t.queue.reset(); });  // it is destroyed with the simulation's context current
  }
  TasksBench(const TasksBench&) = delete;
  TasksBench& operator=(const TasksBench&) = delete;

  void at(std::uint64_t time_ps, std::function<void(TasksTop&)> action) {
    enter([&](TasksTop& t) { t.script.at(time_ps, [&t, action] { action(t); }); });
  }
  /// At that time, one task for each of these amounts of CPU time.
  void add_at(std::uint64_t time_ps, const TaskTimes& cpu_ps) {
    at(time_ps, [cpu_ps](TasksTop& t) {
      for (const std::uint64_t one : cpu_ps) t.add(one);
    });
  }
  /// When each task was called; every one has been.
  TaskTimes run() {
    kernel.run_to_end();
    TaskTimes ends;
    for (const TasksTop::Item& item : top().items) {
      CHECK(item.calls == 1);
      CHECK(item.cancels == 0);
      ends.push_back(item.end_ps);
    }
    CHECK(top().queue->idle());
    return ends;
  }
  /// What happened at which time to whom, of one kind.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> all(const std::string& kind) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> found;
    for (const auto& [time_ps, what, whose] : top().happened) {
      if (what == kind) found.emplace_back(time_ps, whose);
    }
    return found;
  }
};

inline CpuConfig machine_of(std::uint32_t cores, std::uint32_t smt_width = 1, double background_slowdown = 0.01) {
  return CpuConfig{{}, cores, smt_width, 0.25, background_slowdown};
}

/// Tasks queued at time 0 end at these times.
inline void check_task_ends(const CpuConfig& cpu, const TaskTimes& cpu_ps, const TaskTimes& ends) {
  TasksBench bench(cpu);
  bench.add_at(0, cpu_ps);
  CHECK(bench.run() == ends);
}

}  // namespace fenceline::testing
