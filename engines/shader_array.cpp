// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array.hpp"

#include "engines/sm_share.hpp"
#include "sim/assert.hpp"
#include "sim/duration.hpp"
#include "sim/kernel.hpp"
#include "sim/time_limit.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace fenceline {
namespace {

constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
using Wide = unsigned __int128;

}  // namespace

ShaderArray::ShaderArray(sc_core::sc_module_name module_name, const ShaderArrayConfig& config, Memory& memory,
                         EventLog& log)
    : sc_module(module_name),
      config_(config),
      clock_(config.clock_khz),
      launch_ps_(ps_of_ns(config.group_launch_ns)),
      warp_launch_ps_(ps_of_ns(config.warp_launch_ns)),
      skew_ps_(ps_of_ns(config.sm_skew_ns)),
      retire_ps_(ps_of_ns(config.group_retire_ns)),
      refill_ps_(ps_of_ns(config.group_refill_ns)),
      memory_overhead_ps_(ps_of_ns(config.memory_group_overhead_ns)),
      memory_(memory),
      log_(log),
      log_track_(log.name(name())),
      log_category_(log.name("wave")),
      agenda_("agenda"),
      pool_(config) {
  SC_HAS_PROCESS(ShaderArray);
  SC_METHOD(work);
  sensitive << work_;
  dont_initialize();
  SC_METHOD(woken);
  sensitive << wake_;
  dont_initialize();
}

void ShaderArray::launch(const Grid& grid) {
  FENCELINE_ASSERT(groups_per_sm(grid.footprint, config_) > 0, std::string(name()) + ": a group that fits no SM");
  GridState state{};
  state.grid = grid;
  state.need = occupancy_of(grid.footprint, config_);
  state.cost = group_cost(grid.footprint, grid.work.shader, config_);
  state.shared_work = Wide{clock_.duration_ps(state.cost.cycles)} * full_speed;
  state.wanted_split = wanted_split_bytes(grid.footprint, config_);
  state.unplaced = grid.groups;
  // Vertices and pixels come and go as warps; what thread groups cost the launcher is none of theirs.
  if (!grid.graphics) {
    state.launch_ps = std::max(launch_ps_, static_cast<std::uint64_t>(state.cost.weight) * warp_launch_ps_);
    state.handed_out_ps =
        sc_core::sc_time_stamp().value() + ps_of_ns(config_.group_distribution_ns * static_cast<double>(grid.groups));
  }
  const std::uint32_t slot = grids_.add(std::move(state));
  arrived_.push_back(slot);
  work_.notify(sc_core::SC_ZERO_TIME);  // all that arrive or end in this delta cycle are placed together, in order
}

void ShaderArray::woken() { work_.notify(sc_core::SC_ZERO_TIME); }

void ShaderArray::work() {
  guarded([this] {
    now_ps_ = sc_core::sc_time_stamp().value();
    callbacks_.clear();
    auto& classes = pool_.classes();
    for (std::uint32_t i = 0; i < classes.size(); ++i) {
      if (classes[i].next_ps > now_ps_) continue;
      settle(classes[i]);
      free_places(i);
    }
    end_memory();
    admit();
    place();
    start_cohorts();
    look_ahead();
    std::sort(finished_.begin(), finished_.end(), [this](std::uint32_t a, std::uint32_t b) {
      const std::uint64_t x = grids_[a].grid.order;
      const std::uint64_t y = grids_[b].grid.order;
      return x != y ? x < y : a < b;
    });
  });
  // Outside the bookkeeping: a callback may launch the next grid.
  guarded([this] {
    for (const std::uint32_t slot : finished_) {
      callbacks_.push_back(grids_[slot].grid.done);
      grids_.remove(slot);
    }
    finished_.clear();
    const std::vector<Callback> finished = callbacks_;
    for (const Callback& done : finished) done();
  });
}

/// Executes the instructions of the time since the class was last looked at.
void ShaderArray::advance(SmClass& sms) {
  const std::uint64_t passed = now_ps_ - sms.advanced_ps;
  sms.advanced_ps = now_ps_;
  if (passed == 0) return;
  for (ResidentGroup& group : sms.residents) {
    if (group.state == ResidentGroup::State::running && group.shares) {
      group.left -= std::min(group.left, Wide{group.speed} * passed);
    }
  }
}

/// What has become due on the SMs of the class: starts and ends.
void ShaderArray::settle(SmClass& sms) {
  advance(sms);
  sms.changed = true;
  for (ResidentGroup& group : sms.residents) {
    if (group.state == ResidentGroup::State::launching && group.event_ps <= now_ps_) {
      group.state = ResidentGroup::State::running;
      group.event_ps = fixed_end(group.grid);
    }
    end_if_complete(sms, group);
  }
}

