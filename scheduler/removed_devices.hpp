// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/config/context_config.hpp"
#include "scheduler/context_log.hpp"
#include "scheduler/context_queues.hpp"
#include "scheduler/recovery/removal_reason.hpp"
#include "scheduler/state/scheduler_state.hpp"
#include "sim/log.hpp"

#include <cstdint>
#include <functional>

namespace fenceline {

/// The devices of processes, one each: what happens to their packets when one is removed.
class RemovedDevices {
 public:
  RemovedDevices(SchedulerState& state, ContextLog& log, ContextQueues& queues)
      : s_(state), log_(log), queues_(queues) {}

  /// `told` hears of each removal once the device's packets have been cancelled.
  void on_removal(std::function<void(ProcessId, RemovalReason)> told) { told_ = std::move(told); }
  /// As part of an episode. `blocks`: the process gets no device again.
  void remove(std::uint32_t process, RemovalReason reason, std::uint64_t episode, bool blocks);
  /// The device is released, and another one is there. False: it is not removed, or gets none.
  bool create(std::uint32_t process);
  /// Throws away what the process, or every one, has in no hardware queue.
  void cancel(std::uint32_t process, std::uint64_t episode);

 private:
  void cancel_context(std::uint32_t index, std::uint64_t episode);

  SchedulerState& s_;
  ContextLog& log_;
  ContextQueues& queues_;
  std::function<void(ProcessId, RemovalReason)> told_;
};

}  // namespace fenceline
