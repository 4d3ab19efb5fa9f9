// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/shader_array/rules/occupancy.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace fenceline::testing {

/// The documented placement rule, one group at a time and by looking at every SM.
class PoolReference {
 public:
  explicit PoolReference(const ShaderArrayConfig& config) : config_(config), sms_(config.sms) {}

  /// Where the group went: the SM with the fewest resident threads on which it fits, the lowest index among equals.
  std::optional<std::uint32_t> place(const GroupOccupancy& need, std::uint32_t wanted_split, std::uint32_t sm_limit) {
    std::optional<std::uint32_t> best;
    for (std::uint32_t i = 0; i < sm_limit; ++i) {
      if (fits(sms_[i], need, wanted_split) && (!best || sms_[i].threads < sms_[*best].threads)) best = i;
    }
    if (best) place_on(*best, need, wanted_split);
    return best;
  }
  bool fits_on(std::uint32_t index, const GroupOccupancy& need, std::uint32_t wanted_split) const {
    return fits(sms_[index], need, wanted_split);
  }
  void place_on(std::uint32_t index, const GroupOccupancy& need, std::uint32_t wanted_split) {
    Sm& sm = sms_[index];
    if (sm.groups == 0) sm.split = wanted_split;
    ++sm.groups;
    sm.threads += need.threads;
    sm.registers += need.registers;
    sm.shared += need.shared_bytes;
  }
  void release(const GroupOccupancy& need, std::uint32_t index) {
    Sm& sm = sms_[index];
    --sm.groups;
    sm.threads -= need.threads;
    sm.registers -= need.registers;
    sm.shared -= need.shared_bytes;
  }
  std::uint32_t groups(std::uint32_t index) const { return sms_[index].groups; }

 private:
  struct Sm {
    std::uint32_t groups = 0;
    std::uint32_t threads = 0;
    std::uint32_t registers = 0;
    std::uint32_t shared = 0;
    std::uint32_t split = 0;
  };
  bool fits(const Sm& sm, const GroupOccupancy& need, std::uint32_t wanted_split) const {
    const std::uint32_t split = sm.groups == 0 ? wanted_split : sm.split;  // changed only while the SM is idle
    if (config_.shared_splits_kib.empty()) {
      if (sm.shared + need.shared_bytes > config_.shared_bytes_per_sm) return false;
    } else if (wanted_split > split || (split > 0 && sm.shared + need.shared_bytes > split)) {
      return false;
    }
    return sm.groups < config_.groups_per_sm && sm.threads + need.threads <= config_.threads_per_sm &&
           sm.registers + need.registers <= config_.registers_per_sm;
  }
  ShaderArrayConfig config_;
  std::vector<Sm> sms_;
};

}  // namespace fenceline::testing
