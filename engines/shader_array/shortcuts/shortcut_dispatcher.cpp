// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array/shortcuts/shortcut_dispatcher.hpp"

#include <algorithm>
#include <utility>

namespace fenceline {

ShortcutDispatcher::ShortcutDispatcher(const ShaderArrayConfig& config, Shortcuts shortcuts)
    : config_(config),
      shortcuts_(shortcuts),
      pool_(config, shortcuts),
      waiting_(grids_, config_),
      steady_(config.grid_change_cycles) {}

std::uint32_t ShortcutDispatcher::launch(const Grid& grid, const GridRemainder* left) {
  const std::uint32_t slot = grids_.take();
  grids_[slot].begin(grid, ++launched_, left, config_);
  waiting_.launch(slot);
  return slot;
}

void ShortcutDispatcher::end_memory(std::uint32_t cohort) { memory_ended_.push_back(cohort); }

void ShortcutDispatcher::step(std::uint64_t cycle, bool waves_logged) {
  catch_up(cycle);
  begin_step(cycle);
  const bool comes = from_outside();
  settle_due();
  if (!memory_ended_.empty()) end_memory();
  if (!halts_.empty()) begin_halts(false);
  if (waiting_.has_news()) {
    place(waves_logged);
    waiting_.admit();
    places_may_fit_ = true;
  }
  if (!halts_.empty()) {
    place(waves_logged);
    begin_halts(true);
    halts_.clear();
  }
  forget_grids();
  place_and_look_ahead(waves_logged);
  waiting_.take_waiting(events_.waiting);
  if (waves_logged) events_.sort_ended();
  const bool goes_on = groups_run_ > 0 && grids_[filling_].remaining() > grids_[filling_].promised;
  const bool to_outside =
      !events_.starting.empty() || !ending_.empty() || !events_.finished.empty() || !events_.halted.empty();
  if (comes || to_outside || waves_logged || !goes_on || !shortcuts_.steady_state) {
    disturb();
  } else if (++undisturbed_ > patience) {
    skip_periods();
  }
}

/// Something has come that the next step handles.
bool ShortcutDispatcher::from_outside() const {
  return waiting_.has_news() || !memory_ended_.empty() || !halts_.empty();
}

/// What the steps before `cycle` would have led to.
void ShortcutDispatcher::catch_up(std::uint64_t cycle) {
  if (!skipped_) return;
  // Periods that last no time are over at once, unless somebody comes at this very moment.
  const bool all = skipped_->period.cycles == 0 && !from_outside();
  leave_out(all ? *skipped_ : skipped_->before(cycle));
  skipped_.reset();
  while (next_ < cycle) {
    begin_step(next_);
    settle_due();
    place_and_look_ahead(false);
  }
}

void ShortcutDispatcher::leave_out(const SkippedPeriods& periods) {
  GridState& state = grids_[filling_];
  const std::uint64_t groups = periods.count * periods.period.groups;
  state.unplaced -= groups;
  if (state.halting) state.wanted -= groups;
  state.work_end += periods.cycles();  // of residents, which are put off
  groups_run_ += groups;
  state.next_come += periods.cycles();
  if (next_pixels_ != never) next_pixels_ += periods.cycles();
  next_ += periods.cycles();
  for (SmClass& sms : pool_.classes()) sms.postpone(periods.cycles());
}

void ShortcutDispatcher::disturb() {
  undisturbed_ = 0;
  steady_.forget();
}

void ShortcutDispatcher::skip_periods() {
  const GridState& state = grids_[filling_];
  const bool more_pixels = state.grid.flow.groups > 0 && state.come == 0;
  if (next_pixels_ != (more_pixels ? state.next_come : never)) return;  // another grid's pixels come soon
  const SteadyState::Flow flow{state.come, std::max(state.next_come, cycle_) - cycle_};
  const auto period = steady_.observe(pool_.classes(), flow, cycle_, groups_run_);
  if (!period) return;
  // Throughout the last period skipped, groups are left for every place that falls free.
  const std::uint64_t periods = (state.remaining() - state.promised) / period->groups;
  if (periods > 1) skipped_ = SkippedPeriods{cycle_, *period, periods - 1};
}

void ShortcutDispatcher::begin_step(std::uint64_t cycle) {
  cycle_ = cycle;
  events_.clear();
}

/// For groups to end before the last of their grid does.
bool ShortcutDispatcher::somebody_waits(bool waves_logged) const {
  return !waiting_.pending().empty() || !halting_.empty() || waves_logged || !shortcuts_.ends_beforehand;
}

void ShortcutDispatcher::settle_due() {
  for (SmClass& sms : pool_.classes()) {
    while (sms.next <= cycle_) settle(sms, sms.thread_groups > 0 ? sms.next : cycle_);
  }
}

void ShortcutDispatcher::place_and_look_ahead(bool waves_logged) {
  if (!shortcuts_.room_ahead) {
    for (SmClass& sms : pool_.classes()) share_anew(sms);
  }
  place(waves_logged);
  cohorts_.start(grids_, events_.starting);
  if (next_end_ <= cycle_) end_grids();
  if (!complete_.empty()) finish();
  if (!halting_.empty()) end_halts();
  if (left_by_some_) pool_.merge_equal(cycle_);
  left_by_some_ = false;
  look_ahead(waves_logged);
}

/// What becomes due on the SMs of the class until `cycle`: ends, and places that fall free. Thread groups end one after
/// another; with such groups no more than one moment.
void ShortcutDispatcher::settle(SmClass& sms, std::uint64_t cycle) {
  sms.next = never;
  sms.fingerprint = 0;
  const auto all = sms.residents.end();
  auto kept = sms.residents.begin();
  for (auto group = kept; group != all; ++group) {
    if (group->due <= cycle && !group->leaving) end(sms, *group);
    if (group->due <= cycle) {
      sms.fall_free(*group);
      freed_ = freed_ || sms.freed;
      continue;
    }
    sms.expect(*group);
    if (kept != group) *kept = *group;
    ++kept;
  }
  if (kept != all) {
    sms.residents.erase(kept, all);
    sms.left_by_some = left_by_some_ = places_may_fit_ = true;
  }
}

void ShortcutDispatcher::end(SmClass& sms, ResidentGroup& group) {
  GridState& state = grids_[group.grid];
  const std::uint64_t cycle = group.due;
  std::uint64_t skew = 0;
  std::uint64_t retired = cycle;
  group.leaving = true;
  if (!state.grid.graphics) {
    skew = std::uint64_t{sms.sms.back()} * config_.sm_skew_cycles;
    const std::uint64_t on_sm = sms.retirement.retire(cycle, state.number, config_);
    retired = on_sm + skew;
    group.due = on_sm + config_.group_refill_cycles;
  }
  state.leave(sms.sms.size(), residents_);
  state.retired = std::max(state.retired, retired);
  if (state.grid.foretold && state.running == 0 && state.unplaced == 0 && state.left.saved.empty()) {
    state.over = true;
    over_.push_back(group.grid);
  }
  cohorts_.leave(group.cohort, sms.sms.size(), cycle + skew, events_.ended);
}

void ShortcutDispatcher::end_memory() {
  for (SmClass& sms : pool_.classes()) {
    bool mine = false;
    for (ResidentGroup& group : sms.residents) {
      if (group.memory_done ||
          std::find(memory_ended_.begin(), memory_ended_.end(), group.cohort) == memory_ended_.end()) {
        continue;
      }
      mine = true;
      group.memory_done = true;
      group.due = std::max(group.work_end(), cycle_);
      GridState& state = grids_[group.grid];
      state.accessing -= sms.sms.size();
      if (state.accessing == 0) expect_end(group.grid);
    }
    if (mine) settle(sms, cycle_);
  }
  memory_ended_.clear();
}

/// Once it is known when the grid's last group ends.
void ShortcutDispatcher::expect_end(std::uint32_t grid) {
  const GridState& state = grids_[grid];
  const bool begun = state.unplaced == 0 && state.left.saved.empty();
  if (!begun || state.accessing > 0) return;
  const std::uint64_t end = std::max(state.work_end, cycle_);
  if (state.grid.foretold) {
    events_.foretold.push_back({state.grid.owner, state.grid.tag, end});
    return;
  }
  ending_.push_back({end, grid});
  next_end_ = std::min(next_end_, ending_.back().cycle);
}

/// Whose time has come.
void ShortcutDispatcher::end_grids() {
  next_end_ = never;
  std::size_t kept = 0;
  for (Ending ending : ending_) {
    const GridState& state = grids_[ending.grid];
    // Groups that have been placed in this step may end in another of the same cycle.
    const bool ended = ending.cycle <= cycle_ && state.running == 0;
    if (ended) ending.cycle = state.retired;
    if (ended && ending.cycle <= cycle_) {
      complete_.push_back(ending.grid);
    } else {
      next_end_ = std::min(next_end_, ending.cycle);
      ending_[kept++] = ending;
    }
  }
  ending_.resize(kept);
}

void ShortcutDispatcher::finish() {
  std::sort(complete_.begin(), complete_.end(), [this](std::uint32_t a, std::uint32_t b) {
    const GridState& x = grids_[a];
    const GridState& y = grids_[b];
    return x.grid.order != y.grid.order ? x.grid.order < y.grid.order : x.number < y.number;
  });
  for (const std::uint32_t slot : complete_) {
    events_.finished.push_back(grids_[slot].grid);
    grids_[slot].over = true;
    over_.push_back(slot);
  }
  complete_.clear();
}

void ShortcutDispatcher::look_ahead(bool waves_logged) {
  next_ = next_end_;
  if (!somebody_waits(waves_logged)) return;
  for (const std::uint32_t slot : halting_) {
    if (grids_[slot].has_drained()) next_ = std::min(next_, grids_[slot].retired);
  }
  if (!waiting_.pending().empty()) next_ = std::min(next_, next_pixels_);
  for (const SmClass& sms : pool_.classes()) next_ = std::min(next_, sms.next);
}

}  // namespace fenceline
