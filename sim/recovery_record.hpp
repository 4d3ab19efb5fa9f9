// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/log_records.hpp"

#include <cstdint>
#include <optional>

namespace fenceline {

/// A step of recovery after a timeout or a page fault (docs/recovery.md).
struct RecoveryRecord {
  enum class Step : std::uint8_t {
    timeout,             ///< a request to preempt was not answered in time
    page_fault,          ///< the operating system knows of a page fault
    no_reset,            ///< the hardware queue is empty: nothing is reset
    dependent_asked,     ///< another engine, which the reset takes along, is asked to stop
    engine_reset,        ///< DxgkDdiResetEngine is called
    engine_reset_done,   ///< and has returned
    adapter_reset,       ///< DxgkDdiResetFromTimeout is called
    adapter_reset_done,  ///< DxgkDdiRestartFromTimeout has returned
    aborted,             ///< a packet was on an engine that was reset
    device_removed,      ///< of a process
    process_blocked,     ///< it gets no device again
    cancelled,           ///< a packet of a removed device that is in no hardware queue
    device_created,      ///< a process has a device again
    bugcheck,            ///< the run ends
    // For who follows packets; no rows of recovery.csv.
    flushed,   ///< all interrupts that the node has raised are handled now
    held,      ///< the node gets nothing, and is asked nothing, from now on
    returned,  ///< an innocent packet goes back to its software queue
    working,   ///< the node gets work again
  };
  Step step;                                      ///< what happens
  std::uint64_t episode = 0;                      ///< of which timeout or fault it is part, from 1; 0: of none
  std::uint64_t at_ps = 0;                        ///< simulated time
  LogName node{};                                 ///< path of the node; empty: of none in particular
  std::optional<std::uint32_t> hardware_queue{};  ///< of the node
  LogName process{};                              ///< its name
  LogName queue{};                                ///< path of the context
  std::uint64_t packet = 0;                       ///< id of the queue packet; 0: none
  std::uint64_t fence_id = 0;                     ///< submission fence id of that; engine_reset: LastAbortedFenceId
  std::optional<std::uint64_t> last_submitted{};  ///< timeout, page_fault: the snapshot's
  std::optional<std::uint64_t> last_completed{};  ///< the same
  LogName reason{};                               ///< of the request, the removal or the bug check
  std::optional<std::uint64_t> requested_ps{};    ///< timeout: the request was made
  LogName list{};                                 ///< aborted: the packet's command list
  LogName command{};                              ///< aborted: the oldest that had begun and not ended; page_fault
  std::optional<std::uint64_t> command_index{};   ///< the same: its place in the list
  std::uint64_t commands_ended = 0;               ///< aborted: of the packet
  std::uint64_t address = 0;                      ///< page_fault: of the access
  LogName resource{};                             ///< page_fault: that was meant
};
constexpr const char* name_of(RecoveryRecord::Step step) {
  switch (step) {
    case RecoveryRecord::Step::timeout: return "timeout";
    case RecoveryRecord::Step::page_fault: return "page_fault";
    case RecoveryRecord::Step::no_reset: return "no_reset";
    case RecoveryRecord::Step::dependent_asked: return "dependent_asked";
    case RecoveryRecord::Step::engine_reset: return "engine_reset";
    case RecoveryRecord::Step::engine_reset_done: return "engine_reset_done";
    case RecoveryRecord::Step::adapter_reset: return "adapter_reset";
    case RecoveryRecord::Step::adapter_reset_done: return "adapter_reset_done";
    case RecoveryRecord::Step::aborted: return "aborted";
    case RecoveryRecord::Step::device_removed: return "device_removed";
    case RecoveryRecord::Step::process_blocked: return "process_blocked";
    case RecoveryRecord::Step::cancelled: return "cancelled";
    case RecoveryRecord::Step::device_created: return "device_created";
    case RecoveryRecord::Step::bugcheck: return "bugcheck";
    case RecoveryRecord::Step::flushed: return "flushed";
    case RecoveryRecord::Step::held: return "held";
    case RecoveryRecord::Step::returned: return "returned";
    case RecoveryRecord::Step::working: return "working";
  }
  return "?";
}

/// It has a row in recovery.csv.
constexpr bool is_row(RecoveryRecord::Step step) { return step < RecoveryRecord::Step::flushed; }

}  // namespace fenceline
