// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array/sm_class.hpp"

#include <algorithm>

namespace fenceline {
void ResidentGroup::postpone(std::uint64_t cycles) {
  start += cycles;
  fixed_end += cycles;
  if (issue.end != never) issue.end += cycles;
  issue.start += cycles;
  if (due != never) due += cycles;
}

void SmState::postpone(std::uint64_t cycles) {
  for (ResidentGroup& group : residents) group.postpone(cycles);
  room.postpone(cycles);
  launcher_free += cycles;
  retired += cycles;
  look_ahead();
}

std::uint64_t SmState::next_issue_change(std::uint64_t cycle) const {
  std::uint64_t next_change = never;
  for (const ResidentGroup& group : residents) {
    if (group.issue.end <= cycle) continue;
    next_change = std::min(next_change, group.issue.start > cycle ? group.issue.start : group.issue.end);
  }
  return next_change;
}

bool same_state(const SmState& a, const SmState& b, std::uint64_t cycle, std::uint64_t grid_change_cycles) {
  const std::uint64_t long_ago = cycle - std::min(cycle, grid_change_cycles);
  const auto same_from_now = [cycle](std::uint64_t x, std::uint64_t y) {
    return std::max(x, cycle) == std::max(y, cycle);
  };
  // What they leave of the SM's units follows from what they issue.
  const auto same_group = [&](const ResidentGroup& x, const ResidentGroup& y) {
    return x.due == y.due && x.grid == y.grid && x.cohort == y.cohort && x.memory_done == y.memory_done &&
           x.leaving == y.leaving && same_from_now(x.start, y.start) && same_from_now(x.fixed_end, y.fixed_end) &&
           same_from_now(x.issue.start, y.issue.start) && same_from_now(x.issue.end, y.issue.end) &&
           (x.issue.end <= cycle || x.issue.slack == y.issue.slack) && x.need == y.need;
  };
  return a.next == b.next && a.warps == b.warps && a.groups == b.groups && a.registers == b.registers &&
         a.shared_bytes == b.shared_bytes && a.split_bytes == b.split_bytes && a.promised == b.promised &&
         (!a.promised || a.promised_grid == b.promised_grid) && same_from_now(a.launcher_free, b.launcher_free) &&
         std::max(a.retired, long_ago) == std::max(b.retired, long_ago) &&
         (a.retired <= long_ago || a.retired_grid == b.retired_grid) &&
         std::equal(a.residents.begin(), a.residents.end(), b.residents.begin(), b.residents.end(), same_group);
}

}  // namespace fenceline
