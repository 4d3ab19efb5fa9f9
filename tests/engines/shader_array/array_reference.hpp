// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/shader_array/rules/grid.hpp"
#include "engines/shader_array/rules/group_cost.hpp"
#include "engines/shader_array/rules/sm_room.hpp"
#include "sim/kernel/clock_domain.hpp"
#include "tests/engines/shader_array/pool_reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace fenceline::testing {

struct Launch {
  std::uint64_t at_ps;
  Grid grid;
};
/// A grid gets another priority.
struct RankChange {
  std::uint64_t at_ps;
  std::size_t grid;
  int priority;
};

/// The documented rules of the shader array with every SM and every group an object of its own. No memory accesses.
class ArrayReference {
 public:
  explicit ArrayReference(const ShaderArrayConfig& config)
      : config_(config), clock_(ClockDomain::of_mhz(config.clock_mhz)), pool_(config), sms_(config.sms) {}

  /// When each grid ends, picoseconds.
  std::vector<std::uint64_t> run(const std::vector<Launch>& launches, const std::vector<RankChange>& changes = {}) {
    for (const RankChange& change : changes) changes_.push_back({clock_.first_edge_from(change.at_ps), change});
    for (const Launch& launch : launches) {
      grids_.push_back({launch.grid, clock_.first_edge_from(launch.at_ps),
                        group_cost(launch.grid.footprint, launch.grid.work.shader, config_), launch.grid.groups, 0, 0});
    }
    for (std::uint64_t now = next_event(); now != nothing; now = next_event()) step(now);
    std::vector<std::uint64_t> ends_ps;
    for (const GridState& grid : grids_) ends_ps.push_back(clock_.time_of(grid.end));
    return ends_ps;
  }

 private:
  using Wide = unsigned __int128;
  static constexpr std::uint64_t nothing = ~std::uint64_t{0};
  static constexpr std::size_t none = ~std::size_t{0};

  struct GridState {
    Grid grid;
    std::uint64_t arrival;
    GroupCost cost;
    std::uint64_t unplaced;
    std::uint64_t running;
    std::uint64_t end;
    bool arrived = false;
    bool passed = false;         // one without groups has had its turn
    std::uint64_t promised = 0;  // groups that wait on an SM of their own
    std::uint64_t come = 0;      // of a flow of pixels, without a place
    std::uint64_t next_come = 0;
    std::uint64_t placeable() const { return grid.flow.groups > 0 ? std::min(unplaced, come) : unplaced - promised; }
  };
  enum class Stage { waits_to_begin, runs, leaves };
  struct Group {
    std::size_t grid;
    Stage stage;
    std::uint64_t until;  // end of the stage, when running: of what takes a fixed time
    Wide instructions;    // left, in cycles at full speed times full_speed
    std::uint64_t speed;
  };
  struct Sm {
    std::vector<Group> groups;
    std::uint64_t launcher_free = 0;
    std::uint64_t retired = 0;
    std::size_t retired_grid = none;
    bool freed = false;     // a thread group has left its place at this moment
    bool lost = false;      // and vertices or pixels have taken one
    bool promised = false;  // a group waits here
    std::size_t promised_grid = none;
  };

  GroupOccupancy need(std::size_t grid) const { return occupancy_of(grids_[grid].grid.footprint, config_); }

