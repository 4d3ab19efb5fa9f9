// SPDX-License-Identifier: Apache-2.0
#include "bgproc/background_processing.hpp"

#include "sim/duration.hpp"
#include "sim/kernel/now.hpp"

#include <fmt/format.h>

#include <utility>

namespace fenceline {

BackgroundProcessing::BackgroundProcessing(const BackgroundConfig& config, CpuCores& cores, EventLog& log,
                                           const std::string& track, std::function<void()> news, const IdleCalls& calls)
    : config_(config),
      log_(log),
      track_(track),
      news_(std::move(news)),
      simulated_(cores, ps_of_us(config.task_us)),
      host_(config.executor == TaskExecution::host ? std::make_optional<HostExecutor>(config.parallel_tasks, calls)
                                                   : std::nullopt),
      tasks_({config.parallel_tasks, config.disabling_cancels},
             host_ ? static_cast<TaskExecutor&>(*host_) : static_cast<TaskExecutor&>(simulated_), this),
      driver_(config.pgo, tasks_),
      runtime_(tasks_, driver(), config.developer_mode) {}

BackgroundProcessing::~BackgroundProcessing() { end(); }

void BackgroundProcessing::end() {
  tasks_.close();
  take_news();
}

ModeAnswer BackgroundProcessing::set_mode(const ModeRequest& request, std::function<void()> completed) {
  if (host_ && completed) {
    completed = [this, call = std::move(completed)] { news_.leave(call); };
  }
  ModeAnswer answer = runtime_.set_mode(request, std::move(completed));
  take_news();
  return answer;
}

/// Host threads leave it for the simulation.
void BackgroundProcessing::tell(std::function<void()> call) {
  if (host_) {
    news_.leave(std::move(call));
  } else {
    call();
  }
}

BackgroundStatistics BackgroundProcessing::statistics() const {
  BackgroundStatistics all;
  const TaskCounts tasks = tasks_.counts();
  all.queued = tasks.queued;
  all.finished = tasks.finished;
  all.cancelled = tasks.cancelled;
  all.pending = tasks.pending();
  all.cpu_ps = cpu_ps_;
  all.dropped = driver_.dropped();
  for (const PgoUsage& one : driver_.usage()) {
    const LogName name = one.number < subjects_.size() ? subjects_[one.number] : LogName{};
    all.pipelines.push_back({std::string(log_.text(name)), one.executions, one.variants, one.specialised,
                             one.saved_instructions, one.patterns, one.branch_misses, one.resource_misses,
                             one.promised_instructions});
    all.variants += one.variants;
    all.specialised += one.specialised;
    all.saved_instructions += one.saved_instructions;
  }
  return all;
}

void BackgroundProcessing::name_subject(std::uint64_t subject, const std::string& name) {
  if (subject >= subjects_.size()) subjects_.resize(subject + 1);
  subjects_[subject] = log_.name(name);
}

BackgroundProcessing::Worker& BackgroundProcessing::worker(std::uint32_t number) {
  const auto [at, is_new] = workers_.try_emplace(number);
  if (is_new) at->second.track = log_.name(fmt::format("{}.worker{}", track_, workers_.size() - 1));
  return at->second;
}

LogName BackgroundProcessing::name_of(const Task& task) {
  const bool named = task.info.subject < subjects_.size() && subjects_[task.info.subject] != LogName{};
  return named ? subjects_[task.info.subject] : log_.name("task");
}

TaskRecord BackgroundProcessing::record(TaskRecord::What what, LogName track, const Task& task, const TaskRun& run,
                                        std::uint64_t started_ps) {
  return {
      what,     track,      name_of(task), task.id,       task.commit,           run.priority == TaskPriority::boosted,
      now_ps(), started_ps, run.cpu_ps,    run.processor, host_ ? run.worker : 0};
}

void BackgroundProcessing::task_started(const Task& task, const TaskRun& run) {
  tell([this, task, run] { log_start(task, run); });
}

void BackgroundProcessing::task_finished(const Task& task, const TaskRun& run) {
  tell([this, task, run] { log_end(task, run); });
}

void BackgroundProcessing::task_cancelled(const Task& task) {
  tell([this, task] { log_cancel(task); });
}

void BackgroundProcessing::log_start(const Task& task, const TaskRun& run) {
  Worker& here = worker(run.worker);
  here.started_ps = now_ps();
  if (log_.enabled()) log_.task(record(TaskRecord::What::started, here.track, task, run, now_ps()));
  log_refused();
}

void BackgroundProcessing::log_end(const Task& task, const TaskRun& run) {
  cpu_ps_ += run.cpu_ps;
  if (!log_.enabled()) return;
  const Worker& here = worker(run.worker);
  log_.span({here.track, SpanKind::task, name_of(task), here.started_ps, now_ps(), task.id});
  log_.task(record(TaskRecord::What::finished, here.track, task, run, here.started_ps));
}

void BackgroundProcessing::log_cancel(const Task& task) {
  if (!log_.enabled()) return;
  log_.task(record(TaskRecord::What::cancelled, log_.name(track_), task, {}, now_ps()));
}

/// What the system refused to host threads, each once.
void BackgroundProcessing::log_refused() {
  if (!host_) return;
  const std::vector<std::string> refused = host_->refused();
  for (; told_refused_ < refused.size(); ++told_refused_) {
    log_.message({Severity::warning, log_.name(track_), now_ps(),
                  "host threads of background tasks: " + refused[told_refused_]});
  }
}

}  // namespace fenceline
