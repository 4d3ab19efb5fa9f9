// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array/rules/grid_state.hpp"

#include "engines/shader_array/rules/wave_parts.hpp"
#include "sim/assert.hpp"

namespace fenceline {
namespace {

// What a group takes of its SM besides its instructions and memory accesses, in SM cycles. What the pace of pixels and
// the end of memory accesses allow for it stands in DrawPipeline::pixel_grid and ShaderArray::memory_overhead_ps_.

/// From its start until the SM can start the next. Vertices and pixels come as warps, whenever they come.
std::uint64_t launch_cycles(const Grid& grid, const ShaderArrayConfig& config) {
  return grid.graphics ? 0 : launch_cycles(grid.footprint, config);
}

/// From its start on, beside its instructions and accesses: the longest decides. Its first instruction comes after
/// config.group_overhead_cycles, alike for all grids.
std::uint64_t fixed_cycles(const Grid& grid, const ShaderArrayConfig& config) {
  return config.group_overhead_cycles + grid.work.cycles;
}

}  // namespace

void GridState::begin(const Grid& new_grid, std::uint64_t new_number, const GridRemainder* new_left,
                      const ShaderArrayConfig& config) {
  FENCELINE_ASSERT(groups_that_fit(new_grid.footprint, config) > 0, "dispatcher: a group that fits no SM");
  grid = new_grid;
  number = new_number;
  need = occupancy_of(grid.footprint, config);
  cost = group_cost(grid.footprint, grid.work.shader, config);
  wanted_split = wanted_split_bytes(grid.footprint, config);
  bytes = group_bytes(grid);
  drifts = fenceline::drifts(grid, config);
  launch = launch_cycles(grid, config);
  fixed = fixed_cycles(grid, config);
  unplaced = new_left != nullptr ? new_left->groups : grid.groups;
  arrival = running = accessing = work_end = retired = come = next_come = promised = wanted = 0;
  first_start = never;
  halting.reset();
  left = {};
  if (new_left != nullptr) left = *new_left;
  complete = over = false;
}

}  // namespace fenceline
