// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/preemption.hpp"
#include "engines/command/progress.hpp"
#include "engines/shader_array/rules/dispatcher.hpp"
#include "engines/shader_array/rules/grid.hpp"
#include "engines/shader_array/rules/group_cost.hpp"
#include "engines/shader_array/rules/occupancy.hpp"
#include "engines/shader_array/rules/shader_array_config.hpp"
#include "sim/slots.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace fenceline {

/// A grid from its launch until its owner knows that it is over, and how far its groups are. Times are SM cycles.
struct GridState {
  /// A new grid, of so many launched, in a place that others may have had; with `left` it goes on where it was halted.
  void begin(const Grid& new_grid, std::uint64_t new_number, const GridRemainder* new_left,
             const ShaderArrayConfig& config);
  /// All of its groups have places, or had.
  bool has_begun() const { return unplaced == 0 && left.saved.empty() && grid.groups > 0; }
  /// None of its groups runs, and none that has to before it can stop.
  bool has_drained() const { return running == 0 && wanted == 0; }
  /// Groups that will get places, whenever that is.
  std::uint64_t remaining() const { return halting ? wanted : unplaced; }
  /// Of those, such as want one now, wherever it is.
  std::uint64_t placeable() const {
    const std::uint64_t anywhere = remaining() - promised;
    return grid.flow.groups > 0 ? std::min(anywhere, come) : anywhere;
  }
  /// So many groups get places.
  void enter(std::uint64_t groups, Tally& residents) {
    if (running == 0 && groups > 0) residents.add(grid.order);
    running += groups;
  }
  /// So many groups leave their places.
  void leave(std::uint64_t groups, Tally& residents) {
    running -= groups;
    if (running == 0 && groups > 0) residents.remove(grid.order);
  }
  /// Groups of it want places, and none has had one since the launch.
  bool is_shut_out() const {
    const bool wants = placeable() > 0 || !left.saved.empty();
    return wants && !over && !halting && first_start == never && running == 0;
  }
  /// The next batch of a draw's pixels comes, if its time has come and the last has places.
  void bring_pixels(std::uint64_t cycle) {
    if (come > 0 || next_come > cycle) return;
    come = std::min(remaining(), grid.flow.groups);
    next_come = cycle + grid.flow.cycles;
  }

  Grid grid;
  GroupOccupancy need;
  GroupCost cost;
  std::uint32_t wanted_split = 0;
  std::uint64_t bytes = 0;    ///< of each group's memory accesses
  bool drifts = false;        ///< its waves drift apart
  std::uint64_t launch = 0;   ///< cycles between the starts of its groups on one SM
  std::uint64_t fixed = 0;    ///< cycles of each group that nothing changes
  std::uint64_t number = 0;   ///< counts grids, from 1
  std::uint64_t arrival = 0;  ///< counts grids from 1, in the order in which they came to wait for places
  std::uint64_t unplaced = 0;
  std::uint64_t running = 0;          ///< placed and not ended
  std::uint64_t accessing = 0;        ///< of those, memory accesses are under way
  std::uint64_t work_end = 0;         ///< of the group that ends last, so far, where that is known beforehand
  std::uint64_t retired = 0;          ///< of the group that retired last, so far
  std::uint64_t first_start = never;  ///< of a group since the launch
  std::uint64_t come = 0;             ///< of a draw's pixels: have come and wait for places
  std::uint64_t next_come = 0;        ///< the next batch comes then at the earliest
  std::uint64_t promised = 0;         ///< groups that wait for a place on an SM of their own
  std::optional<PreemptionLevel> halting;
  std::uint64_t wanted = 0;  ///< halting: groups to be placed before it can stop
  GridRemainder left;        ///< of groups that have begun and are not on an SM
  bool complete = false;     ///< it finishes with this step
  bool over = false;         ///< finished or halted
};

/// Threads of the groups that have places. Of grids that are over none has.
inline std::uint64_t threads_of(const Slots<GridState>& grids) {
  std::uint64_t threads = 0;
  for (std::size_t i = 0; i < grids.size(); ++i) threads += grids[i].running * grids[i].grid.footprint.threads;
  return threads;
}

}  // namespace fenceline
