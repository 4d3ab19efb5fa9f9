// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

/// A timeout or page fault of a run, and what followed from it.
struct RecoveryEpisode {
  /// A packet that was on an engine that was reset.
  struct Aborted {
    std::string process;                         ///< its name
    std::string queue;                           ///< path of the queue
    std::string list;                            ///< its command list
    std::uint64_t packet;                        ///< its number in the log
    std::optional<std::uint64_t> command_index;  ///< the oldest command that had begun and not ended
    std::string command;                         ///< what that is called
    std::uint64_t commands_ended;                ///< of its commands
  };
  /// A device that was removed.
  struct Removed {
    std::string process;  ///< whose it was
    std::string reason;   ///< device_hung or device_reset
  };
  bool timeout = false;                       ///< else a page fault
  std::string node;                           ///< path of the engine
  std::string reason;                         ///< of the request to preempt; of a fault: read or write
  std::optional<std::uint64_t> requested_ps;  ///< the request was made
  std::uint64_t at_ps = 0;                    ///< the timeout or fault
  std::optional<std::uint64_t> reset_ps;      ///< the first reset began
  std::optional<std::uint64_t> over_ps;       ///< the last one was over
  std::string kind = "none";                  ///< none, engine, adapter or bugcheck
  std::string bugcheck_code;                  ///< 0x141, 0x117 or 0x116; empty: none
  std::uint64_t address = 0;                  ///< of a fault
  std::string resource;                       ///< of a fault: that was meant
  std::vector<Aborted> aborted;               ///< in their order
  std::vector<Removed> removed;               ///< in their order
  std::vector<std::string> blocked;           ///< processes that get no device again
  std::uint64_t resubmitted = 0;              ///< innocent packets that were on an engine
  std::uint64_t discarded = 0;                ///< packets of removed devices that were in no hardware queue
};

}  // namespace fenceline