void ShaderArray::end_if_complete(SmClass& sms, ResidentGroup& group) {
  if (group.state != ResidentGroup::State::running) return;
  if (group.shares && group.left == 0) group.shares = false;
  if (group.shares || !group.memory_done || group.event_ps > now_ps_) return;
  GridState& state = grids_[group.grid];
  group.state = ResidentGroup::State::leaving;
  group.event_ps = now_ps_;
  std::uint64_t retired_ps = now_ps_;
  std::uint64_t skew_ps = 0;
  if (!state.grid.graphics) {
    sms.retired_ps = std::max(sms.retired_ps, now_ps_) + retire_ps_;
    group.event_ps = sms.retired_ps + refill_ps_;
    skew_ps = sms.sms.back() * skew_ps_;
    retired_ps = sms.retired_ps + skew_ps;
  }
  state.running -= sms.sms.size();
  state.retired_ps = std::max(state.retired_ps, retired_ps);
  if (state.running == 0 && state.unplaced == 0) {
    if (state.retired_ps <= now_ps_) {
      finished_.push_back(group.grid);
    } else {
      agenda_.at<&ShaderArray::retired>(state.retired_ps, this, group.grid);
    }
  }
  Cohort& cohort = cohorts_[group.cohort];
  cohort.running -= sms.sms.size();
  cohort.end_ps = std::max(cohort.end_ps, now_ps_ + skew_ps);
  if (cohort.running > 0) return;
  if (log_.enabled(EventLog::Detail::waves)) {
    const Grid& grid = grids_[cohort.grid].grid;
    log_.span({log_track_, log_category_, grid.label, cohort.start_ps, cohort.end_ps, grid.order});
  }
  cohorts_.remove(group.cohort);
}

void ShaderArray::free_places(std::uint32_t index) {
  SmClass& sms = pool_.classes()[index];
  const auto gone = std::remove_if(sms.residents.begin(), sms.residents.end(), [&](const ResidentGroup& group) {
    if (group.state != ResidentGroup::State::leaving || group.event_ps > now_ps_) return false;
    pool_.release(group.need, index);
    return true;
  });
  sms.residents.erase(gone, sms.residents.end());
}

void ShaderArray::end_memory() {
  if (memory_done_.empty()) return;
  auto& classes = pool_.classes();
  for (std::uint32_t i = 0; i < classes.size(); ++i) {
    SmClass& sms = classes[i];
    bool mine = false;
    for (ResidentGroup& group : sms.residents) {
      if (group.memory_done ||
          std::find(memory_done_.begin(), memory_done_.end(), group.cohort) == memory_done_.end()) {
        continue;
      }
      if (!mine) advance(sms);
      mine = true;
      group.memory_done = true;
      end_if_complete(sms, group);
    }
    if (!mine) continue;
    sms.changed = true;
    free_places(i);
  }
  memory_done_.clear();
}

void ShaderArray::admit() {
  if (arrived_.empty()) return;
  // SystemC gives events of one moment no order; the packets' ids do.
  std::stable_sort(arrived_.begin(), arrived_.end(),
                   [this](std::uint32_t a, std::uint32_t b) { return grids_[a].grid.order < grids_[b].grid.order; });
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
}

void ShaderArray::place() {
  if (pending_.empty()) return;
  pool_.merge_idle(now_ps_);
  bool blocked[2] = {false, false};  // by distributor: compute, graphics
  std::size_t kept = 0;
  for (const std::uint32_t slot : pending_) {
    bool& distributor_blocked = blocked[grids_[slot].grid.graphics ? 1 : 0];
    const bool empty = grids_[slot].grid.groups == 0;
    if (empty && !distributor_blocked) {
      finished_.push_back(slot);
      hand_out(slot);
    }
    while (!distributor_blocked && grids_[slot].unplaced > 0) {
      GridState& state = grids_[slot];
      const std::uint64_t placed =
          pool_.place(state.need, state.wanted_split, state.unplaced, state.grid.graphics, placed_on_);
      state.unplaced -= placed;
      state.running += placed;
      groups_run_ += placed;
      for (const std::uint32_t i : placed_on_) add_group(pool_.classes()[i], slot);
      distributor_blocked = placed == 0;
      if (grids_[slot].unplaced == 0) hand_out(slot);
    }
    if (grids_[slot].unplaced > 0 || (empty && distributor_blocked)) pending_[kept++] = slot;
  }
  pending_.resize(kept);
}

/// Every group has a place.
void ShaderArray::hand_out(std::uint32_t slot) {
  const GridState& state = grids_[slot];
  if (!state.grid.placed) return;
  if (state.handed_out_ps > now_ps_) {
    agenda_.at(state.handed_out_ps, state.grid.placed);
  } else {
    callbacks_.push_back(state.grid.placed);
  }
}

