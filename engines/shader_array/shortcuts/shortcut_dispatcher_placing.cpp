// SPDX-License-Identifier: Apache-2.0
// ShortcutDispatcher, the family of functions that give places to groups.
#include "engines/shader_array/rules/wave_parts.hpp"
#include "engines/shader_array/shortcuts/shortcut_dispatcher.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace fenceline {

void ShortcutDispatcher::place(bool waves_logged) {
  if (!waiting_.pending().empty() && (places_may_fit_ || next_pixels_ <= cycle_)) place_pending(waves_logged);
  if (freed_) forget_lost_places();
}

void ShortcutDispatcher::place_pending(bool waves_logged) {
  const bool only_pixels_come = !std::exchange(places_may_fit_, false);  // for others there is still no place
  next_pixels_ = never;
  pool_.merge_idle(cycle_);
  bool blocked[2] = {false, false};  // by distributor: compute, graphics
  std::size_t kept = 0;
  std::vector<std::uint32_t>& pending = waiting_.pending();
  for (const std::uint32_t slot : pending) {
    GridState& state = grids_[slot];
    bool& distributor_blocked = blocked[state.grid.graphics ? 1 : 0];
    const bool tried = distributor_blocked || only_pixels_come;
    if (tried && !state.halting && state.promised == 0 && state.grid.flow.groups == 0) {
      distributor_blocked = true;
      pending[kept++] = slot;
      continue;
    }
    const bool empty = state.grid.groups == 0 && !state.halting;
    if (empty && !distributor_blocked) complete_.push_back(slot);
    while (!distributor_blocked && !state.halting && !state.left.saved.empty()) {
      distributor_blocked = !place_saved(slot, waves_logged);
    }
    if (state.grid.flow.groups > 0) {
      if (!waiting_.rasteriser_is_busy(state, kept)) {
        state.bring_pixels(cycle_);
        while (!distributor_blocked && state.placeable() > 0) {
          distributor_blocked = !place_fresh(slot, waves_logged);
          state.bring_pixels(cycle_);
        }
        if (state.come == 0 && state.remaining() > 0) next_pixels_ = std::min(next_pixels_, state.next_come);
      }
    } else {
      if (!state.grid.graphics && !state.halting) place_sent(slot, !distributor_blocked, waves_logged);
      while (!distributor_blocked && state.placeable() > 0) distributor_blocked = !place_fresh(slot, waves_logged);
    }
    if (state.has_begun()) {
      if (!state.grid.graphics) events_.placed.push_back(state.grid);
      expect_end(slot);
    }
    const bool saved = !state.halting && !state.left.saved.empty();
    if (saved || state.remaining() > 0 || (empty && distributor_blocked)) pending[kept++] = slot;
  }
  pending.resize(kept);
}

/// Groups that wait for places on SMs of their own, those sent now among them if it is the grid's turn.
void ShortcutDispatcher::place_sent(std::uint32_t slot, bool its_turn, bool waves_logged) {
  GridState& state = grids_[slot];
  if (its_turn && freed_ && state.placeable() > 0) {
    state.promised += pool_.promise(state.need, state.wanted_split, state.placeable(), slot);
  }
  if (state.promised == 0) return;
  const std::uint64_t placed = pool_.place_promised(state.need, state.wanted_split, slot, placed_on_);
  state.promised -= placed;
  if (placed > 0) begin_groups(slot, placed, waves_logged);
}

void ShortcutDispatcher::forget_lost_places() {
  freed_ = false;
  for (SmClass& sms : pool_.classes()) sms.freed = sms.lost = false;
}

/// Groups that have not begun, one on each SM at most. False when there is no place.
bool ShortcutDispatcher::place_fresh(std::uint32_t slot, bool waves_logged) {
  GridState& state = grids_[slot];
  const std::uint64_t placed =
      pool_.place(state.need, state.wanted_split, state.placeable(), state.grid.graphics, placed_on_);
  if (placed == 0) return false;
  if (state.grid.flow.groups > 0) state.come -= placed;
  begin_groups(slot, placed, waves_logged);
  return true;
}

