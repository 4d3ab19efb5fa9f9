// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/pipeline.hpp"
#include "engines/shader_array/rules/shader_array_config.hpp"

#include <cstdint>

namespace fenceline {

/// What one group occupies on an SM, after rounding to allocation units.
struct GroupOccupancy {
  std::uint32_t warps = 1;
  std::uint32_t threads = 0;
  std::uint32_t registers = 0;
  std::uint32_t shared_bytes = 0;  ///< with the reserve of each group
  bool operator==(const GroupOccupancy& other) const {
    return warps == other.warps && threads == other.threads && registers == other.registers &&
           shared_bytes == other.shared_bytes;
  }
};
GroupOccupancy occupancy_of(const GroupFootprint& group, const ShaderArrayConfig& sm);

/// Groups of this footprint that fit on an empty SM; 0 when not even one does.
std::uint32_t groups_that_fit(const GroupFootprint& group, const ShaderArrayConfig& sm);

/// The share of the SM's L1 that a grid wants as shared memory: the smallest configurable one that holds its groups at
/// full occupancy. 0 when it uses none. Source: bench/hardware/README.md, "A rule that matters".
std::uint32_t wanted_split_bytes(const GroupFootprint& group, const ShaderArrayConfig& sm);

}  // namespace fenceline
