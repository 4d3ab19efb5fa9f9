// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/residency.hpp"
#include "engines/shader_array_config.hpp"

#include <cstdint>
#include <vector>

namespace fenceline {

/// Who sits on which SM. No SystemC, no time: groups in, places out.
class SmPool {
 public:
  struct Placement {
    std::uint32_t sm;
    std::uint32_t groups;
  };

  explicit SmPool(const ShaderArrayConfig& config);

  /// Places up to `groups` groups on the first `sm_limit` SMs, one by one on the SM with the fewest resident threads
  /// (lowest index first), as long as one fits. Appends where they went to `placements`, one entry an SM; returns
  /// how many were placed.
  std::uint64_t place(const GroupOccupancy& need, std::uint32_t wanted_split, std::uint64_t groups,
                      std::uint32_t sm_limit, std::vector<Placement>& placements);
  /// Frees what `place` gave for the same `need`.
  void release(const GroupOccupancy& need, const std::vector<Placement>& placements);

  /// The groups at `placements` leave and as many of their kind take the same places. An SM that held no others was
  /// idle for that moment: its split becomes theirs.
  void refill(std::uint32_t wanted_split, const std::vector<Placement>& placements);

  std::uint32_t resident_groups(std::uint32_t sm) const { return sms_[sm].groups; }

 private:
  struct Sm {
    std::uint32_t warps = 0;
    std::uint32_t groups = 0;
    std::uint32_t registers = 0;
    std::uint32_t shared_bytes = 0;
    std::uint32_t split_bytes = 0;  // meaningful while groups are resident
  };
  // The SMs with one number of resident warps, as bits.
  struct Level {
    std::vector<std::uint64_t> bits;
    std::uint32_t count = 0;
  };
  bool fits(const Sm& sm, const GroupOccupancy& need, std::uint32_t wanted_split) const;
  void move(std::uint32_t sm, std::uint32_t from_warps, std::uint32_t to_warps);

  ShaderArrayConfig config_;
  std::vector<Sm> sms_;
  std::vector<Level> levels_;            // by resident warps
  std::vector<std::uint32_t> entry_of_;  // scratch of place: SM -> its entry in placements, + 1
};

}  // namespace fenceline
