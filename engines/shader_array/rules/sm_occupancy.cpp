// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array/rules/sm_occupancy.hpp"

#include "sim/assert.hpp"

namespace fenceline {

bool SmOccupancy::fits(const GroupOccupancy& need, std::uint32_t wanted_split, const ShaderArrayConfig& config) const {
  if (groups + 1 > config.groups_per_sm) return false;
  if (warps + need.warps > config.threads_per_sm / config.warp_threads) return false;
  if (registers + need.registers > config.registers_per_sm) return false;
  const std::uint32_t shared = shared_bytes + need.shared_bytes;
  if (config.shared_splits_kib.empty()) return shared <= config.shared_bytes_per_sm;
  const std::uint32_t split = groups == 0 ? wanted_split : split_bytes;
  // Without shared memory there are no reserves to hold either.
  return wanted_split <= split && (split == 0 || shared <= split);
}

void SmOccupancy::occupy(const GroupOccupancy& need, std::uint32_t wanted_split) {
  if (groups == 0) split_bytes = wanted_split;
  groups += 1;
  warps += need.warps;
  registers += need.registers;
  shared_bytes += need.shared_bytes;
}

void SmOccupancy::release(const GroupOccupancy& need) {
  FENCELINE_ASSERT(groups > 0, "SM: more groups leave than were resident");
  groups -= 1;
  warps -= need.warps;
  registers -= need.registers;
  shared_bytes -= need.shared_bytes;
}

}  // namespace fenceline
