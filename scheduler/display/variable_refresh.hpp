// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fenceline {

/// When the refreshes of a screen of variable rate begin. Nothing runs: it is told of those that begin for a frame, and
/// asked. Source: rules 9 to 12 of docs/display.md.
///
/// A refresh takes the short period and is not cut short. Where no frame comes the next one begins after the long
/// period; those of a frame that stays for several follow each other after the short one.
class VariableRefresh {
 public:
  /// At its fastest and its slowest rate, Hz, to the millihertz; the first is refresh 0 at time 0.
  VariableRefresh(double most_hz, double least_hz);

  /// The last refresh that has begun by then, where no frame begins one meanwhile.
  std::uint64_t last_at(std::uint64_t time_ps) const;
  /// When it began or will, where no frame comes: of one since the last that a frame began.
  std::uint64_t time_of(std::uint64_t refresh) const;
  /// When a refresh after the last one at `now_ps` may begin for a frame that is there now.
  std::uint64_t earliest(std::uint64_t refresh, std::uint64_t now_ps) const;
  /// One takes place.
  bool under_way(std::uint64_t time_ps) const { return time_ps < time_of(last_at(time_ps)) + short_ps_; }
  /// A frame has begun it; frames on screen stay until refresh `until` at least.
  void began(std::uint64_t refresh, std::uint64_t time_ps, std::uint64_t until);

 private:
  std::uint64_t short_ps_;
  std::uint64_t long_ps_;
  std::uint64_t refresh_ = 0;  // the last that a frame began
  std::uint64_t began_ps_ = 0;
  std::uint64_t held_ = 1;  // so many from that one on follow each other without a pause
};

}  // namespace fenceline
