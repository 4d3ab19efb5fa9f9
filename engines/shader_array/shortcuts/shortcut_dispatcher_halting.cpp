// SPDX-License-Identifier: Apache-2.0
// ShortcutDispatcher, the family of functions that stop grids before their end.
#include "engines/shader_array/shortcuts/shortcut_dispatcher.hpp"

#include <algorithm>

namespace fenceline {

void ShortcutDispatcher::halt(std::uint32_t grid, PreemptionLevel level, bool at_edge) {
  halts_.push_back({grid, level, at_edge && !traits_of(level).has(level_rule::stops_threads)});
}

std::vector<std::uint32_t> ShortcutDispatcher::accessing(std::uint32_t grid) const {
  std::vector<std::uint32_t> cohorts;
  for (const SmClass& sms : pool_.classes()) {
    for (const ResidentGroup& group : sms.residents) {
      if (group.grid == grid && !group.memory_done) cohorts.push_back(group.cohort);
    }
  }
  std::sort(cohorts.begin(), cohorts.end());
  cohorts.erase(std::unique(cohorts.begin(), cohorts.end()), cohorts.end());
  return cohorts;
}

void ShortcutDispatcher::break_off_memory(std::uint32_t cohort, const CohortMemory& left) {
  broken_off_[cohort] = left;
}

/// Begins the halts that come before placing, or those that come after.
void ShortcutDispatcher::begin_halts(bool after_placing) {
  for (const Halt& halt : halts_) {
    GridState& state = grids_[halt.grid];
    if (state.over || halt.after_placing != after_placing) continue;
    // One without groups may have had its turn just now.
    if (std::find(complete_.begin(), complete_.end(), halt.grid) != complete_.end()) continue;
    if (!state.halting) {
      halting_.push_back(halt.grid);
      state.halting = halt.level;
      if (state.promised > 0) take_back(halt.grid);
      state.wanted = groups_to_boundary(state.grid, state.unplaced);
    }
    places_may_fit_ = true;  // for those behind it, and it goes from those who wait
    state.halting = std::max(*state.halting, halt.level);
    if (traits_of(halt.level).has(level_rule::stops_groups)) {
      state.wanted = 0;
      take_off(halt.grid, halt.level);
    }
  }
  broken_off_.clear();
}

/// Groups that wait on SMs of their own are no more sent there.
void ShortcutDispatcher::take_back(std::uint32_t slot) {
  grids_[slot].promised = 0;
  for (SmClass& sms : pool_.classes()) {
    if (!sms.promised || sms.promised_grid != slot) continue;
    sms.promised = false;
    sms.left_by_some = left_by_some_ = true;
  }
}

/// Nobody can name them any more.
void ShortcutDispatcher::forget_grids() {
  for (const std::uint32_t slot : over_) grids_.remove(slot);
  over_.clear();
}

/// At level `thread` only groups that have not begun, nor their memory accesses.
void ShortcutDispatcher::take_off(std::uint32_t slot, PreemptionLevel level) {
  GridState& state = grids_[slot];
  const auto untouched = [&](const ResidentGroup& group) { return group.start > cycle_ && state.bytes == 0; };
  const auto stays = [&](const ResidentGroup& group) {
    if (group.grid != slot || group.leaving) return true;
    return !traits_of(level).has(level_rule::stops_threads) && !untouched(group);
  };
  std::vector<TakenGroups> taken;
  for (SmClass& sms : pool_.classes()) {
    if (std::all_of(sms.residents.begin(), sms.residents.end(), stays)) continue;
    sms.left_by_some = left_by_some_ = places_may_fit_ = true;
    const std::vector<ResidentGroup::Wide> instructions = instructions_left(sms);
    bool saves = false;
    const std::uint64_t groups = sms.sms.size();
    for (std::size_t i = 0; i < sms.residents.size(); ++i) {
      const ResidentGroup& group = sms.residents[i];
      if (stays(group)) continue;
      cohorts_.leave(group.cohort, groups, cycle_, events_.ended);
      sms.leave(group);
      state.leave(groups, residents_);
      if (!group.memory_done) state.accessing -= groups;
      if (untouched(group)) {  // as if it had never had a place
        state.unplaced += groups;
        groups_run_ -= groups;
        continue;
      }
      const std::uint64_t fixed = std::max(group.fixed_end, cycle_) - std::max(group.start, cycle_);
      const std::uint64_t overhead = std::max(group.issue.start, cycle_) - std::max(group.start, cycle_);
      taken.push_back({group.memory_done ? no_cohort : group.cohort, {groups, fixed, overhead, instructions[i], 0}});
      state.left.threads += groups * state.grid.footprint.threads;
      state.left.register_bytes += groups * group.need.registers * sizeof(std::uint32_t);
      if (config_.shared_splits_kib.empty()) state.left.shared_bytes += groups * group.need.shared_bytes;
      saves = true;
    }
    if (saves && !config_.shared_splits_kib.empty()) state.left.shared_bytes += groups * sms.split_bytes;
    keep(sms, stays, instructions);
  }
  share_memory(taken, broken_off_);
  for (const TakenGroups& one : taken) state.left.saved.push_back(one.saved);
  state.left.sort_saved();
  if (!taken.empty() || state.unplaced > 0) expect_anew(slot);
}

/// The grid stops before its end; with its groups gone, others end sooner.
void ShortcutDispatcher::expect_anew(std::uint32_t stopped) {
  const auto gone =
      std::remove_if(ending_.begin(), ending_.end(), [=](const Ending& one) { return one.grid == stopped; });
  ending_.erase(gone, ending_.end());
  // Its end, or that of another, may have been told with this very step.
  const auto forget = [this](std::uint32_t slot) {
    const Grid& grid = grids_[slot].grid;
    const auto told = std::remove_if(events_.foretold.begin(), events_.foretold.end(), [&](const ForetoldGrid& one) {
      return one.owner == grid.owner && one.tag == grid.tag;
    });
    events_.foretold.erase(told, events_.foretold.end());
  };
  forget(stopped);
  const auto for_each_at_work = [this](auto&& visit) {
    for (const SmClass& sms : pool_.classes()) {
      for (const ResidentGroup& group : sms.residents) {
        if (!group.leaving) visit(grids_[group.grid], group);
      }
    }
  };
  for_each_at_work([](GridState& state, const ResidentGroup&) { state.work_end = 0; });
  std::vector<std::uint32_t> foretold;
  for_each_at_work([&](GridState& state, const ResidentGroup& group) {
    state.work_end = std::max(state.work_end, group.work_end());
    if (state.grid.foretold) foretold.push_back(group.grid);
  });
  std::sort(foretold.begin(), foretold.end(),
            [this](std::uint32_t a, std::uint32_t b) { return grids_[a].number < grids_[b].number; });
  foretold.erase(std::unique(foretold.begin(), foretold.end()), foretold.end());
  for (const std::uint32_t slot : foretold) {
    forget(slot);
    expect_end(slot);
  }
  next_end_ = never;
  for (Ending& ending : ending_) {
    const GridState& state = grids_[ending.grid];
    if (state.running > 0) ending.cycle = std::max(state.work_end, cycle_);
    next_end_ = std::min(next_end_, ending.cycle);
  }
}

/// Of each resident, as of this cycle.
std::vector<ResidentGroup::Wide> ShortcutDispatcher::instructions_left(const SmClass& sms) const {
  std::vector<ResidentGroup::Wide> left(sms.residents.size());
  for (std::uint64_t from = cycle_; from != never;) {
    const std::uint64_t end = sms.next_issue_change(from);
    const auto cost_of = [this](std::uint32_t grid) -> const GroupCost& { return grids_[grid].cost; };
    const std::vector<std::uint64_t> speeds = sms.speeds(from, config_.issue_conflicts, cost_of);
    for (std::size_t i = 0; i < left.size() && end != never; ++i)
      left[i] += ResidentGroup::Wide{speeds[i]} * (end - from);
    from = end;
  }
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (sms.residents[i].issue.end > cycle_) left[i] -= sms.residents[i].issue.slack;
  }
  return left;
}

