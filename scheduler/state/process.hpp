// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/policies/priority.hpp"
#include "sim/log.hpp"

#include <cstdint>

namespace fenceline {

/// What the scheduler knows of a process.
struct Process {
  ProcessConfig config;
  LogName name;
  std::uint64_t slice_ps;   ///< of its turns on a runlist
  std::uint64_t switch_ps;  ///< what changing to it takes there
  bool has_contexts = false;
  static constexpr std::uint64_t no_packet = ~std::uint64_t{0};
  std::uint64_t in_error_from = no_packet;  ///< its device is in error: the packet from which on all are discarded
  std::uint64_t without_present_ps = 0;     ///< engine time since `counted_from_ps`, of what has ended
  std::uint64_t counted_from_ps = 0;        ///< its last present, or when it got the focus
  bool outstayed = false;                   ///< that was more than the focus is kept for
};

}  // namespace fenceline
