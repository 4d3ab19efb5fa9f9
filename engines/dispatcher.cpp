// SPDX-License-Identifier: Apache-2.0
#include "engines/dispatcher.hpp"

#include "sim/assert.hpp"

#include <algorithm>
#include <utility>

namespace fenceline {

Dispatcher::Dispatcher(const ShaderArrayConfig& config, SmClasses classes) : config_(config), pool_(config, classes) {}

std::uint32_t Dispatcher::launch(const Grid& grid, const GridRemainder* left) {
  FENCELINE_ASSERT(groups_per_sm(grid.footprint, config_) > 0, "dispatcher: a group that fits no SM");
  const std::uint32_t slot = grids_.take();
  GridState& state = grids_[slot];
  state.begin(grid, ++launched_);
  state.need = occupancy_of(grid.footprint, config_);
  state.cost = group_cost(grid.footprint, grid.work.shader, config_);
  state.wanted_split = wanted_split_bytes(grid.footprint, config_);
  state.unplaced = left != nullptr ? left->groups : grid.groups;
  state.launch = grid.graphics ? 0 : launch_cycles(grid.footprint, config_);
  state.overhead = config_.group_overhead_cycles;
  state.fixed = state.overhead + grid.work.cycles;
  state.bytes = group_bytes(grid);
  if (left != nullptr) state.left = *left;
  arrived_.push_back(slot);
  return slot;
}

void Dispatcher::end_memory(std::uint32_t cohort) { memory_ended_.push_back(cohort); }

void Dispatcher::step(std::uint64_t cycle, bool waves_logged) {
  catch_up(cycle);
  begin_step(cycle);
  const bool from_outside = !arrived_.empty() || !memory_ended_.empty() || !halts_.empty() || reranked_;
  settle_due();
  if (!memory_ended_.empty()) end_memory();
  if (!halts_.empty()) begin_halts(false);
  if (!arrived_.empty() || reranked_) {
    place(waves_logged);
    if (std::exchange(reranked_, false)) wait_anew();
    admit();
  }
  if (!halts_.empty()) {
    place(waves_logged);
    begin_halts(true);
    halts_.clear();
  }
  forget_grids();
  place_and_look_ahead(waves_logged);
  note_waiting();
  if (waves_logged) sort_ended();
  const bool goes_on = groups_run_ > 0 && grids_[filling_].remaining() > grids_[filling_].promised;
  const bool to_outside = !starting_.empty() || !ending_.empty() || !finished_.empty() || !halted_.empty();
  if (from_outside || to_outside || waves_logged || !goes_on) {
    disturb();
  } else if (++undisturbed_ > patience) {
    skip_periods();
  }
}

/// In an order that does not depend on which SMs were simulated as one.
void Dispatcher::sort_ended() {
  std::sort(ended_.begin(), ended_.end(),
            [](const Cohort& a, const Cohort& b) { return a.start != b.start ? a.start < b.start : a.grid < b.grid; });
}

/// What the steps before `cycle` would have led to.
void Dispatcher::catch_up(std::uint64_t cycle) {
  if (!skipped_) return;
  leave_out(skipped_->before(cycle));
  skipped_.reset();
  while (next_ < cycle) {
    begin_step(next_);
    settle_due();
    place_and_look_ahead(false);
  }
}

void Dispatcher::leave_out(const SkippedPeriods& periods) {
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

void Dispatcher::disturb() {
  undisturbed_ = 0;
  steady_.forget();
}

void Dispatcher::skip_periods() {
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

void Dispatcher::begin_step(std::uint64_t cycle) {
  cycle_ = cycle;
  starting_.clear();
  ended_.clear();
  finished_.clear();
  foretold_.clear();
  halted_.clear();
  waiting_.clear();
  all_placed_.clear();
}

/// For groups to end before the last of their grid does.
bool Dispatcher::somebody_waits(bool waves_logged) const {
  return !pending_.empty() || !halting_.empty() || waves_logged;
}

void Dispatcher::settle_due() {
  for (SmClass& sms : pool_.classes()) {
    while (sms.next <= cycle_) settle(sms, sms.thread_groups > 0 ? sms.next : cycle_);
  }
}

void Dispatcher::place_and_look_ahead(bool waves_logged) {
  place(waves_logged);
  if (!placed_.empty()) start_cohorts();
  if (next_end_ <= cycle_) end_grids();
  if (!complete_.empty()) finish();
  if (!halting_.empty()) end_halts();
  if (left_by_some_) pool_.merge_equal(cycle_);
  left_by_some_ = false;
  look_ahead(waves_logged);
}

/// What becomes due on the SMs of the class until `cycle`: ends, and places that fall free. Thread groups end one after
/// another; with such groups no more than one moment.
void Dispatcher::settle(SmClass& sms, std::uint64_t cycle) {
  sms.next = never;
  sms.fingerprint = 0;
  const auto all = sms.residents.end();
  auto kept = sms.residents.begin();
  for (auto group = kept; group != all; ++group) {
    if (group->due <= cycle && !group->leaving) end(sms, *group);
    if (group->due <= cycle) {
      sms.fall_free(*group);
      freed_ = true;
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

void Dispatcher::end(SmClass& sms, ResidentGroup& group) {
  GridState& state = grids_[group.grid];
  const std::uint64_t cycle = group.due;
  std::uint64_t skew = 0;
  std::uint64_t retired = cycle;
  group.leaving = true;
  if (!state.grid.graphics) {
    skew = std::uint64_t{sms.sms.back()} * config_.sm_skew_cycles;
    const bool changes = sms.retired_grid != 0 && sms.retired_grid != state.number;
    const std::uint64_t change = changes ? config_.grid_change_cycles : 0;
    sms.retired_grid = state.number;
    sms.retired = std::max(sms.retired + change, cycle) + config_.group_retire_cycles;
    retired = sms.retired + skew;
    group.due = sms.retired + config_.group_refill_cycles;
  }
  state.running -= sms.sms.size();
  state.retired = std::max(state.retired, retired);
  if (state.grid.foretold && state.running == 0 && state.unplaced == 0 && state.left.saved.empty()) {
    state.over = true;
    over_.push_back(group.grid);
  }
  if (group.cohort == no_cohort) return;
  Cohort& cohort = cohorts_[group.cohort];
  cohort.running -= sms.sms.size();
  cohort.end = std::max(cohort.end, cycle + skew);
  if (cohort.running > 0) return;
  ended_.push_back(cohort);
  cohorts_.remove(group.cohort);
}

void Dispatcher::end_memory() {
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
void Dispatcher::expect_end(std::uint32_t grid) {
  const GridState& state = grids_[grid];
  const bool begun = state.unplaced == 0 && state.left.saved.empty();
  if (!begun || state.accessing > 0) return;
  const std::uint64_t end = std::max(state.work_end, cycle_);
  if (state.grid.foretold) {
    foretold_.push_back({state.grid.owner, state.grid.tag, end});
    return;
  }
  ending_.push_back({end, grid});
  next_end_ = std::min(next_end_, ending_.back().cycle);
}

void Dispatcher::admit() {
  // Those of one moment come in no particular order; the packets' ids have one.
  const auto earlier = [this](std::uint32_t a, std::uint32_t b) { return grids_[a].grid.order < grids_[b].grid.order; };
  if (!std::is_sorted(arrived_.begin(), arrived_.end(), earlier)) {
    std::stable_sort(arrived_.begin(), arrived_.end(), earlier);
  }
  for (const std::uint32_t slot : arrived_) {
    grids_[slot].arrival = ++arrivals_;
    wait_for_place(slot);
  }
  places_may_fit_ = true;
}

/// Behind those of its rank that have come before.
void Dispatcher::wait_for_place(std::uint32_t slot) {
  const Grid& grid = grids_[slot].grid;
  const auto later = std::find_if(pending_.begin(), pending_.end(), [&](std::uint32_t other) {
    const Grid& waiting = grids_[other].grid;
    if (waiting.priority != grid.priority) return waiting.priority < grid.priority;
    if (waiting.process == grid.process && waiting.in_process_priority != grid.in_process_priority) {
      return waiting.in_process_priority < grid.in_process_priority;
    }
    return grid.graphics && !waiting.graphics;
  });
  pending_.insert(later, slot);
}

void Dispatcher::rerank(std::uint64_t packet, int priority, int in_process_priority) {
  for (const auto* grids : {&pending_, &arrived_}) {
    for (const std::uint32_t slot : *grids) {
      Grid& grid = grids_[slot].grid;
      if (grid.order != packet) continue;
      grid.priority = priority;
      grid.in_process_priority = in_process_priority;
      reranked_ = true;
    }
  }
}

/// Ranks have changed.
void Dispatcher::wait_anew() {
  std::vector<std::uint32_t> waiting = std::exchange(pending_, {});
  std::sort(waiting.begin(), waiting.end(),
            [this](std::uint32_t a, std::uint32_t b) { return grids_[a].arrival < grids_[b].arrival; });
  for (const std::uint32_t slot : waiting) wait_for_place(slot);
}

/// Of the grids that have just arrived.
void Dispatcher::note_waiting() {
  for (const std::uint32_t slot : arrived_) {
    const GridState& state = grids_[slot];
    const bool waits = state.unplaced > 0 || !state.left.saved.empty();
    if (waits && !state.halting && !state.grid.graphics) waiting_.push_back(state.grid);
  }
  arrived_.clear();
}

void Dispatcher::place(bool waves_logged) {
  if (!pending_.empty() && (places_may_fit_ || next_pixels_ <= cycle_)) place_pending(waves_logged);
  if (freed_) forget_lost_places();
}

void Dispatcher::place_pending(bool waves_logged) {
  places_may_fit_ = false;
  next_pixels_ = never;
  pool_.merge_idle(cycle_);
  bool blocked[2] = {false, false};  // by distributor: compute, graphics
  std::size_t kept = 0;
  for (const std::uint32_t slot : pending_) {
    GridState& state = grids_[slot];
    bool& distributor_blocked = blocked[state.grid.graphics ? 1 : 0];
    const bool empty = state.grid.groups == 0 && !state.halting;
    if (empty && !distributor_blocked) complete_.push_back(slot);
    while (!distributor_blocked && !state.halting && !state.left.saved.empty()) {
      distributor_blocked = !place_saved(slot, waves_logged);
    }
    if (state.grid.flow.groups > 0) {
      if (!rasteriser_is_busy(state, kept)) {
        bring_pixels(state);
        while (!distributor_blocked && state.placeable() > 0) {
          distributor_blocked = !place_fresh(slot, waves_logged);
          bring_pixels(state);
        }
        if (state.come == 0 && state.remaining() > 0) next_pixels_ = std::min(next_pixels_, state.next_come);
      }
    } else {
      if (!state.grid.graphics && !state.halting) place_sent(slot, !distributor_blocked, waves_logged);
      while (!distributor_blocked && state.placeable() > 0) distributor_blocked = !place_fresh(slot, waves_logged);
    }
    if (state.unplaced == 0 && state.left.saved.empty() && state.grid.groups > 0) {
      if (!state.grid.graphics) all_placed_.push_back(state.grid);
      expect_end(slot);
    }
    const bool saved = !state.halting && !state.left.saved.empty();
    if (saved || state.remaining() > 0 || (empty && distributor_blocked)) pending_[kept++] = slot;
  }
  pending_.resize(kept);
}

/// Pixels of a draw of the same engine before it are still to come.
bool Dispatcher::rasteriser_is_busy(const GridState& state, std::size_t before) const {
  return std::any_of(
      pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(before), [&](std::uint32_t other) {
        const GridState& earlier = grids_[other];
        return earlier.grid.flow.groups > 0 && earlier.grid.owner == state.grid.owner && earlier.remaining() > 0;
      });
}

/// The next batch, if its time has come and the last has places.
void Dispatcher::bring_pixels(GridState& state) {
  if (state.come > 0 || state.next_come > cycle_) return;
  state.come = std::min(state.remaining(), state.grid.flow.groups);
  state.next_come = cycle_ + state.grid.flow.cycles;
}

/// Groups that wait for places on SMs of their own, those sent now among them if it is the grid's turn.
void Dispatcher::place_sent(std::uint32_t slot, bool its_turn, bool waves_logged) {
  GridState& state = grids_[slot];
  if (its_turn && freed_ && state.placeable() > 0) {
    state.promised += pool_.promise(state.need, state.wanted_split, state.placeable(), slot);
  }
  if (state.promised == 0) return;
  const std::uint64_t placed = pool_.place_promised(state.need, state.wanted_split, slot, placed_on_);
  state.promised -= placed;
  if (placed > 0) begin_groups(slot, placed, waves_logged);
}

void Dispatcher::forget_lost_places() {
  freed_ = false;
  for (SmClass& sms : pool_.classes()) sms.freed = sms.lost = false;
}

/// Groups that have not begun, one on each SM at most. False when there is no place.
bool Dispatcher::place_fresh(std::uint32_t slot, bool waves_logged) {
  GridState& state = grids_[slot];
  const std::uint64_t placed =
      pool_.place(state.need, state.wanted_split, state.placeable(), state.grid.graphics, placed_on_);
  if (placed == 0) return false;
  if (state.grid.flow.groups > 0) state.come -= placed;
  begin_groups(slot, placed, waves_logged);
  return true;
}

/// So many that have not begun have got places on the SMs of `placed_on_`.
void Dispatcher::begin_groups(std::uint32_t slot, std::uint64_t groups, bool waves_logged) {
  GridState& state = grids_[slot];
  state.unplaced -= groups;
  if (state.halting) state.wanted -= groups;
  state.running += groups;
  groups_run_ += groups;
  if (slot != filling_) {
    filling_ = slot;
    disturb();
  }
  for (const std::uint32_t i : placed_on_) {
    SmClass& sms = pool_.classes()[i];
    if (state.grid.graphics) sms.lose_place();
    add_fresh(sms, slot, waves_logged);
  }
}

/// The same for groups that go on where they were saved.
bool Dispatcher::place_saved(std::uint32_t slot, bool waves_logged) {
  GridState& state = grids_[slot];
  const SavedGroups saved = state.left.saved.back();
  const std::uint64_t placed =
      pool_.place(state.need, state.wanted_split, saved.groups, state.grid.graphics, placed_on_);
  if (placed == 0) return false;
  state.running += placed;
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
void Dispatcher::add_fresh(SmClass& sms, std::uint32_t grid, bool waves_logged) {
  const GridState& state = grids_[grid];
  ResidentGroup& group = add(sms, grid);
  group.start = std::max(cycle_, sms.launcher_free);
  sms.launcher_free = group.start + state.launch;
  group.fixed_end = group.start + state.fixed;
  group.memory_done = state.bytes == 0;
  Cohort* cohort = begin(sms, group, state.overhead, ResidentGroup::Wide{state.cost.cycles} * full_speed, waves_logged);
  if (!group.memory_done) cohort->bytes += state.bytes * sms.sms.size();
}

/// The same for a group that has begun: nothing launches it.
void Dispatcher::add_saved(SmClass& sms, std::uint32_t grid, const SavedGroups& saved, bool waves_logged) {
  ResidentGroup& group = add(sms, grid);
  group.start = cycle_;
  group.fixed_end = cycle_ + saved.cycles;
  group.memory_done = saved.bytes == 0;
  Cohort* cohort = begin(sms, group, saved.overhead, saved.instructions, waves_logged);
  if (!group.memory_done) cohort->bytes += saved.bytes * sms.sms.size();
}

/// The youngest on its SM.
ResidentGroup& Dispatcher::add(SmClass& sms, std::uint32_t grid) {
  ResidentGroup& group = sms.add(grids_[grid].grid.graphics);
  group.grid = grid;
  group.cohort = no_cohort;
  group.need = grids_[grid].need;
  return group;
}

/// The group, which came last, with so many instructions after so many cycles. Returns its cohort, if it belongs to
/// one.
Dispatcher::Cohort* Dispatcher::begin(SmClass& sms, ResidentGroup& group, std::uint64_t overhead,
                                      ResidentGroup::Wide instructions, bool waves_logged) {
  GridState& state = grids_[group.grid];
  const std::uint32_t groups = sms.sms.size();
  const std::uint64_t from = group.start + overhead;
  group.issue = {from, from, 0};
  if (instructions > 0) {
    group.issue = sms.room.take(state.cost, instructions, from, cycle_, config_.issue_conflicts);
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
    group.cohort = cohort_of(group.grid);
    cohort = &cohorts_[group.cohort];
    cohort->groups += groups;
    cohort->running += groups;
  }
  sms.expect(group);
  return cohort;
}

std::uint32_t Dispatcher::cohort_of(std::uint32_t grid) {
  for (const std::uint32_t i : placed_) {
    if (cohorts_[i].grid == grid) return i;
  }
  placed_.push_back(cohorts_.add({grid, cycle_, 0, 0, 0, 0}));
  return placed_.back();
}

void Dispatcher::start_cohorts() {
  for (const std::uint32_t i : placed_) {
    if (cohorts_[i].bytes > 0) starting_.push_back(i);
  }
  placed_.clear();
  std::sort(starting_.begin(), starting_.end(), [this](std::uint32_t a, std::uint32_t b) {
    return grids_[cohorts_[a].grid].number < grids_[cohorts_[b].grid].number;
  });
}

/// Whose time has come.
void Dispatcher::end_grids() {
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

void Dispatcher::finish() {
  std::sort(complete_.begin(), complete_.end(), [this](std::uint32_t a, std::uint32_t b) {
    const GridState& x = grids_[a];
    const GridState& y = grids_[b];
    return x.grid.order != y.grid.order ? x.grid.order < y.grid.order : x.number < y.number;
  });
  for (const std::uint32_t slot : complete_) {
    finished_.push_back(grids_[slot].grid);
    grids_[slot].over = true;
    over_.push_back(slot);
  }
  complete_.clear();
}

void Dispatcher::look_ahead(bool waves_logged) {
  next_ = next_end_;
  if (!somebody_waits(waves_logged)) return;
  for (const std::uint32_t slot : halting_) {
    if (has_drained(slot)) next_ = std::min(next_, grids_[slot].retired);
  }
  if (!pending_.empty()) next_ = std::min(next_, next_pixels_);
  for (const SmClass& sms : pool_.classes()) next_ = std::min(next_, sms.next);
}

}  // namespace fenceline
