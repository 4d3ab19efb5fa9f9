// SPDX-License-Identifier: Apache-2.0
// RulesDispatcher, the family of functions that give places to groups.
#include "engines/shader_array/rules/rules_dispatcher.hpp"
#include "engines/shader_array/rules/sm_room.hpp"
#include "engines/shader_array/rules/wave_parts.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace fenceline {

void RulesDispatcher::place(bool waves_logged) {
  bool blocked[2] = {false, false};  // by distributor: compute, graphics
  std::size_t kept = 0;
  std::vector<std::uint32_t>& pending = waiting_.pending();
  for (const std::uint32_t slot : pending) {
    GridState& state = grids_[slot];
    bool& distributor_blocked = blocked[state.grid.graphics ? 1 : 0];
    place_grid(slot, kept, distributor_blocked, waves_logged);
    const bool saved = !state.halting && !state.left.saved.empty();
    const bool empty = state.grid.groups == 0 && !state.halting && !state.complete;
    if (saved || state.remaining() > 0 || empty) pending[kept++] = slot;
  }
  pending.resize(kept);
  for (PlainSm& sm : sms_) sm.freed = sm.lost = false;
}

void RulesDispatcher::place_grid(std::uint32_t slot, std::size_t kept, bool& blocked, bool waves_logged) {
  GridState& state = grids_[slot];
  if (state.grid.groups == 0 && !state.halting && !blocked) state.complete = true;
  while (!blocked && !state.halting && !state.left.saved.empty()) blocked = !place_saved(slot, waves_logged);
  if (!state.grid.graphics && !state.halting) place_sent(slot, !blocked, waves_logged);
  if (state.grid.flow.groups > 0 && waiting_.rasteriser_is_busy(state, kept)) return;
  for (bool comes = true; comes;) {
    if (state.grid.flow.groups > 0) state.bring_pixels(cycle_);
    comes = !blocked && state.placeable() > 0;
    if (!comes) break;
    const std::vector<std::uint32_t> places = take_places(state, state.placeable());
    blocked = places.empty();
    if (state.grid.flow.groups > 0) state.come -= places.size();
    for (const std::uint32_t sm : places) begin_fresh(slot, sm, waves_logged);
  }
  if (state.has_begun() && !state.grid.graphics) events_.placed.push_back(state.grid);
}

/// Groups that wait for places on SMs of their own, those sent now among them if it is the grid's turn.
void RulesDispatcher::place_sent(std::uint32_t slot, bool its_turn, bool waves_logged) {
  GridState& state = grids_[slot];
  for (PlainSm& sm : sms_) {
    const bool sent = its_turn && state.placeable() > 0 && sm.lost && !sm.promised &&
                      !sm.fits(state.need, state.wanted_split, config_);
    if (!sent) continue;
    sm.promised = true;
    sm.promised_grid = slot;
    ++state.promised;
  }
  for (std::uint32_t i = 0; i < sms_.size(); ++i) {
    PlainSm& sm = sms_[i];
    const bool its_place = sm.promised && sm.promised_grid == slot;
    if (!its_place || !sm.fits(state.need, state.wanted_split, config_)) continue;
    sm.occupy(state.need, state.wanted_split);
    sm.promised = false;
    --state.promised;
    begin_fresh(slot, i, waves_logged);
  }
}

/// Up to so many places, one on each SM, as one-by-one placement on the SM with the fewest resident warps would begin.
/// The lowest index first.
std::vector<std::uint32_t> RulesDispatcher::take_places(const GridState& state, std::uint64_t groups) {
  const std::uint32_t sms = state.grid.graphics ? config_.graphics_sms : config_.sms;
  std::vector<std::uint32_t> places;
  for (std::uint32_t i = 0; i < sms; ++i) {
    if (!sms_[i].fits(state.need, state.wanted_split, config_)) continue;
    if (!places.empty() && sms_[i].warps > sms_[places.front()].warps) continue;
    if (!places.empty() && sms_[i].warps < sms_[places.front()].warps) places.clear();
    places.push_back(i);
  }
  places.resize(std::min<std::uint64_t>(places.size(), groups));
  for (const std::uint32_t i : places) {
    sms_[i].occupy(state.need, state.wanted_split);
    if (state.grid.graphics && sms_[i].freed) sms_[i].lost = true;
  }
  return places;
}

void RulesDispatcher::begin_fresh(std::uint32_t slot, std::uint32_t index, bool waves_logged) {
  GridState& state = grids_[slot];
  PlainSm& sm = sms_[index];
  state.unplaced -= 1;
  if (state.halting) state.wanted -= 1;
  groups_run_ += 1;
  PlainGroup group;
  group.grid = slot;
  group.start = std::max(cycle_, sm.launcher_free);
  sm.launcher_free = group.start + state.launch;
  group.issue_from = group.start + config_.group_overhead_cycles;
  group.fixed_end = group.start + state.fixed;
  group.instructions = PlainGroup::Wide{state.cost.cycles} * full_speed;
  begin(index, group, state.bytes, state.drifts, waves_logged);
}

/// Groups that go on where they were saved; nothing launches them. False when there is no place.
bool RulesDispatcher::place_saved(std::uint32_t slot, bool waves_logged) {
  GridState& state = grids_[slot];
  const SavedGroups saved = state.left.saved.back();
  const std::vector<std::uint32_t> places = take_places(state, saved.groups);
  if (places.empty()) return false;
  state.left.restore(places.size(), state.grid.footprint.threads);
  for (const std::uint32_t sm : places) {
    PlainGroup group;
    group.grid = slot;
    group.start = cycle_;
    group.issue_from = cycle_ + saved.overhead;
    group.fixed_end = cycle_ + saved.cycles;
    group.instructions = saved.instructions;
    begin(sm, group, saved.bytes, false, waves_logged);
  }
  return true;
}

/// The group, in its place, with so many bytes of memory accesses; it `drifts` with its part of the SMs.
void RulesDispatcher::begin(std::uint32_t sm, PlainGroup group, std::uint64_t bytes, bool drifts, bool waves_logged) {
  GridState& state = grids_[group.grid];
  state.enter(1, residents_);
  state.first_start = std::min(state.first_start, group.start);
  group.graphics = state.grid.graphics;
  group.need = state.need;
  group.cost = state.cost;
  group.memory_done = bytes == 0;
  group.cohort = no_cohort;
  if (!group.memory_done) state.accessing += 1;
  if (!group.memory_done || waves_logged) {
    const auto part = drifts ? std::optional(part_of(sm, config_)) : std::nullopt;
    group.cohort = cohorts_.join(group.grid, part, cycle_, 1);
    cohorts_[group.cohort].bytes += bytes;
  }
  sms_[sm].begin(group);
}

}  // namespace fenceline
