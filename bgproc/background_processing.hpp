// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bgproc/background_config.hpp"
#include "bgproc/background_runtime.hpp"
#include "bgproc/background_statistics.hpp"
#include "bgproc/pgo/pgo_driver.hpp"
#include "bgproc/tasks/simulated_executor.hpp"
#include "bgproc/tasks/task_queue.hpp"
#include "sim/log.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

/// Background processing of one process's device in simulated time: queue, driver and runtime, and the log that tells
/// of tasks. Used from inside the simulation, or with its context current.
class BackgroundProcessing : private TaskListener {
 public:
  /// `track` is the name in the log. Cores and log live longer.
  BackgroundProcessing(const BackgroundConfig& config, CpuCores& cores, EventLog& log, const std::string& track);
  /// What is queued is cancelled, what runs ends.
  ~BackgroundProcessing() override;

  BackgroundRuntime& runtime() { return runtime_; }
  TaskQueue& tasks() { return tasks_; }
  /// Null: it does not support background processing.
  PgoDriver* driver() { return config_.supported ? &driver_ : nullptr; }
  const BackgroundConfig& config() const { return config_; }
  BackgroundStatistics statistics() const;
  /// The log calls tasks with this subject so.
  void name_subject(std::uint64_t subject, const std::string& name);

 private:
  void task_started(const Task& task, const TaskRun& run) override;
  void task_finished(const Task& task, const TaskRun& run) override;
  void task_cancelled(const Task& task) override;
  LogName track_of(std::uint32_t worker);
  LogName name_of(const Task& task);
  TaskRecord record(TaskRecord::What what, LogName track, const Task& task, const TaskRun& run,
                    std::uint64_t started_ps);

  BackgroundConfig config_;
  EventLog& log_;
  std::string track_;
  std::vector<LogName> tracks_;            // by worker
  std::vector<std::uint64_t> started_ps_;  // the same
  std::vector<LogName> subjects_;          // by subject
  std::uint64_t cpu_ps_ = 0;
  SimulatedExecutor executor_;
  TaskQueue tasks_;
  PgoDriver driver_;
  BackgroundRuntime runtime_;
};

}  // namespace fenceline
