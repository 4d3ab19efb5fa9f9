// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fenceline {

/// GPU time stamps count nanoseconds of simulated time, as NVIDIA's do.
constexpr std::uint64_t timestamp_frequency = 1'000'000'000;
constexpr std::uint64_t timestamp_ticks(std::uint64_t time_ps) { return time_ps / 1000; }

}  // namespace fenceline
