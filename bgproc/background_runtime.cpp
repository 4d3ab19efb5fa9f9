// SPDX-License-Identifier: Apache-2.0
#include "bgproc/background_runtime.hpp"

#include <utility>

namespace fenceline {

BackgroundRuntime::BackgroundRuntime(TaskQueue& tasks, BackgroundDriver* driver, bool developer_mode)
    : tasks_(tasks), driver_(driver), developer_mode_(developer_mode) {}

ModeAnswer BackgroundRuntime::set_mode(const ModeRequest& request, std::function<void()> completed) {
  ModeAnswer answer;
  answer.refusal = refusal_of(request, developer_mode_);
  if (!answer.refusal.empty()) return answer;
  if (driver_ == nullptr) {
    if (commits(request.action) && completed) completed();
    return answer;
  }
  std::unique_lock changing(changing_);
  const bool was_disabled = disables_tasks(exchange_mode(request.mode));
  // What the driver queues in response to a commit runs; disabling counts once it has returned.
  if (!disables_tasks(request.mode) || commits(request.action)) tasks_.set_disabled(false);
  TaskQueueChange change;
  if (commits(request.action)) {
    const bool high_priority = request.action == MeasurementsAction::commit_results_high_priority;
    const std::uint64_t generated_from = high_priority ? tasks_.expect_commit() : tasks_.queued() + 1;
    change.commit = TaskCommit{high_priority, generated_from, std::move(completed)};
  }
  answer.further_desired = driver_->set_background_processing_mode(request.mode, request.action);
  change.disabled = disables_tasks(mode());  // a change from inside the driver's call is the later one
  change.goes_on = was_disabled;
  change.stands = [&changing] { changing.unlock(); };
  answer.commit = tasks_.change(std::move(change));
  return answer;
}

ProcessingMode BackgroundRuntime::exchange_mode(ProcessingMode mode) {
  const std::lock_guard held(mode_mutex_);
  return std::exchange(mode_, mode);
}

ProcessingMode BackgroundRuntime::mode() const {
  const std::lock_guard held(mode_mutex_);
  return mode_;
}

}  // namespace fenceline
