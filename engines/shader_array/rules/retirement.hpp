// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/shader_array/rules/shader_array_config.hpp"

#include <algorithm>
#include <cstdint>

namespace fenceline {

/// An SM retires its thread groups one after another, and one of another grid than the last takes longer.
struct Retirement {
  std::uint64_t until = 0;  ///< SM cycle at which the last group that ended has retired
  std::uint64_t grid = 0;   ///< number of the grid whose it was; 0: none has

  /// A group of that grid ends at `cycle`. Returns when it has retired.
  std::uint64_t retire(std::uint64_t cycle, std::uint64_t of_grid, const ShaderArrayConfig& config) {
    const bool changes = grid != 0 && grid != of_grid;
    grid = of_grid;
    until = std::max(until + (changes ? config.grid_change_cycles : 0), cycle) + config.group_retire_cycles;
    return until;
  }
};

}  // namespace fenceline
