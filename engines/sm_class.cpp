// SPDX-License-Identifier: Apache-2.0
#include "engines/sm_class.hpp"

#include <algorithm>

namespace fenceline {

void ResidentGroup::postpone(std::uint64_t cycles) {
  event += cycles;
  since += cycles;
  if (due != never) due += cycles;
}

void SmState::postpone(std::uint64_t cycles) {
  for (ResidentGroup& group : residents) group.postpone(cycles);
  launcher_free += cycles;
  retired += cycles;
  look_ahead();
}

bool same_state(const SmState& a, const SmState& b, std::uint64_t cycle, std::uint64_t grid_change_cycles) {
  const std::uint64_t long_ago = cycle - std::min(cycle, grid_change_cycles);
  const auto same_group = [&](const ResidentGroup& x, const ResidentGroup& y) {
    return x.due == y.due && x.grid == y.grid && x.cohort == y.cohort && x.state == y.state &&
           x.memory_done == y.memory_done && x.shares == y.shares && x.event == y.event && x.speed == y.speed &&
           x.need == y.need && x.left_at(cycle) == y.left_at(cycle);
  };
  return a.next == b.next && a.warps == b.warps && a.groups == b.groups && a.registers == b.registers &&
         a.shared_bytes == b.shared_bytes && a.split_bytes == b.split_bytes &&
         std::max(a.launcher_free, cycle) == std::max(b.launcher_free, cycle) &&
         std::max(a.retired, long_ago) == std::max(b.retired, long_ago) &&
         (a.retired <= long_ago || a.retired_grid == b.retired_grid) &&
         std::equal(a.residents.begin(), a.residents.end(), b.residents.begin(), b.residents.end(), same_group);
}

void SmState::look_ahead() {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
  next = never;
  fingerprint = 0;
  for (ResidentGroup& group : residents) {
    if (group.changed) {
      group.due = group.next_event();
      group.changed = false;
    }
    next = std::min(next, group.due);
    fingerprint = (fingerprint + group.due) * odd + group.grid;
  }
}

}  // namespace fenceline
