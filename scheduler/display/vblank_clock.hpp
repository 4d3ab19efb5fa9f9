// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fenceline {

/// When a screen's vertical blanks are: number k, from 0 on, stands at ceil(k * 1e15 / mHz) ps in 128-bit arithmetic,
/// so no error accumulates. Nothing runs: it is asked.
class VblankClock {
 public:
  /// `refresh_hz` > 0, kept to the millihertz (59.94 is exact).
  explicit VblankClock(double refresh_hz);

  /// The last vertical blank at or before that time.
  std::uint64_t last_at(std::uint64_t time_ps) const;
  std::uint64_t time_of(std::uint64_t vblank) const;

 private:
  std::uint64_t refresh_mhz_;
};

}  // namespace fenceline