/// The residents that do not stay go; the others share what is left to them.
template <class Stays>
void ShortcutDispatcher::keep(SmClass& sms, const Stays& stays, const std::vector<ResidentGroup::Wide>& instructions) {
  std::vector<ResidentGroup> residents;
  residents.swap(sms.residents);
  sms.room.clear();
  for (std::size_t i = 0; i < residents.size(); ++i) {
    ResidentGroup& group = residents[i];
    if (!stays(group)) continue;
    if (instructions[i] > 0) {
      const std::uint64_t start = std::max(group.issue.start, cycle_);
      group.issue = sms.room.take(grids_[group.grid].cost, instructions[i], start, cycle_, config_.issue_conflicts);
      group.due = group.memory_done ? group.work_end() : never;
    }
    sms.residents.push_back(group);
  }
  sms.look_ahead();
}

/// Nothing changes for the residents; what they leave is known from this cycle on.
void ShortcutDispatcher::share_anew(SmClass& sms) {
  keep(
      sms, [](const ResidentGroup&) { return true; }, instructions_left(sms));
}

void ShortcutDispatcher::end_halts() {
  const auto gone = std::remove_if(halting_.begin(), halting_.end(), [this](std::uint32_t slot) {
    GridState& state = grids_[slot];
    if (!state.has_drained()) return false;
    if (state.has_begun()) return true;  // it finishes
    if (!traits_of(*state.halting).has(level_rule::stops_threads) && state.retired > cycle_) return false;
    state.left.groups = state.unplaced;
    events_.halted.push_back({state.grid, std::move(state.left)});
    state.over = true;
    over_.push_back(slot);
    return true;
  });
  halting_.erase(gone, halting_.end());
}

}  // namespace fenceline
