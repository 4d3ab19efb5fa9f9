// SPDX-License-Identifier: Apache-2.0
// RulesDispatcher, the family of functions that stop grids before their end.
#include "engines/shader_array/rules/rules_dispatcher.hpp"

#include <algorithm>

namespace fenceline {

void RulesDispatcher::halt(std::uint32_t grid, PreemptionLevel level, bool at_edge) {
  halts_.push_back({grid, level, at_edge && !traits_of(level).has(level_rule::stops_threads)});
}

std::vector<std::uint32_t> RulesDispatcher::accessing(std::uint32_t grid) const {
  std::vector<std::uint32_t> cohorts;
  for (const PlainSm& sm : sms_) {
    for (const PlainGroup& group : sm.residents()) {
      if (group.grid == grid && !group.memory_done) cohorts.push_back(group.cohort);
    }
  }
  std::sort(cohorts.begin(), cohorts.end());
  cohorts.erase(std::unique(cohorts.begin(), cohorts.end()), cohorts.end());
  return cohorts;
}

/// Begins the halts that come before placing, or those that come after.
void RulesDispatcher::begin_halts(bool after_placing) {
  for (const Halt& halt : halts_) {
    GridState& state = grids_[halt.grid];
    // One without groups may have had its turn just now.
    if (state.over || state.complete || halt.after_placing != after_placing) continue;
    if (!state.halting) {
      state.halting = halt.level;
      for (PlainSm& sm : sms_) {
        if (sm.promised && sm.promised_grid == halt.grid) sm.promised = false;
      }
      state.promised = 0;
      state.wanted = groups_to_boundary(state.grid, state.unplaced);
    }
    state.halting = std::max(*state.halting, halt.level);
    if (!traits_of(halt.level).has(level_rule::stops_groups)) continue;
    state.wanted = 0;
    take_off(halt.grid, halt.level);
  }
  broken_off_.clear();
}

/// At level `thread` only groups that have not begun, nor their memory accesses.
void RulesDispatcher::take_off(std::uint32_t slot, PreemptionLevel level) {
  GridState& state = grids_[slot];
  std::vector<TakenGroups> taken;
  for (PlainSm& sm : sms_) {
    bool saves = false;
    const auto goes = [&](const PlainGroup& group) {
      const bool untouched = group.start > cycle_ && state.bytes == 0;
      if (group.grid != slot || group.leaving || (!traits_of(level).has(level_rule::stops_threads) && !untouched))
        return false;
      cohorts_.leave(group.cohort, 1, cycle_, events_.ended);
      sm.release(group.need);
      state.leave(1, residents_);
      if (!group.memory_done) state.accessing -= 1;
      if (untouched) {  // as if it had never had a place
        state.unplaced += 1;
        groups_run_ -= 1;
        return true;
      }
      const std::uint64_t begun = std::max(group.start, cycle_);
      const std::uint64_t fixed = std::max(group.fixed_end, cycle_) - begun;
      const std::uint64_t overhead = std::max(group.issue_from, cycle_) - begun;
      taken.push_back({group.memory_done ? no_cohort : group.cohort, {1, fixed, overhead, group.instructions, 0}});
      state.left.threads += state.grid.footprint.threads;
      state.left.register_bytes += std::uint64_t{group.need.registers} * sizeof(std::uint32_t);
      if (config_.shared_splits_kib.empty()) state.left.shared_bytes += group.need.shared_bytes;
      saves = true;
      return true;
    };
    std::vector<PlainGroup>& groups = sm.residents();
    groups.erase(std::remove_if(groups.begin(), groups.end(), goes), groups.end());
    if (saves && !config_.shared_splits_kib.empty()) state.left.shared_bytes += sm.split_bytes;
  }
  share_memory(taken, broken_off_);
  for (const TakenGroups& one : taken) state.left.saved.push_back(one.saved);
  state.left.sort_saved();
}

}  // namespace fenceline
