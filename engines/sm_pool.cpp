// SPDX-License-Identifier: Apache-2.0
#include "engines/sm_pool.hpp"

#include "sim/assert.hpp"

#include <algorithm>
#include <limits>

namespace fenceline {

SmPool::SmPool(const ShaderArrayConfig& config, SmClasses classes)
    : config_(config), merges_(classes == SmClasses::by_state) {
  const std::uint32_t graphics_sms = std::min(config.graphics_sms, config.sms);
  for (std::uint32_t sm = 0; sm < config.sms; ++sm) {
    if (!merges_ || sm == 0 || sm == graphics_sms) {
      classes_.emplace_back();
      classes_.back().graphics = sm < graphics_sms;
    }
    classes_.back().sms.push_back(sm);
  }
}

std::uint32_t SmPool::warps_of(const GroupOccupancy& need) const {
  return std::max<std::uint32_t>(1, need.threads / config_.warp_threads);
}

bool SmPool::fits(const SmClass& sms, const GroupOccupancy& need, std::uint32_t wanted_split) const {
  if (sms.groups + 1 > config_.groups_per_sm) return false;
  if (sms.warps + warps_of(need) > config_.threads_per_sm / config_.warp_threads) return false;
  if (sms.registers + need.registers > config_.registers_per_sm) return false;
  if (config_.shared_splits_kib.empty()) return sms.shared_bytes + need.shared_bytes <= config_.shared_bytes_per_sm;
  const std::uint32_t split = sms.groups == 0 ? wanted_split : sms.split_bytes;  // an idle SM changes its split
  // Without shared memory there are no reserves to hold either.
  return wanted_split <= split && (split == 0 || sms.shared_bytes + need.shared_bytes <= split);
}

std::uint64_t SmPool::place(const GroupOccupancy& need, std::uint32_t wanted_split, std::uint64_t groups, bool graphics,
                            std::vector<std::uint32_t>& classes) {
  classes.clear();
  std::uint32_t fewest = std::numeric_limits<std::uint32_t>::max();
  std::uint64_t sms = 0;
  for (std::uint32_t i = 0; i < classes_.size(); ++i) {
    const SmClass& one = classes_[i];
    if (one.sms.empty() || one.warps > fewest || (graphics && !one.graphics)) continue;
    if (!fits(one, need, wanted_split)) continue;
    if (one.warps < fewest) {
      fewest = one.warps;
      classes.clear();
      sms = 0;
    }
    classes.push_back(i);
    sms += one.sms.size();
  }
  if (groups < sms) {
    // Only the SMs with the lowest indices get one.
    lowest_.clear();
    for (const std::uint32_t i : classes) lowest_.insert(lowest_.end(), classes_[i].sms.begin(), classes_[i].sms.end());
    const auto end = lowest_.begin() + static_cast<std::ptrdiff_t>(groups);
    std::nth_element(lowest_.begin(), end, lowest_.end());
    const std::uint32_t first_without = *end;
    std::size_t kept = 0;
    for (const std::uint32_t i : classes) {
      const auto& all = classes_[i].sms;
      const auto count = std::lower_bound(all.begin(), all.end(), first_without) - all.begin();
      if (count == 0) continue;
      split_off(i, static_cast<std::size_t>(count));
      classes[kept++] = i;
    }
    classes.resize(kept);
    sms = groups;
  }
  for (const std::uint32_t i : classes) {
    SmClass& one = classes_[i];
    if (one.groups == 0) one.split_bytes = wanted_split;
    one.warps += warps_of(need);
    one.groups += 1;
    one.registers += need.registers;
    one.shared_bytes += need.shared_bytes;
  }
  return sms;
}

/// Leaves the class its first `count` SMs; the others, if any, become a class of their own.
void SmPool::split_off(std::uint32_t index, std::size_t count) {
  if (count == classes_[index].sms.size()) return;
  std::uint32_t other = static_cast<std::uint32_t>(classes_.size());
  if (unused_.empty()) {
    classes_.emplace_back();
  } else {
    other = unused_.back();
    unused_.pop_back();
  }
  SmClass& from = classes_[index];
  const auto first = from.sms.begin() + static_cast<std::ptrdiff_t>(count);
  std::vector<std::uint32_t> gone(first, from.sms.end());
  from.sms.erase(first, from.sms.end());
  SmClass& to = classes_[other];
  to = from;
  to.sms = std::move(gone);
}

void SmPool::release(const GroupOccupancy& need, std::uint32_t index) {
  SmClass& one = classes_[index];
  FENCELINE_ASSERT(one.groups > 0, "SM pool: more groups leave than were resident");
  one.warps -= warps_of(need);
  one.groups -= 1;
  one.registers -= need.registers;
  one.shared_bytes -= need.shared_bytes;
}

void SmPool::merge_idle(std::uint64_t cycle) {
  if (!merges_) return;
  SmClass* idle[2] = {nullptr, nullptr};
  for (std::uint32_t i = 0; i < classes_.size(); ++i) {
    SmClass& one = classes_[i];
    if (one.sms.empty() || one.groups > 0 || one.launcher_free > cycle || one.retired > cycle) continue;
    SmClass*& first = idle[one.graphics ? 1 : 0];
    if (first == nullptr) {
      first = &one;
      continue;
    }
    const auto middle = static_cast<std::ptrdiff_t>(first->sms.size());
    first->sms.insert(first->sms.end(), one.sms.begin(), one.sms.end());
    std::inplace_merge(first->sms.begin(), first->sms.begin() + middle, first->sms.end());
    one.sms.clear();
    one.next = never;
    unused_.push_back(i);
  }
}

std::uint32_t SmPool::resident_groups(std::uint32_t sm) const {
  for (const SmClass& one : classes_) {
    if (std::binary_search(one.sms.begin(), one.sms.end(), sm)) return one.groups;
  }
  return 0;
}

}  // namespace fenceline
