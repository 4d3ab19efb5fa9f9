// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include <cstdint>

namespace fenceline {

/// Simulated time of the kernel whose process is running, picoseconds. As sc_time_stamp, without a call: it is asked
/// for several times in every event.
inline std::uint64_t now_ps() { return sc_core::sc_get_curr_simcontext()->time_stamp().value(); }

}  // namespace fenceline
