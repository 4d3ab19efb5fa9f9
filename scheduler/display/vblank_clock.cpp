// SPDX-License-Identifier: Apache-2.0
#include "scheduler/display/vblank_clock.hpp"

#include <cmath>

namespace fenceline {
namespace {

__extension__ using Wide = unsigned __int128;
constexpr std::uint64_t ps_mhz = 1'000'000'000'000'000;  // picoseconds in a period of 1 mHz

}  // namespace

VblankClock::VblankClock(double refresh_hz)
    : refresh_mhz_(static_cast<std::uint64_t>(std::llround(refresh_hz * 1e3))) {}

std::uint64_t VblankClock::last_at(std::uint64_t time_ps) const {
  return static_cast<std::uint64_t>(Wide{time_ps} * refresh_mhz_ / ps_mhz);
}

std::uint64_t VblankClock::time_of(std::uint64_t vblank) const {
  return static_cast<std::uint64_t>((Wide{vblank} * ps_mhz + refresh_mhz_ - 1) / refresh_mhz_);
}

}  // namespace fenceline
