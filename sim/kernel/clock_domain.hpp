// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fenceline {

/// Cycles and picoseconds of one clock. Cycles are the truth: edge n stands at
/// ceil(n * 1e9 / kHz) ps in 128-bit arithmetic, so the error stays below 1 ps and never accumulates.
class ClockDomain {
 public:
  /// `khz` > 0, at most 1e9 (1 THz: one edge per picosecond).
  explicit ClockDomain(std::uint64_t khz);
  /// What machine files give, to the nearest kHz: from 1e-3 to 1e6 MHz.
  static ClockDomain of_mhz(double mhz);

  std::uint64_t khz() const { return khz_; }
  /// The last edge at or before `time_ps`, counted since time 0.
  std::uint64_t cycle_at(std::uint64_t time_ps) const;
  /// The first edge at or after `time_ps`.
  std::uint64_t first_edge_from(std::uint64_t time_ps) const;
  /// When an edge is.
  std::uint64_t time_of(std::uint64_t cycle) const;
  /// End of work of `cycles` that begins at the first edge at or after `time_ps`. Zero cycles take no time at all.
  std::uint64_t after(std::uint64_t time_ps, std::uint64_t cycles) const;
  /// Shortest time that holds `cycles` whole cycles, from any edge.
  std::uint64_t duration_ps(std::uint64_t cycles) const;

 private:
  std::uint64_t khz_;
};

}  // namespace fenceline
