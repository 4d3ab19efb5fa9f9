// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include <algorithm>
#include <cstdint>

namespace fenceline {

/// Time of one simulation. SystemC's own stays behind while a process runs ahead (Kernel::run_ahead).
struct SimulatedTime {
  std::uint64_t now_ps() const { return std::max<std::uint64_t>(systemc->value(), ahead_ps); }

  const sc_core::sc_time* systemc;  ///< of the context
  std::uint64_t ahead_ps = 0;       ///< how far a process has run ahead
};

/// Of the kernel that a host thread is inside of; there is no more than one.
extern const SimulatedTime* simulated_time;

/// Simulated time of the kernel whose process is running, picoseconds. What SystemC's sc_time_stamp says may lie
/// before it.
inline std::uint64_t now_ps() { return simulated_time->now_ps(); }

}  // namespace fenceline