/// One group of the grid on every SM of the class, which has counted it already.
void ShaderArray::add_group(SmClass& sms, std::uint32_t grid) {
  advance(sms);
  const GridState& state = grids_[grid];
  ResidentGroup group;
  group.grid = grid;
  group.need = state.need;
  group.event_ps = std::max(now_ps_, sms.launcher_free_ps);
  sms.launcher_free_ps = group.event_ps + state.launch_ps;
  group.cohort = cohort_of(grid, group.event_ps);
  cohorts_[group.cohort].groups += sms.sms.size();
  cohorts_[group.cohort].running += sms.sms.size();
  group.memory_done = state.grid.work.vram_bytes == 0;
  group.shares = state.shared_work > 0;
  group.left = state.shared_work;
  if (group.event_ps <= now_ps_) {
    group.state = ResidentGroup::State::running;
    group.event_ps = fixed_end(grid);
  }
  sms.residents.push_back(group);
  sms.changed = true;
}

std::uint64_t ShaderArray::fixed_end(std::uint32_t grid) const {
  const Grid& work = grids_[grid].grid;
  return clock_.after(now_ps_, work.work.cycles + (work.graphics ? 0 : config_.group_overhead_cycles));
}

std::uint32_t ShaderArray::cohort_of(std::uint32_t grid, std::uint64_t start_ps) {
  for (const std::uint32_t i : launching_) {
    if (cohorts_[i].grid == grid && cohorts_[i].start_ps == start_ps) return i;
  }
  launching_.push_back(cohorts_.add({grid, start_ps, 0, 0, 0}));
  return launching_.back();
}

void ShaderArray::start_cohorts() {
  std::size_t kept = 0;
  for (const std::uint32_t i : launching_) {
    if (cohorts_[i].start_ps > now_ps_) {
      launching_[kept++] = i;
    } else if (grids_[cohorts_[i].grid].grid.work.vram_bytes > 0) {
      start_memory(i);
    }
  }
  launching_.resize(kept);
}

void ShaderArray::start_memory(std::uint32_t index) {
  const Cohort& cohort = cohorts_[index];
  const Grid& grid = grids_[cohort.grid].grid;
  Memory::Stream stream;
  stream.bytes = cohort.groups * grid.work.vram_bytes;
  stream.bytes_in_flight = cohort.groups * grid.footprint.threads * grid.work.bytes_in_flight_per_thread;
  stream.vram_latency_ns = config_.load_latency_ns;
  stream.hit_fraction = memory_.hit_fraction(grid.groups * grid.work.vram_bytes, grid.work.working_set_bytes);
  memory_.stream(stream, Callback::to<&ShaderArray::streamed>(this, index));
}

void ShaderArray::streamed(std::uint64_t cohort) {
  agenda_.at<&ShaderArray::memory_done>(sc_core::sc_time_stamp().value() + memory_overhead_ps_, this, cohort);
}

void ShaderArray::memory_done(std::uint64_t cohort) {
  memory_done_.push_back(static_cast<std::uint32_t>(cohort));
  work_.notify(sc_core::SC_ZERO_TIME);
}

void ShaderArray::retired(std::uint64_t grid) {
  finished_.push_back(static_cast<std::uint32_t>(grid));
  work_.notify(sc_core::SC_ZERO_TIME);
}

/// Speeds and the next event of classes that changed, and the next of all.
void ShaderArray::look_ahead() {
  std::uint64_t next = never;
  for (SmClass& sms : pool_.classes()) {
    if (sms.changed) {
      share(sms);
      sms.next_ps = next_of(sms);
      sms.changed = false;
    }
    next = std::min(next, sms.next_ps);
  }
  if (next == never) return;
  if (next > max_time_ps) throw_time_overflow(name());
  wake_.notify(sc_core::sc_time::from_value(next - now_ps_));
}

void ShaderArray::share(SmClass& sms) {
  sharing_.clear();
  for (const ResidentGroup& group : sms.residents) {
    if (group.state == ResidentGroup::State::running && group.shares) sharing_.push_back(&grids_[group.grid].cost);
  }
  if (sharing_.empty()) return;
  share_sm(sharing_, speeds_);
  std::size_t i = 0;
  for (ResidentGroup& group : sms.residents) {
    if (group.state == ResidentGroup::State::running && group.shares) group.speed = speeds_[i++];
  }
}

std::uint64_t ShaderArray::next_of(const SmClass& sms) const {
  std::uint64_t next = never;
  for (const ResidentGroup& group : sms.residents) {
    if (group.state != ResidentGroup::State::running) {
      next = std::min(next, group.event_ps);
    } else if (group.shares) {
      const Wide left_ps = (group.left + group.speed - 1) / group.speed;
      next = static_cast<std::uint64_t>(std::min<Wide>(next, sms.advanced_ps + left_ps));
    } else if (group.memory_done) {
      next = std::min(next, group.event_ps);
    }
  }
  return next;
}

}  // namespace fenceline
