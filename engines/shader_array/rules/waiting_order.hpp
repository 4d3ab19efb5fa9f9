// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/shader_array/rules/grid.hpp"
#include "engines/shader_array/rules/shader_array_config.hpp"

namespace fenceline {

/// Of grids that wait for places one that waits already makes way to one that comes: that one has a higher rank, or the
/// same and goes first, as those of the 3D engine do, and those of its queues where the machine says so.
bool makes_way(const Grid& waiting, const Grid& comes, const ShaderArrayConfig& config);

}  // namespace fenceline
