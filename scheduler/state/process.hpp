// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/command.hpp"
#include "scheduler/policies/priority.hpp"
#include "sim/log.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace fenceline {

/// What the scheduler knows of a process.
struct Process {
  ProcessConfig config;
  LogName name;
  std::uint64_t slice_ps;   ///< of its turns on a runlist
  std::uint64_t switch_ps;  ///< what changing to it takes there
  bool has_contexts = false;
  std::uint64_t without_present_ps = 0;    ///< engine time since `counted_from_ps`, of what has ended
  std::uint64_t counted_from_ps = 0;       ///< its last present, or when it got the focus
  bool outstayed = false;                  ///< that was more than the focus is kept for
  bool removed = false;                    ///< its device is: what it submits is discarded
  bool blocked = false;                    ///< it gets no device again
  std::vector<std::uint64_t> resets_ps{};  ///< of engines that it has caused
  std::optional<FaultingAccess> fault{};   ///< its last page fault since it has had a device
};

}  // namespace fenceline
