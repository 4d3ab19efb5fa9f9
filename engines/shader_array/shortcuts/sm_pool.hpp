// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/shader_array/rules/occupancy.hpp"
#include "engines/shader_array/rules/shader_array_config.hpp"
#include "engines/shader_array/shortcuts/shortcuts.hpp"
#include "engines/shader_array/shortcuts/sm_class.hpp"

#include <cstdint>
#include <vector>

namespace fenceline {

/// Who sits on which SM. No SystemC: groups in, places out. SMs in the same state form one class; placing groups on
/// some of them splits it, and idle SMs come together again.
class SmPool {
 public:
  explicit SmPool(const ShaderArrayConfig& config, Shortcuts shortcuts = {});

  /// Places up to `groups` groups, at most one on each SM, as one-by-one placement on the SM with the fewest resident
  /// warps (lowest index first) would begin: call it until it places none. `classes` receives the classes whose SMs
  /// each got one; the caller adds the resident. Returns how many groups were placed.
  std::uint64_t place(const GroupOccupancy& of_group, std::uint32_t wanted_split, std::uint64_t groups, bool graphics,
                      std::vector<std::uint32_t>& classes);
  /// Promises up to `groups` groups of the grid a place on an SM where a thread group's has been lost, none is left for
  /// such a group and none has been promised: one on each, the lowest indices first. Returns how many.
  std::uint64_t promise(const GroupOccupancy& of_group, std::uint32_t wanted_split, std::uint64_t groups,
                        std::uint32_t grid);
  /// Places groups of the grid that were promised a place and find one; `classes` as `place` says.
  std::uint64_t place_promised(const GroupOccupancy& of_group, std::uint32_t wanted_split, std::uint32_t grid,
                               std::vector<std::uint32_t>& classes);
  /// Each of these classes is in one part of the SMs (wave_parts.hpp); those that are in several are split.
  void split_into_parts(std::vector<std::uint32_t>& classes);
  /// Idle SMs become one class again.
  void merge_idle(std::uint64_t cycle);
  /// Classes that groups have left since the last time become one with those whose state they have come to.
  void merge_equal(std::uint64_t cycle);

  /// Indices stay valid until `place`, `merge_idle` or `merge_equal`.
  std::vector<SmClass>& classes() { return classes_; }
  const std::vector<SmClass>& classes() const { return classes_; }

 private:
  void keep_first(std::vector<std::uint32_t>& classes, std::uint32_t sms);
  void split_off(std::uint32_t index, std::uint32_t first);
  void remove(std::uint32_t index);

  ShaderArrayConfig config_;
  bool merges_;
  std::vector<SmClass> classes_;
  std::vector<SmClass> spare_;       // storage of classes that are no more: splitting and merging go on all the time
  SmSet together_;                   // scratch of keep_first
  std::vector<std::uint32_t> lost_;  // scratch of promise
};

}  // namespace fenceline
