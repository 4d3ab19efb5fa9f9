// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace fenceline {

/// Simulated time stays below 2^63 ps, 106 days: sc_time is 64 bits of picoseconds and wraps silently.
constexpr std::uint64_t max_time_ps = std::uint64_t{1} << 63;

/// The work asked for would take a machine beyond max_time_ps. `who` is the path of the module that noticed.
[[noreturn]] inline void throw_time_overflow(const std::string& who) {
  throw std::overflow_error(who + ": simulated time goes beyond 2^63 ps (106 days)");
}

}  // namespace fenceline