  std::uint64_t next_event() const {
    std::uint64_t next = nothing;
    for (const auto& [edge, change] : changes_) {
      if (edge > now_) next = std::min(next, edge);
    }
    for (const GridState& grid : grids_) {
      if (!grid.arrived) next = std::min(next, grid.arrival);
    }
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      const GridState& grid = grids_[waiting_[i]];
      if (grid.grid.flow.groups > 0 && grid.unplaced > 0 && grid.come == 0 && !rasteriser_is_busy(i)) {
        next = std::min(next, grid.next_come);
      }
    }
    for (const Sm& sm : sms_) {
      for (const Group& group : sm.groups) {
        std::uint64_t event = group.until;
        if (group.stage == Stage::runs && group.instructions > 0) {
          event = now_ + static_cast<std::uint64_t>((group.instructions + group.speed - 1) / group.speed);
        }
        next = std::min(next, event);
      }
    }
    return next;
  }

  void step(std::uint64_t now) {
    for (std::uint32_t i = 0; i < sms_.size(); ++i) {
      execute(sms_[i], now - now_);
      end_stages(i, now);
    }
    now_ = now;
    place();
    for (Sm& sm : sms_) share(sm);
  }

  static void execute(Sm& sm, std::uint64_t cycles) {
    for (Group& group : sm.groups) {
      if (group.stage == Stage::runs) group.instructions -= std::min(group.instructions, Wide{group.speed} * cycles);
    }
  }

  void begin(Group& group, std::uint64_t now) const {
    group.stage = Stage::runs;
    group.until = now + grids_[group.grid].grid.work.cycles;
  }

  void end_stages(std::uint32_t index, std::uint64_t now) {
    Sm& sm = sms_[index];
    std::vector<Group> stay;
    for (Group group : sm.groups) {
      if (group.stage == Stage::waits_to_begin && group.until <= now) begin(group, now);
      if (group.stage == Stage::runs && group.instructions == 0 && group.until <= now) {
        GridState& grid = grids_[group.grid];
        --grid.running;
        group.stage = Stage::leaves;
        group.until = now;
        if (grid.grid.graphics) {
          grid.end = std::max(grid.end, now);
        } else {
          const bool change = sm.retired_grid != none && sm.retired_grid != group.grid;
          sm.retired_grid = group.grid;
          sm.retired =
              std::max(sm.retired + (change ? config_.grid_change_cycles : 0), now) + config_.group_retire_cycles;
          grid.end = std::max(grid.end, sm.retired + index * config_.sm_skew_cycles);
          group.until = sm.retired + config_.group_refill_cycles;
        }
      }
      if (group.stage == Stage::leaves && group.until <= now) {
        pool_.release(need(group.grid), index);
        if (!grids_[group.grid].grid.graphics) sm.freed = true;
      } else {
        stay.push_back(group);
      }
    }
    sm.groups = stay;
  }

  void place() {
    place_waiting();
    for (const auto& [edge, change] : changes_) {
      if (edge <= now_) grids_[change.grid].grid.priority = change.priority;
    }
    for (std::size_t i = 0; i < grids_.size(); ++i) {
      if (grids_[i].arrived || grids_[i].arrival != now_) continue;
      grids_[i].arrived = true;
      waiting_.push_back(i);
    }
    // Priority first; within one priority 3D before compute, where configured its dispatches, too, then by arrival,
    // grids of one edge by their packet.
    std::stable_sort(waiting_.begin(), waiting_.end(), [&](std::size_t a, std::size_t b) {
      const GridState& x = grids_[a];
      const GridState& y = grids_[b];
      if (x.grid.priority != y.grid.priority) return x.grid.priority > y.grid.priority;
      if (goes_first(x.grid) != goes_first(y.grid)) return goes_first(x.grid);
      return x.arrival != y.arrival ? x.arrival < y.arrival : x.grid.order < y.grid.order;
    });
    place_waiting();
  }

  bool goes_first(const Grid& grid) const {
    return grid.graphics || (config_.graphics_queue_first && grid.of_graphics_queue);
  }

  void place_waiting() {
    bool blocked[2] = {false, false};
    for (std::size_t at = 0; at < waiting_.size(); ++at) {
      const std::size_t i = waiting_[at];
      GridState& state = grids_[i];
      bool& mine = blocked[state.grid.graphics ? 1 : 0];
      if (!mine && state.grid.groups == 0) {
        state.end = now_;
        state.passed = true;
      }
      if (!state.grid.graphics) place_promised(i, mine);
      if (state.grid.flow.groups > 0 && rasteriser_is_busy(at)) continue;
      for (bring(state); !mine && state.placeable() > 0; bring(state)) mine = !place_one(i);
    }
    std::vector<std::size_t> still_waiting;
    for (const std::size_t i : waiting_) {
      const GridState& state = grids_[i];
      if (state.unplaced > 0 || (state.grid.groups == 0 && !state.passed)) still_waiting.push_back(i);
    }
    waiting_ = still_waiting;
    for (Sm& sm : sms_) sm.freed = sm.lost = false;
  }

  /// Pixels of an earlier draw are still to come.
  bool rasteriser_is_busy(std::size_t at) const {
    return std::any_of(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(at),
                       [&](std::size_t i) { return grids_[i].grid.flow.groups > 0 && grids_[i].unplaced > 0; });
  }

  void bring(GridState& state) const {
    if (state.grid.flow.groups == 0 || state.come > 0 || state.next_come > now_) return;
    state.come = std::min(state.unplaced, state.grid.flow.groups);
    state.next_come = now_ + state.grid.flow.cycles;
  }

  /// Where pixels have taken a thread group's place and no other is left, the next group waits for one.
  void place_promised(std::size_t i, bool blocked) {
    GridState& state = grids_[i];
    const std::uint32_t split = wanted_split_bytes(state.grid.footprint, config_);
    for (std::uint32_t index = 0; index < sms_.size() && !blocked && state.placeable() > 0; ++index) {
      Sm& sm = sms_[index];
      if (!sm.lost || sm.promised || pool_.fits_on(index, need(i), split)) continue;
      sm.promised = true;
      sm.promised_grid = i;
      ++state.promised;
    }
    for (std::uint32_t index = 0; index < sms_.size(); ++index) {
      Sm& sm = sms_[index];
      if (sm.promised && sm.promised_grid == i && pool_.fits_on(index, need(i), split)) {
        pool_.place_on(index, need(i), split);
        sm.promised = false;
        --state.promised;
        begin_on(i, index);
      }
    }
  }

  bool place_one(std::size_t i) {
    GridState& state = grids_[i];
    const auto place = pool_.place(need(i), wanted_split_bytes(state.grid.footprint, config_),
                                   state.grid.graphics ? config_.graphics_sms : config_.sms);
    if (!place) return false;
    if (state.grid.flow.groups > 0) --state.come;
    Sm& sm = sms_[*place];
    if (state.grid.graphics && sm.freed) sm.lost = true;
    begin_on(i, *place);
    return true;
  }

  void begin_on(std::size_t i, std::uint32_t index) {
    GridState& state = grids_[i];
    --state.unplaced;
    ++state.running;
    Sm& sm = sms_[index];
    const std::uint64_t start = std::max(now_, sm.launcher_free);
    const std::uint64_t warps = (state.grid.footprint.threads + config_.warp_threads - 1) / config_.warp_threads;
    const auto of_warps =
        static_cast<std::uint64_t>(std::llround(config_.warp_launch_cycles * static_cast<double>(warps)));
    sm.launcher_free = start;
    if (!state.grid.graphics) sm.launcher_free += std::max<std::uint64_t>(config_.group_launch_cycles, of_warps);
    const std::uint64_t begins = start + config_.group_overhead_cycles;
    Group group{i, Stage::waits_to_begin, begins, Wide{state.cost.cycles} * full_speed, 0};
    if (begins == now_) begin(group, now_);
    sm.groups.push_back(group);
  }

  void share(Sm& sm) const {
    SmRoom room;
    for (Group& group : sm.groups) {
      if (group.stage == Stage::runs && group.instructions > 0)
        group.speed = room.take(grids_[group.grid].cost, config_.issue_conflicts);
    }
  }

  ShaderArrayConfig config_;
  ClockDomain clock_;
  PoolReference pool_;
  std::vector<Sm> sms_;
  std::vector<GridState> grids_;
  std::vector<std::pair<std::uint64_t, RankChange>> changes_;  // and at which SM cycle
  std::vector<std::size_t> waiting_;
  std::uint64_t now_ = 0;
};

}  // namespace fenceline::testing
