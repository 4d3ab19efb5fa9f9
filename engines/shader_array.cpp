// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array.hpp"

#include "sim/assert.hpp"
#include "sim/duration.hpp"
#include "sim/kernel.hpp"

#include <algorithm>
#include <string>

namespace fenceline {

ShaderArray::ShaderArray(sc_core::sc_module_name module_name, const ShaderArrayConfig& config, Memory& memory,
                         EventLog& log)
    : sc_module(module_name),
      config_(config),
      clock_(config.clock_khz),
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
}

void ShaderArray::launch(const Grid& grid) {
  FENCELINE_ASSERT(groups_per_sm(grid.footprint, config_) > 0, std::string(name()) + ": a group that fits no SM");
  const std::uint32_t slot = grids_.add(
      {grid, occupancy_of(grid.footprint, config_), wanted_split_bytes(grid.footprint, config_), grid.groups, 0});
  arrived_.push_back(slot);
  work_.notify(sc_core::SC_ZERO_TIME);  // all that arrive or end in this delta cycle are placed together, in order
}

void ShaderArray::admit() {
  // SystemC gives events of one moment no order; the packets' ids do.
  std::stable_sort(arrived_.begin(), arrived_.end(),
                   [this](std::uint32_t a, std::uint32_t b) { return grids_[a].grid.order < grids_[b].grid.order; });
  for (const std::uint32_t slot : arrived_) {
    const auto lower = std::find_if(pending_.begin(), pending_.end(), [&](std::uint32_t other) {
      return grids_[other].grid.priority < grids_[slot].grid.priority;
    });
    pending_.insert(lower, slot);
  }
  arrived_.clear();
}

void ShaderArray::work() {
  guarded([this] {
    finished_.clear();
    if (arrived_.empty() && ended_.size() == 1 && refills_itself(ended_.front())) {
      // The same places take the same number of groups of the same grid: nothing to search.
      const std::uint32_t wave = ended_.front();
      ended_.clear();
      GridState& state = grids_[waves_[wave].grid];
      pool_.refill(state.wanted_split, waves_[wave].placements);
      state.unplaced -= waves_[wave].groups;
      if (state.unplaced == 0) pending_.erase(std::find(pending_.begin(), pending_.end(), waves_[wave].grid));
      start_wave(wave);
    } else {
      std::sort(ended_.begin(), ended_.end(), [this](std::uint32_t a, std::uint32_t b) {
        const std::uint64_t x = grids_[waves_[a].grid].grid.order;
        const std::uint64_t y = grids_[waves_[b].grid].grid.order;
        return x != y ? x < y : a < b;
      });
      for (const std::uint32_t wave : ended_) end_wave(wave);
      ended_.clear();
    }
    admit();
    place();
  });
  // Outside the bookkeeping: a callback may launch the next grid.
  guarded([this] {
    const std::vector<Callback> finished = finished_;
    for (const Callback& done : finished) done();
  });
}

bool ShaderArray::refills_itself(std::uint32_t wave) const {
  return !pending_.empty() && pending_.front() == waves_[wave].grid &&
         grids_[waves_[wave].grid].unplaced >= waves_[wave].groups;
}

void ShaderArray::end_wave(std::uint32_t index) {
  Wave& wave = waves_[index];
  GridState& state = grids_[wave.grid];
  pool_.release(state.need, wave.placements);
  state.resident -= wave.groups;
  if (state.resident == 0 && state.unplaced == 0) {
    finished_.push_back(state.grid.done);
    grids_.remove(wave.grid);
  }
  waves_.remove(index);
}

void ShaderArray::place() {
  bool blocked[2] = {false, false};  // by distributor: compute, graphics
  for (auto i = pending_.begin(); i != pending_.end();) {
    const std::uint32_t slot = *i;
    GridState& state = grids_[slot];
    bool& distributor_blocked = blocked[state.grid.graphics ? 1 : 0];
    if (distributor_blocked) {
      ++i;
      continue;
    }
    if (state.unplaced > 0) {
      const std::uint32_t sm_limit = state.grid.graphics ? config_.graphics_sms : config_.sms;
      const std::uint32_t index = waves_.take();
      Wave& wave = waves_[index];
      wave.grid = slot;
      wave.placements.clear();
      wave.groups = pool_.place(state.need, state.wanted_split, state.unplaced, sm_limit, wave.placements);
      state.unplaced -= wave.groups;
      state.resident += wave.groups;
      if (wave.groups > 0) {
        start_wave(index);
      } else {
        waves_.remove(index);
      }
    } else if (state.resident == 0) {  // an empty grid
      finished_.push_back(state.grid.done);
      grids_.remove(slot);
    }
    if (state.unplaced > 0) {
      distributor_blocked = true;
      ++i;
    } else {
      i = pending_.erase(i);
    }
  }
}

void ShaderArray::start_wave(std::uint32_t index) {
  Wave& wave = waves_[index];
  const Grid& grid = grids_[wave.grid].grid;
  const std::uint64_t now = sc_core::sc_time_stamp().value();
  wave.start_ps = now;
  wave.parts = 1;
  groups_run_ += wave.groups;
  agenda_.at<&ShaderArray::part_done>(clock_.after(now, grid.work.cycles + config_.group_overhead_cycles), this, index);
  if (grid.work.vram_bytes > 0) {
    ++wave.parts;
    const std::uint64_t threads = wave.groups * grid.footprint.threads;
    const std::uint64_t in_flight = threads * grid.work.bytes_in_flight_per_thread;
    // Latency-bound when few threads run: each has so many bytes under way and waits for them.
    constexpr double beyond_any_channel = 1e18;
    const double limit =
        std::clamp(static_cast<double>(in_flight) * 1e9 / config_.load_latency_ns, 1.0, beyond_any_channel);
    memory_.vram().start({wave.groups * grid.work.vram_bytes,
                          {0, in_flight, static_cast<std::uint64_t>(limit)},
                          true,
                          Callback::to<&ShaderArray::memory_done>(this, index)});
  }
}

void ShaderArray::memory_done(std::uint64_t wave) {
  agenda_.at<&ShaderArray::part_done>(sc_core::sc_time_stamp().value() + memory_overhead_ps_, this, wave);
}

void ShaderArray::part_done(std::uint64_t index) {
  Wave& wave = waves_[index];
  if (--wave.parts > 0) return;
  if (log_.enabled(EventLog::Detail::waves)) {
    const Grid& grid = grids_[wave.grid].grid;
    log_.span({log_track_, log_category_, grid.label, wave.start_ps, sc_core::sc_time_stamp().value(), grid.order});
  }
  ended_.push_back(static_cast<std::uint32_t>(index));
  work_.notify(sc_core::SC_ZERO_TIME);
}

}  // namespace fenceline
