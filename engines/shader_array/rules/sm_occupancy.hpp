// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/shader_array/rules/occupancy.hpp"

#include <cstdint>

namespace fenceline {

/// What the groups on an SM hold of it.
struct SmOccupancy {
  std::uint32_t groups = 0;
  std::uint32_t warps = 0;
  std::uint32_t registers = 0;
  std::uint32_t shared_bytes = 0;
  std::uint32_t split_bytes = 0;  ///< of its L1, as shared memory; meaningful while groups are resident

  /// There is a place for one more group, of a grid that wants such a split: an SM that is idle changes its own.
  bool fits(const GroupOccupancy& need, std::uint32_t wanted_split, const ShaderArrayConfig& config) const;
  /// It comes.
  void occupy(const GroupOccupancy& need, std::uint32_t wanted_split);
  /// It leaves.
  void release(const GroupOccupancy& need);
};

}  // namespace fenceline
