// SPDX-License-Identifier: Apache-2.0
#include "bgproc/background_processing.hpp"

#include "sim/duration.hpp"
#include "sim/kernel/now.hpp"

#include <fmt/format.h>

namespace fenceline {

BackgroundProcessing::BackgroundProcessing(const BackgroundConfig& config, CpuCores& cores, EventLog& log,
                                           const std::string& track)
    : config_(config),
      log_(log),
      track_(track),
      executor_(cores, ps_of_us(config.task_us)),
      tasks_({config.parallel_tasks, config.disabling_cancels}, executor_, this),
      driver_(config.pgo, tasks_),
      runtime_(tasks_, driver(), config.developer_mode) {}

BackgroundProcessing::~BackgroundProcessing() { tasks_.close(); }

BackgroundStatistics BackgroundProcessing::statistics() const {
  return {tasks_.queued(),    tasks_.finished(), tasks_.cancelled(),    cpu_ps_,
          driver_.variants(), driver_.dropped(), driver_.specialised(), driver_.saved_instructions()};
}

void BackgroundProcessing::name_subject(std::uint64_t subject, const std::string& name) {
  if (subject >= subjects_.size()) subjects_.resize(subject + 1);
  subjects_[subject] = log_.name(name);
}

LogName BackgroundProcessing::track_of(std::uint32_t worker) {
  while (worker >= tracks_.size()) tracks_.push_back(log_.name(fmt::format("{}.worker{}", track_, tracks_.size())));
  started_ps_.resize(tracks_.size());
  return tracks_[worker];
}

LogName BackgroundProcessing::name_of(const Task& task) {
  const bool named = task.info.subject < subjects_.size() && subjects_[task.info.subject] != LogName{};
  return named ? subjects_[task.info.subject] : log_.name("task");
}

TaskRecord BackgroundProcessing::record(TaskRecord::What what, LogName track, const Task& task, const TaskRun& run,
                                        std::uint64_t started_ps) {
  return {what,     track,      name_of(task), task.id, task.commit, run.priority == TaskPriority::boosted,
          now_ps(), started_ps, run.cpu_ps};
}

void BackgroundProcessing::task_started(const Task& task, const TaskRun& run) {
  const LogName track = track_of(run.worker);
  started_ps_[run.worker] = now_ps();
  if (log_.enabled()) log_.task(record(TaskRecord::What::started, track, task, run, now_ps()));
}

void BackgroundProcessing::task_finished(const Task& task, const TaskRun& run) {
  cpu_ps_ += run.cpu_ps;
  if (!log_.enabled()) return;
  const LogName track = track_of(run.worker);
  const std::uint64_t since_ps = started_ps_[run.worker];
  log_.span({track, SpanKind::task, name_of(task), since_ps, now_ps(), 0});
  log_.task(record(TaskRecord::What::finished, track, task, run, since_ps));
}

void BackgroundProcessing::task_cancelled(const Task& task) {
  if (!log_.enabled()) return;
  log_.task(record(TaskRecord::What::cancelled, log_.name(track_), task, {}, now_ps()));
}

}  // namespace fenceline
