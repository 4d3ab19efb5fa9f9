// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array/rules/grid_state.hpp"

#include "engines/shader_array/rules/group_times.hpp"
#include "sim/assert.hpp"

namespace fenceline {

void GridState::begin(const Grid& new_grid, std::uint64_t new_number, const GridRemainder* new_left,
                      const ShaderArrayConfig& config) {
  FENCELINE_ASSERT(groups_that_fit(new_grid.footprint, config) > 0, "dispatcher: a group that fits no SM");
  grid = new_grid;
  number = new_number;
  need = occupancy_of(grid.footprint, config);
  cost = group_cost(grid.footprint, grid.work.shader, config);
  wanted_split = wanted_split_bytes(grid.footprint, config);
  bytes = group_bytes(grid);
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
