// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/shader_array/rules/grid.hpp"
#include "engines/shader_array/rules/group_cost.hpp"

#include <cstdint>

/// What a group of a grid takes of its SM besides its instructions and memory accesses, in SM cycles. What the pace of
/// pixels and the end of memory accesses allow for it stands in DrawPipeline::pixel_grid and
/// ShaderArray::memory_overhead_ps_.
namespace fenceline {

/// From its start until the SM can start the next. Vertices and pixels come as warps, whenever they come.
inline std::uint64_t launch_cycles(const Grid& grid, const ShaderArrayConfig& config) {
  return grid.graphics ? 0 : launch_cycles(grid.footprint, config);
}

/// From its start on, beside its instructions and accesses: the longest decides. Its first instruction comes after
/// config.group_overhead_cycles, alike for all grids.
inline std::uint64_t fixed_cycles(const Grid& grid, const ShaderArrayConfig& config) {
  return config.group_overhead_cycles + grid.work.cycles;
}

}  // namespace fenceline
