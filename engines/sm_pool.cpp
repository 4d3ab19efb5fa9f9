// SPDX-License-Identifier: Apache-2.0
#include "engines/sm_pool.hpp"

#include "sim/assert.hpp"

#include <algorithm>
#include <limits>

namespace fenceline {

SmPool::SmPool(const ShaderArrayConfig& config, SmClasses classes)
    : config_(config),
      warps_per_sm_(config.threads_per_sm / config.warp_threads),
      merges_(classes == SmClasses::by_state) {
  for (std::uint32_t sm = 0; sm < config.sms; ++sm) {
    if (!merges_ || sm == 0) classes_.emplace_back();
    classes_.back().sms.push_back(sm);
  }
}

std::uint32_t SmPool::warps_of(const GroupOccupancy& need) const {
  return std::max<std::uint32_t>(1, need.threads / config_.warp_threads);
}

bool SmPool::fits(const SmClass& sms, const Need& need) const {
  if (sms.groups + 1 > config_.groups_per_sm) return false;
  if (sms.warps + need.warps > warps_per_sm_) return false;
  if (sms.registers + need.of_group.registers > config_.registers_per_sm) return false;
  const std::uint32_t shared_bytes = sms.shared_bytes + need.of_group.shared_bytes;
  if (config_.shared_splits_kib.empty()) return shared_bytes <= config_.shared_bytes_per_sm;
  const std::uint32_t split = sms.groups == 0 ? need.wanted_split : sms.split_bytes;  // an idle SM changes its split
  // Without shared memory there are no reserves to hold either.
  return need.wanted_split <= split && (split == 0 || shared_bytes <= split);
}

std::uint64_t SmPool::place(const GroupOccupancy& of_group, std::uint32_t wanted_split, std::uint64_t groups,
                            bool graphics, std::vector<std::uint32_t>& classes) {
  const Need need{of_group, warps_of(of_group), wanted_split};
  const std::uint32_t sm_limit = graphics ? config_.graphics_sms : config_.sms;
  classes.clear();
  std::uint32_t fewest = std::numeric_limits<std::uint32_t>::max();
  for (std::uint32_t i = 0; i < classes_.size(); ++i) {
    const SmClass& one = classes_[i];
    if (one.warps > fewest || !fits(one, need) || one.sms.empty() || one.sms.front() >= sm_limit) continue;
    if (one.warps < fewest) {
      fewest = one.warps;
      classes.clear();
    }
    classes.push_back(i);
  }
  std::uint64_t sms = 0;
  for (const std::uint32_t i : classes) {
    const auto& all = classes_[i].sms;
    if (all.back() >= sm_limit) {
      split_off(i, static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), sm_limit) - all.begin()));
    }
    sms += classes_[i].sms.size();
  }
  if (groups < sms) {
    keep_first(classes, groups);
    sms = groups;
  }
  for (const std::uint32_t i : classes) {
    SmClass& one = classes_[i];
    if (one.groups == 0) one.split_bytes = wanted_split;
    one.warps += need.warps;
    one.groups += 1;
    one.registers += of_group.registers;
    one.shared_bytes += of_group.shared_bytes;
  }
  return sms;
}

/// Of the classes' SMs only the `sms` with the lowest indices, fewer than there are.
void SmPool::keep_first(std::vector<std::uint32_t>& classes, std::uint64_t sms) {
  if (classes.size() == 1) {
    split_off(classes.front(), sms);
    return;
  }
  lowest_.clear();
  for (const std::uint32_t i : classes) lowest_.insert(lowest_.end(), classes_[i].sms.begin(), classes_[i].sms.end());
  const auto end = lowest_.begin() + static_cast<std::ptrdiff_t>(sms);
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
  SmClass& to = classes_[other];
  const auto first = from.sms.begin() + static_cast<std::ptrdiff_t>(count);
  // The vectors keep their storage: splitting goes on all the time.
  std::vector<std::uint32_t> gone = std::move(to.sms);
  gone.assign(first, from.sms.end());
  from.sms.erase(first, from.sms.end());
  std::vector<std::uint32_t> kept = std::move(from.sms);
  from.sms.clear();
  to = from;
  to.sms = std::move(gone);
  from.sms = std::move(kept);
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
  SmClass* first = nullptr;
  for (std::uint32_t i = 0; i < classes_.size(); ++i) {
    SmClass& one = classes_[i];
    if (one.groups > 0 || one.sms.empty() || one.launcher_free > cycle ||
        one.retired + config_.grid_change_cycles > cycle)
      continue;
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
