// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bgproc/modes/background_driver.hpp"
#include "bgproc/modes/processing_mode.hpp"
#include "bgproc/tasks/task_queue.hpp"

#include <functional>
#include <mutex>
#include <string>

namespace fenceline {

/// ID3D12Device6's SetBackgroundProcessingMode: between an application, its driver and the queue of the driver's tasks.
/// One for each device. Every method may be called from any thread, and from inside events, tasks' callbacks and
/// cancels.
class BackgroundRuntime {
 public:
  /// The queue and the driver live longer. Null driver: it does not support background processing, so that changes of
  /// the mode are refused or do nothing.
  BackgroundRuntime(TaskQueue& tasks, BackgroundDriver* driver, bool developer_mode);

  /// Checks the request, tells the driver, makes what is queued then the commit's set, and lets the mode take effect on
  /// new tasks when the driver has returned. `completed` is the event: called once, on whatever thread, when a granted
  /// commit's set has finished, of an empty set or without support before this returns; never else.
  ModeAnswer set_mode(const ModeRequest& request, std::function<void()> completed = {});
  /// `allowed` at first, and what was granted last.
  ProcessingMode mode() const;

 private:
  ProcessingMode exchange_mode(ProcessingMode mode);

  TaskQueue& tasks_;
  BackgroundDriver* driver_;
  bool developer_mode_;
  mutable std::mutex mode_mutex_;
  // One change at a time, before mode_mutex_. Held while the driver is called, one of whose tasks may be cancelled then
  // and change the mode from inside; not while others are told.
  std::recursive_mutex changing_;
  ProcessingMode mode_ = ProcessingMode::allowed;
};

}  // namespace fenceline
