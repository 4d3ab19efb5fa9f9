// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace fenceline {

/// PFND3D12DDI_UMD_CALLBACK_METHOD: gets the context that was queued with it.
using TaskMethod = void (*)(void* context);

/// What is known of a task besides what it does.
struct TaskInfo {
  std::uint64_t subject = 0;  ///< what it works on, for whoever listens: such as a pipeline state's number
  /// Simulated: CPU time at full speed, picoseconds, 0 for none; unset: the executor's default.
  std::optional<std::uint64_t> cpu_ps{};
};

/// A task on its way: what D3D12DDI's QueueProcessingWorkCb got, and its number.
struct Task {
  std::uint64_t id = 0;           ///< from 1, in the order in which tasks were queued
  TaskMethod callback = nullptr;  ///< does it
  TaskMethod cancel = nullptr;    ///< called instead; null: a cancelled one is dropped
  void* context = nullptr;        ///< for either
  TaskInfo info;
  std::uint64_t commit = 0;  ///< the first commit that waits for it; 0: none so far
};

/// How tasks run now.
enum class TaskPriority : std::uint8_t {
  idle,     ///< THREAD_PRIORITY_IDLE: only where nothing else runs
  boosted,  ///< as the program's own threads: while what a commit of high priority generated is unfinished
};

/// Where and how a task has run.
struct TaskRun {
  std::uint32_t worker = 0;                    ///< the executor's thread or place
  TaskPriority priority = TaskPriority::idle;  ///< when it started
  /// CPU time that it took (simulated: at full speed), picoseconds; known when it has finished.
  std::uint64_t cpu_ps = 0;
  /// Of modelled cores, where it ended; unset: it took turns with others, or real threads run tasks.
  std::optional<std::uint32_t> processor{};
};

/// Hears of every task, once its start and end, or once that it was cancelled: Windows has ETW events for these. Called
/// on the thread where it happens, several at a time; never with a lock of the queue held.
class TaskListener {
 public:
  virtual ~TaskListener() = default;
  virtual void task_started(const Task& task, const TaskRun& run) = 0;
  virtual void task_finished(const Task& task, const TaskRun& run) = 0;
  virtual void task_cancelled(const Task& task) = 0;
};

}  // namespace fenceline
