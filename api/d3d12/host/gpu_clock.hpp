// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/timestamp_clock.hpp"

#include <cstdint>

namespace fenceline::d3d12 {

/// What stands in for QueryPerformanceCounter: simulated time in the 10 MHz ticks of Windows.
constexpr std::uint64_t ps_per_counter_tick = 100'000;

}  // namespace fenceline::d3d12
