// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/display/output_config.hpp"
#include "scheduler/display/variable_refresh.hpp"
#include "scheduler/display/vblank_clock.hpp"

#include <cstdint>
#include <optional>

namespace fenceline {

/// The refreshes of an output, each of which begins at a vertical blank: number 0 at time 0. At a fixed rate, or at a
/// variable one as frames come.
class Refreshes {
 public:
  explicit Refreshes(const OutputConfig& config) : fixed_(config.refresh_hz) {
    if (config.variable_refresh_min_hz) variable_.emplace(config.refresh_hz, *config.variable_refresh_min_hz);
  }

  /// The last vertical blank at or before that time, which is not before the last frame came on screen.
  std::uint64_t last_at(std::uint64_t time_ps) const {
    return variable_ ? variable_->last_at(time_ps) : fixed_.last_at(time_ps);
  }
  /// When that one is; at a variable rate one since the last frame came on screen, where none comes.
  std::uint64_t time_of(std::uint64_t vblank) const {
    return variable_ ? variable_->time_of(vblank) : fixed_.time_of(vblank);
  }
  /// When one after the last at `now_ps` may be for a frame that is ready now.
  std::uint64_t earliest(std::uint64_t vblank, std::uint64_t now_ps) const {
    return variable_ ? variable_->earliest(vblank, now_ps) : fixed_.time_of(vblank);
  }
  /// A frame has come on screen at it; frames on screen stay until `until` at least.
  void began(std::uint64_t vblank, std::uint64_t time_ps, std::uint64_t until) {
    if (variable_) variable_->began(vblank, time_ps, until);
  }
  /// The screen is being scanned out: at a variable rate there are pauses in between.
  bool under_way(std::uint64_t time_ps) const { return !variable_ || variable_->under_way(time_ps); }
  bool variable() const { return variable_.has_value(); }  ///< frames decide when they begin

 private:
  VblankClock fixed_;
  std::optional<VariableRefresh> variable_;
};

}  // namespace fenceline
