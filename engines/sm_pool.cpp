// SPDX-License-Identifier: Apache-2.0
#include "engines/sm_pool.hpp"

#include "sim/assert.hpp"

#include <algorithm>

namespace fenceline {

SmPool::SmPool(const ShaderArrayConfig& config)
    : config_(config),
      sms_(config.sms),
      levels_(config.threads_per_sm / config.warp_threads + 1),
      entry_of_(config.sms, 0) {
  for (Level& level : levels_) level.bits.resize((config.sms + 63) / 64, 0);
  for (std::uint32_t sm = 0; sm < config.sms; ++sm) levels_[0].bits[sm / 64] |= std::uint64_t{1} << (sm % 64);
  levels_[0].count = config.sms;
}

bool SmPool::fits(const Sm& sm, const GroupOccupancy& need, std::uint32_t wanted_split) const {
  if (sm.groups + 1 > config_.groups_per_sm) return false;
  if (sm.registers + need.registers > config_.registers_per_sm) return false;
  if (config_.shared_splits_kib.empty()) return sm.shared_bytes + need.shared_bytes <= config_.shared_bytes_per_sm;
  const std::uint32_t split = sm.groups == 0 ? wanted_split : sm.split_bytes;  // an idle SM changes its split
  // Without shared memory there are no reserves to hold either.
  return wanted_split <= split && (split == 0 || sm.shared_bytes + need.shared_bytes <= split);
}

void SmPool::move(std::uint32_t sm, std::uint32_t from_warps, std::uint32_t to_warps) {
  const std::uint64_t bit = std::uint64_t{1} << (sm % 64);
  levels_[from_warps].bits[sm / 64] &= ~bit;
  --levels_[from_warps].count;
  levels_[to_warps].bits[sm / 64] |= bit;
  ++levels_[to_warps].count;
}

std::uint64_t SmPool::place(const GroupOccupancy& need, std::uint32_t wanted_split, std::uint64_t groups,
                            std::uint32_t sm_limit, std::vector<Placement>& placements) {
  const std::uint32_t warps = std::max<std::uint32_t>(1, need.threads / config_.warp_threads);
  const std::size_t first_entry = placements.size();
  std::uint64_t placed = 0;
  for (std::uint32_t level = 0; level + warps < levels_.size() && placed < groups; ++level) {
    if (levels_[level].count == 0) continue;
    for (std::uint32_t word = 0; word * 64 < sm_limit && placed < groups; ++word) {
      std::uint64_t bits = levels_[level].bits[word];
      for (; bits != 0 && placed < groups; bits &= bits - 1) {
        const std::uint32_t index = word * 64 + static_cast<std::uint32_t>(__builtin_ctzll(bits));
        Sm& sm = sms_[index];
        if (index >= sm_limit) break;
        if (!fits(sm, need, wanted_split)) continue;
        if (sm.groups == 0) sm.split_bytes = wanted_split;
        sm.warps += warps;
        sm.groups += 1;
        sm.registers += need.registers;
        sm.shared_bytes += need.shared_bytes;
        move(index, level, level + warps);
        if (entry_of_[index] == 0) {
          placements.push_back({index, 0});
          entry_of_[index] = static_cast<std::uint32_t>(placements.size());
        }
        ++placements[entry_of_[index] - 1].groups;
        ++placed;
      }
    }
  }
  for (std::size_t i = first_entry; i < placements.size(); ++i) entry_of_[placements[i].sm] = 0;
  return placed;
}

void SmPool::release(const GroupOccupancy& need, const std::vector<Placement>& placements) {
  const std::uint32_t warps = std::max<std::uint32_t>(1, need.threads / config_.warp_threads);
  for (const Placement& placement : placements) {
    Sm& sm = sms_[placement.sm];
    FENCELINE_ASSERT(sm.groups >= placement.groups, "SM pool: more groups leave than were resident");
    move(placement.sm, sm.warps, sm.warps - placement.groups * warps);
    sm.warps -= placement.groups * warps;
    sm.groups -= placement.groups;
    sm.registers -= placement.groups * need.registers;
    sm.shared_bytes -= placement.groups * need.shared_bytes;
  }
}

void SmPool::refill(std::uint32_t wanted_split, const std::vector<Placement>& placements) {
  for (const Placement& placement : placements) {
    Sm& sm = sms_[placement.sm];
    if (sm.groups == placement.groups) sm.split_bytes = wanted_split;
  }
}

}  // namespace fenceline
