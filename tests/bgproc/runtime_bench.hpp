// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bgproc/background_runtime.hpp"
#include "tests/bgproc/tasks/stepped_executor.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace fenceline {

/// What became of a task.
struct TaskFate {
  int ran = 0;
  int cancelled = 0;
  static void run(void* fate) { ++static_cast<TaskFate*>(fate)->ran; }
  static void cancel(void* fate) { ++static_cast<TaskFate*>(fate)->cancelled; }
};

/// Queues so many tasks whenever it is told of a mode, and answers what it was given.
class FakeBackgroundDriver final : public BackgroundDriver {
 public:
  explicit FakeBackgroundDriver(TaskQueue& tasks) : tasks_(tasks) {}
  bool set_background_processing_mode(ProcessingMode mode, MeasurementsAction action) override {
    calls.emplace_back(mode, action);
    queue(to_queue);
    if (answers.empty()) return false;
    const bool answer = answers.front();
    answers.pop_front();
    return answer;
  }
  void queue(std::size_t count) {
    for (; count > 0; --count) {
      fates.emplace_back();
      tasks_.queue_processing_work(TaskFate::run, TaskFate::cancel, &fates.back());
    }
  }

  std::size_t to_queue = 0;
  std::deque<bool> answers;
  std::vector<std::pair<ProcessingMode, MeasurementsAction>> calls;
  std::deque<TaskFate> fates;  // of all tasks, in order

 private:
  TaskQueue& tasks_;
};

/// A runtime with such a driver, whose tasks run when the test says so.
struct RuntimeBench {
  explicit RuntimeBench(bool developer_mode = true, bool supported = true, std::uint32_t processors = 4,
                        const TaskQueueConfig& config = {})
      : executor(processors),
        tasks(config, executor),
        driver(tasks),
        runtime(tasks, supported ? &driver : nullptr, developer_mode) {}
  ~RuntimeBench() { tasks.close(); }
  RuntimeBench(const RuntimeBench&) = delete;
  RuntimeBench& operator=(const RuntimeBench&) = delete;

  ModeAnswer set(ProcessingMode mode, MeasurementsAction action) { return runtime.set_mode({mode, action, false}); }
  /// With an event: `signals` counts.
  ModeAnswer set_with_event(ProcessingMode mode, MeasurementsAction action) {
    return runtime.set_mode({mode, action, true}, [this] { ++signals; });
  }

  int signals = 0;
  SteppedExecutor executor;
  TaskQueue tasks;
  FakeBackgroundDriver driver;
  BackgroundRuntime runtime;
};

}  // namespace fenceline
