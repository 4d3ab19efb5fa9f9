// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/shader_array/rules/occupancy.hpp"
#include "sim/assert.hpp"

#include <cstdint>

namespace fenceline {

/// What the groups on an SM hold of it.
struct SmOccupancy {
  std::uint32_t groups = 0;
  std::uint32_t warps = 0;
  std::uint32_t registers = 0;
  std::uint32_t shared_bytes = 0;
  std::uint32_t split_bytes = 0;  ///< of its L1, as shared memory; meaningful while groups are resident

  /// There is a place for one more group, of a grid that wants such a split: an SM that is idle changes its own. The
  /// limits of an SM stand here, of groups of any grids, and in `groups_that_fit` (occupancy.cpp), of groups of one.
  bool fits(const GroupOccupancy& need, std::uint32_t wanted_split, const ShaderArrayConfig& config) const {
    if (groups + 1 > config.groups_per_sm) return false;
    if ((warps + need.warps) * config.warp_threads > config.threads_per_sm) return false;
    if (registers + need.registers > config.registers_per_sm) return false;
    const std::uint32_t shared = shared_bytes + need.shared_bytes;
    if (config.shared_splits_kib.empty()) return shared <= config.shared_bytes_per_sm;
    const std::uint32_t split = groups == 0 ? wanted_split : split_bytes;
    // Without shared memory there are no reserves to hold either.
    return wanted_split <= split && (split == 0 || shared <= split);
  }
  /// It comes.
  void occupy(const GroupOccupancy& need, std::uint32_t wanted_split) {
    if (groups == 0) split_bytes = wanted_split;
    groups += 1;
    warps += need.warps;
    registers += need.registers;
    shared_bytes += need.shared_bytes;
  }
  /// It leaves.
  void release(const GroupOccupancy& need) {
    FENCELINE_ASSERT(groups > 0, "SM: more groups leave than were resident");
    groups -= 1;
    warps -= need.warps;
    registers -= need.registers;
    shared_bytes -= need.shared_bytes;
  }
};

}  // namespace fenceline
