// SPDX-License-Identifier: Apache-2.0
#include "engines/dispatcher.hpp"

#include "sim/assert.hpp"

#include <algorithm>

namespace fenceline {

Dispatcher::Dispatcher(const ShaderArrayConfig& config, SmClasses classes) : config_(config), pool_(config, classes) {}

std::uint32_t Dispatcher::launch(const Grid& grid, const GridRemainder* left) {
  FENCELINE_ASSERT(groups_per_sm(grid.footprint, config_) > 0, "dispatcher: a group that fits no SM");
  GridState state;
  state.grid = grid;
  state.need = occupancy_of(grid.footprint, config_);
  state.cost = group_cost(grid.footprint, grid.work.shader, config_);
  state.wanted_split = wanted_split_bytes(grid.footprint, config_);
  state.unplaced = left != nullptr ? left->groups : grid.groups;
  state.launch = grid.graphics ? 0 : launch_cycles(grid.footprint, config_);
  if (left != nullptr) state.left = *left;
  state.number = ++launched_;
  arrived_.push_back(grids_.add(std::move(state)));
  return arrived_.back();
}

void Dispatcher::end_memory(std::uint32_t cohort) { memory_ended_.push_back(cohort); }

void Dispatcher::step(std::uint64_t cycle, bool waves_logged) {
  catch_up(cycle);
  const bool from_outside = !arrived_.empty() || !memory_ended_.empty() || !halts_.empty();
  settle_due(cycle);
  end_memory();
  begin_halts();
  forget_grids();
  if (!arrived_.empty()) {
    place(waves_logged);
    admit();
  }
  place_and_look_ahead(waves_logged);
  if (waves_logged) sort_ended();
  const bool goes_on = groups_run_ > 0 && grids_[filling_].placeable() > 0;
  const bool to_outside = !starting_.empty() || !retiring_.empty() || !finished_.empty() || !halted_.empty();
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
    settle_due(next_);
    place_and_look_ahead(false);
  }
}

void Dispatcher::leave_out(const SkippedPeriods& periods) {
  GridState& state = grids_[filling_];
  const std::uint64_t groups = periods.count * periods.period.groups;
  state.unplaced -= groups;
  if (state.halting) state.wanted -= groups;
  groups_run_ += groups;
  next_ += periods.cycles();
  for (SmClass& sms : pool_.classes()) sms.postpone(periods.cycles());
}

void Dispatcher::disturb() {
  undisturbed_ = 0;
  steady_.forget();
}

void Dispatcher::skip_periods() {
  const auto period = steady_.observe(pool_.classes(), cycle_, groups_run_);
  if (!period) return;
  // Throughout the last period skipped, groups are left for every place that falls free.
  const std::uint64_t periods = grids_[filling_].placeable() / period->groups;
  if (periods > 1) skipped_ = SkippedPeriods{cycle_, *period, periods - 1};
}

void Dispatcher::settle_due(std::uint64_t cycle) {
  cycle_ = cycle;
  starting_.clear();
  ended_.clear();
  finished_.clear();
  halted_.clear();
  all_placed_.clear();
  for (SmClass& sms : pool_.classes()) {
    if (sms.next > cycle_) continue;
    settle(sms);
    free_places(sms);
  }
}

void Dispatcher::place_and_look_ahead(bool waves_logged) {
  place(waves_logged);
  start_cohorts();
  finish();
  end_halts();
  look_ahead();
}

/// What has become due on the SMs of the class: starts and ends.
void Dispatcher::settle(SmClass& sms) {
  sms.changed = true;
  for (ResidentGroup& group : sms.residents) {
    if (group.due > cycle_) continue;
    group.changed = true;
    if (group.state == ResidentGroup::State::launching) start(sms, group);
    end_if_complete(sms, group);
  }
}

void Dispatcher::start(SmClass& sms, ResidentGroup& group) {
  group.state = ResidentGroup::State::running;
  if (group.shares) begin_sharing(sms);
  const Grid& grid = grids_[group.grid].grid;
  group.event += grid.work.cycles + (grid.graphics ? 0 : config_.group_overhead_cycles);
}

void Dispatcher::begin_sharing(SmClass& sms) {
  sms.sharing_changed = true;
  sms.at_full_speed = false;
}

