// SPDX-License-Identifier: Apache-2.0
#include "scheduler/display/variable_refresh.hpp"

#include "scheduler/display/vblank_clock.hpp"

#include <algorithm>

namespace fenceline {

VariableRefresh::VariableRefresh(double most_hz, double least_hz)
    : short_ps_(VblankClock(most_hz).time_of(1)), long_ps_(VblankClock(least_hz).time_of(1)) {}

std::uint64_t VariableRefresh::last_at(std::uint64_t time_ps) const {
  const std::uint64_t since_ps = time_ps - began_ps_;
  const std::uint64_t held_ps = (held_ - 1) * short_ps_;
  if (since_ps < held_ps) return refresh_ + since_ps / short_ps_;
  return refresh_ + held_ - 1 + (since_ps - held_ps) / long_ps_;
}

std::uint64_t VariableRefresh::time_of(std::uint64_t refresh) const {
  const std::uint64_t further = refresh - refresh_;
  const std::uint64_t fast = std::min(further, held_ - 1);
  return began_ps_ + fast * short_ps_ + (further - fast) * long_ps_;
}

std::uint64_t VariableRefresh::earliest(std::uint64_t refresh, std::uint64_t now_ps) const {
  const std::uint64_t last = last_at(now_ps);
  return std::max(now_ps, time_of(last) + (refresh - last) * short_ps_);
}

void VariableRefresh::began(std::uint64_t refresh, std::uint64_t time_ps, std::uint64_t until) {
  refresh_ = refresh;
  began_ps_ = time_ps;
  held_ = std::max(until, refresh + 1) - refresh;
}

}  // namespace fenceline
