// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array/rules/occupancy.hpp"

#include "sim/rounding.hpp"

#include <algorithm>

namespace fenceline {
namespace {

/// Shared memory of an SM at its largest split.
std::uint32_t most_shared_bytes(const ShaderArrayConfig& sm) {
  if (sm.shared_splits_kib.empty()) return sm.shared_bytes_per_sm;
  return std::min(sm.shared_bytes_per_sm, sm.shared_splits_kib.back() * 1024);
}

}  // namespace

GroupOccupancy occupancy_of(const GroupFootprint& group, const ShaderArrayConfig& sm) {
  const std::uint32_t warps = divided_up(group.threads, sm.warp_threads);
  const std::uint32_t registers_per_warp =
      rounded_up(group.registers_per_thread * sm.warp_threads, sm.register_allocation_unit);
  GroupOccupancy occupancy;
  occupancy.warps = std::max<std::uint32_t>(1, warps);
  occupancy.threads = warps * sm.warp_threads;
  occupancy.registers = warps * registers_per_warp;
  // Where any size can be configured a group without shared memory needs none, not even its reserve.
  const bool reserves = group.shared_bytes > 0 || !sm.shared_splits_kib.empty();
  occupancy.shared_bytes = group.shared_bytes + (reserves ? sm.shared_bytes_reserved_per_group : 0);
  return occupancy;
}

/// The limits of an SM stand here, for groups of one grid, and in SmOccupancy::fits, for groups of any grids.
std::uint32_t groups_that_fit(const GroupFootprint& group, const ShaderArrayConfig& sm) {
  const GroupOccupancy need = occupancy_of(group, sm);
  std::uint32_t groups = sm.groups_per_sm;
  if (need.threads > 0) groups = std::min(groups, sm.threads_per_sm / need.threads);
  if (need.registers > 0) groups = std::min(groups, sm.registers_per_sm / need.registers);
  // A group without shared memory runs on an SM that has none configured.
  if (group.shared_bytes > 0) groups = std::min(groups, most_shared_bytes(sm) / need.shared_bytes);
  return groups;
}

std::uint32_t wanted_split_bytes(const GroupFootprint& group, const ShaderArrayConfig& sm) {
  if (group.shared_bytes == 0 || sm.shared_splits_kib.empty()) return 0;
  const std::uint32_t shared = groups_that_fit(group, sm) * occupancy_of(group, sm).shared_bytes;
  for (const std::uint32_t kib : sm.shared_splits_kib) {
    if (kib * 1024 >= shared) return std::min(kib * 1024, most_shared_bytes(sm));
  }
  return most_shared_bytes(sm);
}

}  // namespace fenceline