void Dispatcher::end_if_complete(SmClass& sms, ResidentGroup& group) {
  if (group.state != ResidentGroup::State::running) return;
  if (group.shares && group.left_at(cycle_) == 0) {
    group.left = 0;
    group.shares = false;
    sms.sharing_changed = true;
  }
  if (group.shares || !group.memory_done || group.event > cycle_) return;
  GridState& state = grids_[group.grid];
  std::uint64_t skew = 0;
  std::uint64_t retired = cycle_;
  group.state = ResidentGroup::State::leaving;
  group.event = cycle_;
  if (!state.grid.graphics) {
    skew = std::uint64_t{sms.sms.back()} * config_.sm_skew_cycles;
    const bool changes = sms.retired_grid != 0 && sms.retired_grid != state.number;
    const std::uint64_t change = changes ? config_.grid_change_cycles : 0;
    sms.retired_grid = state.number;
    sms.retired = std::max(sms.retired + change, cycle_) + config_.group_retire_cycles;
    retired = sms.retired + skew;
    group.event = sms.retired + config_.group_refill_cycles;
  }
  state.running -= sms.sms.size();
  state.retired = std::max(state.retired, retired);
  if (state.running == 0 && state.unplaced == 0 && state.left.saved.empty())
    retiring_.push_back({state.retired, group.grid});
  if (group.cohort == no_cohort) return;
  Cohort& cohort = cohorts_[group.cohort];
  cohort.running -= sms.sms.size();
  cohort.end = std::max(cohort.end, cycle_ + skew);
  if (cohort.running > 0) return;
  ended_.push_back(cohort);
  cohorts_.remove(group.cohort);
}

void Dispatcher::free_places(SmClass& sms) {
  const auto gone = std::remove_if(sms.residents.begin(), sms.residents.end(), [&](const ResidentGroup& group) {
    if (group.state != ResidentGroup::State::leaving || group.event > cycle_) return false;
    sms.release(group.need);
    places_may_fit_ = true;
    return true;
  });
  if (gone == sms.residents.end()) return;
  sms.left_by_some = true;
  sms.residents.erase(gone, sms.residents.end());
}

void Dispatcher::end_memory() {
  if (memory_ended_.empty()) return;
  for (SmClass& sms : pool_.classes()) {
    bool mine = false;
    for (ResidentGroup& group : sms.residents) {
      if (group.memory_done ||
          std::find(memory_ended_.begin(), memory_ended_.end(), group.cohort) == memory_ended_.end()) {
        continue;
      }
      mine = true;
      group.memory_done = group.changed = true;
      end_if_complete(sms, group);
    }
    if (!mine) continue;
    sms.changed = true;
    free_places(sms);
  }
  memory_ended_.clear();
}

void Dispatcher::admit() {
  // Those of one moment come in no particular order; the packets' ids have one.
  const auto earlier = [this](std::uint32_t a, std::uint32_t b) { return grids_[a].grid.order < grids_[b].grid.order; };
  if (!std::is_sorted(arrived_.begin(), arrived_.end(), earlier)) {
    std::stable_sort(arrived_.begin(), arrived_.end(), earlier);
  }
  for (const std::uint32_t slot : arrived_) {
    const Grid& grid = grids_[slot].grid;
    const auto later = std::find_if(pending_.begin(), pending_.end(), [&](std::uint32_t other) {
      const Grid& waiting = grids_[other].grid;
      if (waiting.priority != grid.priority) return waiting.priority < grid.priority;
      return grid.graphics && !waiting.graphics;
    });
    pending_.insert(later, slot);
  }
  arrived_.clear();
  places_may_fit_ = true;
}

void Dispatcher::place(bool waves_logged) {
  if (pending_.empty() || !places_may_fit_) return;
  places_may_fit_ = false;
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
    while (!distributor_blocked && state.placeable() > 0) distributor_blocked = !place_fresh(slot, waves_logged);
    if (state.unplaced == 0 && state.left.saved.empty() && !state.grid.graphics && !empty) {
      all_placed_.push_back(state.grid);
    }
    const bool saved = !state.halting && !state.left.saved.empty();
    if (saved || state.placeable() > 0 || (empty && distributor_blocked)) pending_[kept++] = slot;
  }
  pending_.resize(kept);
}

/// Groups that have not begun, one on each SM at most. False when there is no place.
bool Dispatcher::place_fresh(std::uint32_t slot, bool waves_logged) {
  GridState& state = grids_[slot];
  const std::uint64_t placed =
      pool_.place(state.need, state.wanted_split, state.placeable(), state.grid.graphics, placed_on_);
  if (placed == 0) return false;
  state.unplaced -= placed;
  if (state.halting) state.wanted -= placed;
  state.running += placed;
  groups_run_ += placed;
  if (slot != filling_) {
    filling_ = slot;
    disturb();
  }
  for (const std::uint32_t i : placed_on_) add_fresh(pool_.classes()[i], slot, waves_logged);
  return true;
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
  for (const std::uint32_t i : placed_on_) add_saved(pool_.classes()[i], slot, saved, waves_logged);
  return true;
}

ResidentGroup Dispatcher::group_of(std::uint32_t grid) const {
  ResidentGroup group;
  group.grid = grid;
  group.cohort = no_cohort;
  group.need = grids_[grid].need;
  return group;
}

