// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array/rules/rules_dispatcher.hpp"

#include <algorithm>
#include <utility>

namespace fenceline {

std::uint32_t RulesDispatcher::launch(const Grid& grid, const GridRemainder* left) {
  const std::uint32_t slot = grids_.take();
  grids_[slot].begin(grid, ++launched_, left, config_);
  waiting_.launch(slot);
  known_.push_back(slot);
  told_.erase(slot);
  return slot;
}

void RulesDispatcher::step(std::uint64_t cycle, bool waves_logged) {
  cycle_ = cycle;
  events_.clear();
  for (PlainSm& sm : sms_) sm.advance(cycle);
  end_groups();
  end_memory();
  begin_halts(false);
  if (waiting_.has_news()) {
    place(waves_logged);
    waiting_.admit();
  }
  if (!halts_.empty()) {
    place(waves_logged);
    begin_halts(true);
    halts_.clear();
  }
  for (const std::uint32_t slot : over_) grids_.remove(slot);
  over_.clear();
  place(waves_logged);
  for (PlainSm& sm : sms_) sm.share(config_.issue_conflicts);
  cohorts_.start(grids_, events_.starting);
  tell_ends();
  end_grids();
  waiting_.take_waiting(events_.waiting);
  if (waves_logged) events_.sort_ended();
  look_ahead();
}

/// Whose time has come, and places that fall free.
void RulesDispatcher::end_groups() {
  for (std::uint32_t i = 0; i < sms_.size(); ++i) {
    PlainSm& sm = sms_[i];
    const auto falls_free = [&](PlainGroup& group) {
      if (!group.leaving && sm.has_ended(group)) end(i, group);
      if (!group.leaving || group.due > cycle_) return false;
      sm.release(group.need);
      sm.freed = sm.freed || !group.graphics;
      return true;
    };
    std::vector<PlainGroup>& groups = sm.residents();
    groups.erase(std::remove_if(groups.begin(), groups.end(), falls_free), groups.end());
  }
}

void RulesDispatcher::end(std::uint32_t index, PlainGroup& group) {
  GridState& state = grids_[group.grid];
  group.leaving = true;
  group.due = cycle_;
  std::uint64_t skew = 0;
  std::uint64_t retired = cycle_;
  if (!group.graphics) {
    skew = std::uint64_t{index} * config_.sm_skew_cycles;
    const std::uint64_t on_sm = sms_[index].retirement.retire(cycle_, state.number, config_);
    retired = on_sm + skew;
    group.due = on_sm + config_.group_refill_cycles;
  }
  state.leave(1, residents_);
  state.retired = std::max(state.retired, retired);
  cohorts_.leave(group.cohort, 1, cycle_ + skew, events_.ended);
}

void RulesDispatcher::end_memory() {
  if (memory_ended_.empty()) return;
  for (PlainSm& sm : sms_) {
    for (PlainGroup& group : sm.residents()) {
      const auto ended = std::find(memory_ended_.begin(), memory_ended_.end(), group.cohort);
      if (group.memory_done || ended == memory_ended_.end()) continue;
      group.memory_done = true;
      grids_[group.grid].accessing -= 1;
    }
  }
  memory_ended_.clear();
  end_groups();
}

/// Of draws, as soon as they are certain.
void RulesDispatcher::tell_ends() {
  for (const std::uint32_t slot : known_) {
    GridState& state = grids_[slot];
    if (!state.grid.foretold || !state.has_begun() || state.accessing > 0 || state.over) continue;
    std::uint64_t end = state.running > 0 ? cycle_ : state.retired;
    for (const PlainSm& sm : sms_) {
      const std::vector<PlainGroup>& groups = sm.residents();
      const bool here = std::any_of(groups.begin(), groups.end(),
                                    [&](const PlainGroup& group) { return group.grid == slot && !group.leaving; });
      if (here) end = std::max(end, sm.end_of(slot, config_.issue_conflicts));
    }
    const auto [told, is_first] = told_.emplace(slot, end);
    if (!is_first && std::exchange(told->second, end) == end) continue;
    events_.foretold.push_back({state.grid.owner, state.grid.tag, end});
  }
}

/// Grids that finish, are over or have come to the point where they can be stopped.
void RulesDispatcher::end_grids() {
  std::vector<std::uint32_t> complete;
  const auto ends = [&](std::uint32_t slot) {
    GridState& state = grids_[slot];
    const bool at_end = state.has_begun() && state.running == 0;
    if (state.complete || (at_end && !state.grid.foretold && state.retired <= cycle_)) {
      complete.push_back(slot);
    } else if (at_end && state.grid.foretold) {
      // Its owner has been told.
    } else if (state.halting && state.has_drained() && !at_end &&
               (traits_of(*state.halting).has(level_rule::stops_threads) || state.retired <= cycle_)) {
      state.left.groups = state.unplaced;
      events_.halted.push_back({state.grid, std::move(state.left)});
    } else {
      return false;
    }
    state.over = true;
    over_.push_back(slot);
    return true;
  };
  known_.erase(std::remove_if(known_.begin(), known_.end(), ends), known_.end());
  std::sort(complete.begin(), complete.end(), [this](std::uint32_t a, std::uint32_t b) {
    const GridState& x = grids_[a];
    const GridState& y = grids_[b];
    return x.grid.order != y.grid.order ? x.grid.order < y.grid.order : x.number < y.number;
  });
  for (const std::uint32_t slot : complete) events_.finished.push_back(grids_[slot].grid);
}

void RulesDispatcher::look_ahead() {
  next_ = never;
  for (const PlainSm& sm : sms_) next_ = std::min(next_, sm.next_event());
  for (const std::uint32_t slot : known_) {
    const GridState& state = grids_[slot];
    if (state.has_drained() && (state.has_begun() || state.halting) && state.retired > cycle_) {
      next_ = std::min(next_, state.retired);
    }
  }
  for (std::size_t i = 0; i < waiting_.pending().size(); ++i) {
    const GridState& state = grids_[waiting_.pending()[i]];
    const bool comes = state.grid.flow.groups > 0 && state.come == 0 && state.remaining() > 0;
    if (comes && !waiting_.rasteriser_is_busy(state, i)) next_ = std::min(next_, state.next_come);
  }
}

}  // namespace fenceline
