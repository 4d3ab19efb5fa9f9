// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array/shortcuts/sm_pool.hpp"

#include "engines/shader_array/rules/wave_parts.hpp"

#include <limits>
#include <utility>

namespace fenceline {
SmPool::SmPool(const ShaderArrayConfig& config, Shortcuts shortcuts) : config_(config), merges_(shortcuts.equal_sms) {
  const std::uint32_t each = merges_ ? config.sms : 1;
  for (std::uint32_t sm = 0; sm < config.sms; sm += each) {
    classes_.emplace_back();
    classes_.back().sms = SmSet(sm, sm + each);
  }
}

std::uint64_t SmPool::place(const GroupOccupancy& need, std::uint32_t wanted_split, std::uint64_t groups, bool graphics,
                            std::vector<std::uint32_t>& classes) {
  const std::uint32_t sm_limit = graphics ? config_.graphics_sms : config_.sms;
  classes.clear();
  std::uint32_t fewest = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t index = 0;
  for (const SmClass& one : classes_) {
    const std::uint32_t i = index++;
    if (one.warps > fewest || one.sms.front() >= sm_limit) continue;
    if (!one.fits(need, wanted_split, config_)) continue;
    if (one.warps < fewest) {
      fewest = one.warps;
      classes.clear();
    }
    classes.push_back(i);
  }
  std::uint32_t sms = 0;
  for (const std::uint32_t i : classes) {
    if (classes_[i].sms.back() >= sm_limit) split_off(i, sm_limit);
    sms += classes_[i].sms.size();
  }
  if (groups < sms) {
    sms = static_cast<std::uint32_t>(groups);
    keep_first(classes, sms);
  }
  for (const std::uint32_t i : classes) {
    classes_[i].occupy(need, wanted_split);
  }
  return sms;
}

std::uint64_t SmPool::promise(const GroupOccupancy& need, std::uint32_t wanted_split, std::uint64_t groups,
                              std::uint32_t grid) {
  lost_.clear();
  std::uint32_t sms = 0;
  for (std::uint32_t i = 0; i < classes_.size(); ++i) {
    const SmClass& one = classes_[i];
    if (!one.lost || one.promised || one.fits(need, wanted_split, config_)) continue;
    lost_.push_back(i);
    sms += one.sms.size();
  }
  if (groups < sms) {
    sms = static_cast<std::uint32_t>(groups);
    keep_first(lost_, sms);
  }
  for (const std::uint32_t i : lost_) {
    classes_[i].promised = true;
    classes_[i].promised_grid = grid;
  }
  return sms;
}

std::uint64_t SmPool::place_promised(const GroupOccupancy& need, std::uint32_t wanted_split, std::uint32_t grid,
                                     std::vector<std::uint32_t>& classes) {
  classes.clear();
  std::uint64_t placed = 0;
  for (std::uint32_t i = 0; i < classes_.size(); ++i) {
    SmClass& one = classes_[i];
    if (!one.promised || one.promised_grid != grid) continue;
    if (!one.fits(need, wanted_split, config_)) continue;
    one.occupy(need, wanted_split);
    one.promised = false;
    placed += one.sms.size();
    classes.push_back(i);
  }
  return placed;
}

/// Of the classes' SMs only the `sms` with the lowest indices, fewer than there are.
void SmPool::keep_first(std::vector<std::uint32_t>& classes, std::uint32_t sms) {
  if (classes.size() == 1) {
    split_off(classes[0], classes_[classes[0]].sms.nth(sms));
    return;
  }
  together_.clear();
  for (const std::uint32_t i : classes) together_.unite(classes_[i].sms);
  const std::uint32_t first_without = together_.nth(sms);
  std::size_t kept = 0;
  for (const std::uint32_t i : classes) {
    const SmSet& set = classes_[i].sms;
    if (set.front() >= first_without) continue;
    if (set.back() >= first_without) split_off(i, first_without);
    classes[kept++] = i;
  }
  classes.resize(kept);
}

/// Leaves the class its SMs below `first`; the others become a class of their own. It has some of both.
void SmPool::split_off(std::uint32_t index, std::uint32_t first) {
  if (spare_.empty()) spare_.emplace_back();
  classes_.push_back(std::move(spare_.back()));
  spare_.pop_back();
  SmClass& from = classes_[index];
  SmClass& to = classes_.back();
  static_cast<SmState&>(to) = from;
  from.sms.split(first, to.sms);
}

void SmPool::split_into_parts(std::vector<std::uint32_t>& classes) {
  for (std::size_t i = 0; i < classes.size();) {
    const SmSet& sms = classes_[classes[i]].sms;
    const std::uint32_t last = part_of(sms.back(), config_);
    if (part_of(sms.front(), config_) == last) {
      ++i;
      continue;
    }
    split_off(classes[i], first_of_part(last, config_));
    classes.push_back(static_cast<std::uint32_t>(classes_.size() - 1));
  }
}

void SmPool::merge_idle(std::uint64_t cycle) {
  if (!merges_) return;
  std::uint32_t first = static_cast<std::uint32_t>(classes_.size());
  for (std::uint32_t i = first; i-- > 0;) {
    const SmClass& one = classes_[i];
    if (one.groups > 0 || one.freed || one.promised || one.launcher_free > cycle ||
        one.retirement.until + config_.grid_change_cycles > cycle)
      continue;
    if (first < classes_.size()) {
      classes_[i].sms.unite(classes_[first].sms);
      remove(first);
    }
    first = i;
  }
}

void SmPool::merge_equal(std::uint64_t cycle) {
  for (auto i = static_cast<std::uint32_t>(classes_.size()); i-- > 0;) {
    SmClass& one = classes_[i];
    if (!one.left_by_some) continue;
    one.left_by_some = false;
    if (!merges_) continue;
    for (SmClass& other : classes_) {
      if (other.fingerprint != one.fingerprint || &other == &one) continue;
      if (!same_state(one, cycle, other, cycle, config_.grid_change_cycles)) continue;
      other.sms.unite(one.sms);
      remove(i);
      break;
    }
  }
}

void SmPool::remove(std::uint32_t index) {
  spare_.push_back(std::move(classes_[index]));
  if (index + 1 < classes_.size()) classes_[index] = std::move(classes_.back());
  classes_.pop_back();
}

}  // namespace fenceline
