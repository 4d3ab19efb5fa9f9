// SPDX-License-Identifier: Apache-2.0
#include "scheduler/policies/band_floor.hpp"

#include <algorithm>
#include <cmath>

namespace fenceline {

BandFloor::BandFloor(double percentage)
    : parts_(static_cast<std::uint64_t>(std::llround(percentage * static_cast<double>(whole) / 100))),
      most_owed_(window_ps / whole * parts_ * (whole - parts_)) {}

void BandFloor::advance(std::uint64_t now_ps, const Use& use) {
  // Nothing of interest lasts longer than a window: the product stays far below 2^64.
  const std::uint64_t passed_ps =
      std::min(now_ps - last_ps_, 2 * window_ps / std::max<std::uint64_t>(1, parts_) * whole);
  last_ps_ = now_ps;
  if (enabled() && use_.contended) {
    if (use_.normal_runs) {
      owed_ -= std::min(owed_, std::min(passed_ps, window_ps) * (whole - parts_));
    } else {
      owed_ = std::min(most_owed_, owed_ + passed_ps * parts_);
    }
    if (owed_ == most_owed_) normal_first_ = true;
    if (owed_ == 0) normal_first_ = false;
  }
  use_ = use;
}

std::uint64_t BandFloor::next_change_ps() const {
  if (!enabled() || !use_.contended || use_.normal_runs != normal_first_) return never;
  const auto until = [this](std::uint64_t owed, std::uint64_t rate) { return last_ps_ + (owed + rate - 1) / rate; };
  return normal_first_ ? until(owed_, whole - parts_) : until(most_owed_ - owed_, parts_);
}

}  // namespace fenceline
