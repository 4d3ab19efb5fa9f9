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
  const std::lock_guard changing(changing_);
  {
    const std::lock_guard held(mode_mutex_);
    mode_ = request.mode;
  }
  const bool disables = disables_tasks(request.mode);
  // What the driver queues in response to a commit runs; disabling counts once it has returned.
  if (!disables || commits(request.action)) tasks_.set_disabled(false);
  answer.further_desired = driver_->set_background_processing_mode(request.mode, request.action);
  if (commits(request.action)) {
    const bool high_priority = request.action == MeasurementsAction::commit_results_high_priority;
    answer.commit = tasks_.commit(high_priority, std::move(completed));
  }
  if (disables) tasks_.set_disabled(true);
  return answer;
}

ProcessingMode BackgroundRuntime::mode() const {
  const std::lock_guard held(mode_mutex_);
  return mode_;
}

}  // namespace fenceline
