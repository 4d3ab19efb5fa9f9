// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bgproc/background_config.hpp"
#include "bgproc/background_runtime.hpp"
#include "bgproc/background_statistics.hpp"
#include "bgproc/pgo/pgo_driver.hpp"
#include "bgproc/tasks/host_executor.hpp"
#include "bgproc/tasks/idle_thread.hpp"
#include "bgproc/tasks/simulated_executor.hpp"
#include "bgproc/tasks/task_news.hpp"
#include "bgproc/tasks/task_queue.hpp"
#include "sim/log.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

/// Background processing of one process's device: queue, driver and runtime, and the log that tells of tasks. Used from
/// inside the simulation, or with its context current. Where host threads run the tasks, the log and the events of
/// commits hear of them at the simulated time at which the simulation takes the news.
class BackgroundProcessing : private TaskListener {
 public:
  /// `track` is the name in the log. Cores and log live longer. `news` is called on a host thread that has some.
  /// `calls` are what host threads become idle by.
  BackgroundProcessing(const BackgroundConfig& config, CpuCores& cores, EventLog& log, const std::string& track,
                       std::function<void()> news = {}, const IdleCalls& calls = {});
  /// What is queued is cancelled, what runs ends.
  ~BackgroundProcessing() override;

  /// SetBackgroundProcessingMode; the event comes from inside the simulation, or before this returns.
  ModeAnswer set_mode(const ModeRequest& request, std::function<void()> completed = {});
  /// The device goes: what is queued is cancelled, what runs ends, events of commits are told. Nothing runs afterwards.
  void end();
  /// Host threads have a task, which the simulation will hear of.
  bool working() const { return host_ && host_->working(); }
  bool has_news() const { return news_.any(); }
  void take_news() { news_.take(); }
  /// Until there are news of what works, for a few milliseconds of real time at most.
  void wait_for_news() { news_.wait(); }
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
  /// Of the executor's worker, in the log.
  struct Worker {
    LogName track;
    std::uint64_t started_ps;
  };
  void tell(std::function<void()> call);
  void log_start(const Task& task, const TaskRun& run);
  void log_end(const Task& task, const TaskRun& run);
  void log_cancel(const Task& task);
  void log_refused();
  Worker& worker(std::uint32_t number);
  LogName name_of(const Task& task);
  TaskRecord record(TaskRecord::What what, LogName track, const Task& task, const TaskRun& run,
                    std::uint64_t started_ps);

  BackgroundConfig config_;
  EventLog& log_;
  std::string track_;
  std::map<std::uint32_t, Worker> workers_;
  std::vector<LogName> subjects_;  // by subject
  std::uint64_t cpu_ps_ = 0;
  std::size_t told_refused_ = 0;
  TaskNews news_;
  SimulatedExecutor simulated_;
  std::optional<HostExecutor> host_;
  TaskQueue tasks_;
  PgoDriver driver_;
  BackgroundRuntime runtime_;
};

}  // namespace fenceline