/// One group of the grid on every SM of the class, which has counted it already.
void Dispatcher::add_fresh(SmClass& sms, std::uint32_t grid, bool waves_logged) {
  const GridState& state = grids_[grid];
  ResidentGroup group = group_of(grid);
  group.event = std::max(cycle_, sms.launcher_free);
  sms.launcher_free = group.event + state.launch;
  group.memory_done = state.grid.work.vram_bytes == 0;
  group.shares = state.cost.cycles > 0;
  group.left = ResidentGroup::Wide{state.cost.cycles} * full_speed;
  add(sms, group, waves_logged);
  if (!group.memory_done) cohorts_[group.cohort].fresh += sms.sms.size();
}

/// The same for a group that has begun: nothing launches it.
void Dispatcher::add_saved(SmClass& sms, std::uint32_t grid, const SavedGroups& saved, bool waves_logged) {
  ResidentGroup group = group_of(grid);
  group.state = ResidentGroup::State::running;
  group.event = cycle_ + saved.cycles;
  group.memory_done = saved.hit_bytes == 0 && saved.miss_bytes == 0;
  group.shares = saved.instructions > 0;
  group.left = saved.instructions;
  add(sms, group, waves_logged);
  if (group.memory_done) return;
  Cohort& cohort = cohorts_[group.cohort];
  cohort.hit_bytes += saved.hit_bytes * sms.sms.size();
  cohort.miss_bytes += saved.miss_bytes * sms.sms.size();
}

void Dispatcher::add(SmClass& sms, ResidentGroup& group, bool waves_logged) {
  if (!group.memory_done || waves_logged) {
    group.cohort = cohort_of(group.grid);
    cohorts_[group.cohort].groups += sms.sms.size();
    cohorts_[group.cohort].running += sms.sms.size();
  }
  if (group.state == ResidentGroup::State::launching && group.event <= cycle_) start(sms, group);
  if (group.sharing()) begin_sharing(sms);
  sms.residents.push_back(group);
  sms.changed = true;
}

std::uint32_t Dispatcher::cohort_of(std::uint32_t grid) {
  for (const std::uint32_t i : placed_) {
    if (cohorts_[i].grid == grid) return i;
  }
  placed_.push_back(cohorts_.add({grid, cycle_, 0, 0, 0, 0, 0, 0}));
  return placed_.back();
}

void Dispatcher::start_cohorts() {
  if (placed_.empty()) return;
  for (const std::uint32_t i : placed_) {
    const Cohort& cohort = cohorts_[i];
    if (cohort.fresh > 0 || cohort.hit_bytes + cohort.miss_bytes > 0) starting_.push_back(i);
  }
  placed_.clear();
  std::sort(starting_.begin(), starting_.end(),
            [this](std::uint32_t a, std::uint32_t b) { return cohorts_[a].grid < cohorts_[b].grid; });
}

void Dispatcher::finish() {
  if (retiring_.empty() && complete_.empty()) return;
  const auto gone = std::remove_if(retiring_.begin(), retiring_.end(), [this](const Retirement& retirement) {
    if (retirement.cycle > cycle_) return false;
    complete_.push_back(retirement.grid);
    return true;
  });
  retiring_.erase(gone, retiring_.end());
  if (complete_.empty()) return;
  std::sort(complete_.begin(), complete_.end(), [this](std::uint32_t a, std::uint32_t b) {
    const std::uint64_t x = grids_[a].grid.order;
    const std::uint64_t y = grids_[b].grid.order;
    return x != y ? x < y : a < b;
  });
  for (const std::uint32_t slot : complete_) {
    finished_.push_back(grids_[slot].grid);
    grids_[slot].over = true;
    over_.push_back(slot);
  }
  complete_.clear();
}

/// Speeds and the next event of classes that changed, and the next of all.
void Dispatcher::look_ahead() {
  next_ = never;
  for (const Retirement& retirement : retiring_) next_ = std::min(next_, retirement.cycle);
  for (const std::uint32_t slot : halting_) {
    if (has_drained(slot)) next_ = std::min(next_, grids_[slot].retired);
  }
  bool left = false;
  for (SmClass& sms : pool_.classes()) {
    if (sms.changed) {
      if (sms.sharing_changed) share(sms);
      sms.look_ahead();
      sms.changed = false;
      left |= sms.left_by_some;
    }
    next_ = std::min(next_, sms.next);
  }
  if (left) pool_.merge_equal(cycle_);
}

void Dispatcher::share(SmClass& sms) {
  sms.sharing_changed = false;
  if (sms.at_full_speed) return;
  sms.at_full_speed = true;
  SmRoom room(config_.issue_conflicts);
  for (ResidentGroup& group : sms.residents) {
    if (!group.sharing()) continue;
    const std::uint64_t speed = room.take(grids_[group.grid].cost);
    if (speed != full_speed) sms.at_full_speed = false;
    if (speed != group.speed) group.set_speed(speed, cycle_);
  }
}

}  // namespace fenceline
