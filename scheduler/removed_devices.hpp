// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/config/context_config.hpp"
#include "scheduler/context_log.hpp"
#include "scheduler/context_queues.hpp"
#include "scheduler/state/scheduler_state.hpp"
#include "sim/log.hpp"

#include <cstdint>
#include <functional>

namespace fenceline {

/// Why a process's device was removed.
enum class RemovalReason : std::uint8_t {
  hung,   ///< DXGI_ERROR_DEVICE_HUNG: a packet of its own was aborted
  reset,  ///< DXGI_ERROR_DEVICE_RESET: the adapter was, for another one's
  leak,   ///< a piece of a split list of its own leaked bindings, and was rejected
};
constexpr const char* name_of(RemovalReason reason) {
  switch (reason) {
    case RemovalReason::hung: return "device_hung";
    case RemovalReason::reset: return "device_reset";
    case RemovalReason::leak: return "binding_leak";
  }
  return "?";
}

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