/// So many that have not begun have got places on the SMs of `placed_on_`.
void ShortcutDispatcher::begin_groups(std::uint32_t slot, std::uint64_t groups, bool waves_logged) {
  GridState& state = grids_[slot];
  state.unplaced -= groups;
  if (state.halting) state.wanted -= groups;
  state.enter(groups, residents_);
  groups_run_ += groups;
  if (slot != filling_) {
    filling_ = slot;
    disturb();
  }
  if (state.drifts) pool_.split_into_parts(placed_on_);
  for (const std::uint32_t i : placed_on_) {
    SmClass& sms = pool_.classes()[i];
    if (freed_ && state.grid.graphics) sms.lose_place();
    add_fresh(sms, slot, waves_logged);
  }
}

/// Groups that go on where they were saved, one on each SM at most. False when there is no place.
bool ShortcutDispatcher::place_saved(std::uint32_t slot, bool waves_logged) {
  GridState& state = grids_[slot];
  const SavedGroups saved = state.left.saved.back();
  const std::uint64_t placed =
      pool_.place(state.need, state.wanted_split, saved.groups, state.grid.graphics, placed_on_);
  if (placed == 0) return false;
  state.enter(placed, residents_);
  state.left.restore(placed, state.grid.footprint.threads);
  disturb();
  for (const std::uint32_t i : placed_on_) {
    SmClass& sms = pool_.classes()[i];
    if (state.grid.graphics) sms.lose_place();
    add_saved(sms, slot, saved, waves_logged);
  }
  return true;
}

/// One group of the grid on every SM of the class, which has counted it already.
void ShortcutDispatcher::add_fresh(SmClass& sms, std::uint32_t grid, bool waves_logged) {
  const GridState& state = grids_[grid];
  ResidentGroup& group = add(sms, grid);
  group.start = std::max(cycle_, sms.launcher_free);
  sms.launcher_free = group.start + state.launch;
  group.fixed_end = group.start + state.fixed;
  group.memory_done = state.bytes == 0;
  const auto part = state.drifts ? std::optional(part_of(sms.sms.front(), config_)) : std::nullopt;
  Cohort* cohort =
      begin(sms, group, part, config_.group_overhead_cycles, ResidentGroup::Wide{state.cost.cycles} * full_speed,
            cycle_ + config_.group_overhead_cycles, waves_logged);
  if (!group.memory_done) cohort->bytes += state.bytes * sms.sms.size();
}

/// One saved group of the grid on every SM of the class, which has counted it already: nothing launches it.
void ShortcutDispatcher::add_saved(SmClass& sms, std::uint32_t grid, const SavedGroups& saved, bool waves_logged) {
  // The room may be known only from where a fresh group's instructions can begin.
  if (saved.overhead < config_.group_overhead_cycles) share_anew(sms);
  ResidentGroup& group = add(sms, grid);
  group.start = cycle_;
  group.fixed_end = cycle_ + saved.cycles;
  group.memory_done = saved.bytes == 0;
  Cohort* cohort = begin(sms, group, std::nullopt, saved.overhead, saved.instructions, cycle_, waves_logged);
  if (!group.memory_done) cohort->bytes += saved.bytes * sms.sms.size();
}

/// The youngest on its SM.
ResidentGroup& ShortcutDispatcher::add(SmClass& sms, std::uint32_t grid) {
  ResidentGroup& group = sms.add(grids_[grid].grid.graphics);
  group.grid = grid;
  group.cohort = no_cohort;
  group.need = grids_[grid].need;
  return group;
}

/// The group, which came last, of a cohort of that part of the SMs or of all, with so many instructions after so many
/// cycles. No instructions of a later one begin before `first`. Returns its cohort, if it belongs to one.
Cohort* ShortcutDispatcher::begin(SmClass& sms, ResidentGroup& group, std::optional<std::uint32_t> part,
                                  std::uint64_t overhead, ResidentGroup::Wide instructions, std::uint64_t first,
                                  bool waves_logged) {
  GridState& state = grids_[group.grid];
  const std::uint32_t groups = sms.sms.size();
  const std::uint64_t from = group.start + overhead;
  group.issue = {from, from, 0};
  if (instructions > 0) {
    group.issue = sms.room.take(state.cost, instructions, from, first, config_.issue_conflicts);
  }
  state.work_end = std::max(state.work_end, group.work_end());
  state.first_start = std::min(state.first_start, group.start);
  Cohort* cohort = nullptr;
  if (group.memory_done) {
    group.due = group.work_end();
  } else {
    state.accessing += groups;
  }
  if (!group.memory_done || waves_logged) {
    group.cohort = cohorts_.join(group.grid, part, cycle_, groups);
    cohort = &cohorts_[group.cohort];
  }
  sms.expect(group);
  return cohort;
}

}  // namespace fenceline
