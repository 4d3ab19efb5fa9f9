// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

namespace fenceline {

/// Configured durations, not negative and below max_time_ps, as the picoseconds that models count in: rounded to the
/// nearest.
inline std::uint64_t ps_of_ns(double ns) { return static_cast<std::uint64_t>(std::llround(ns * 1e3)); }
inline std::uint64_t ps_of_us(double us) { return static_cast<std::uint64_t>(std::llround(us * 1e6)); }

}  // namespace fenceline
