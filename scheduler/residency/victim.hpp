// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/residency/video_memory_config.hpp"

#include <cstdint>

namespace fenceline {

/// An allocation that may make room.
struct VictimCandidate {
  /// Its number: of equals in time the lower one is the less recent, context allocations before all resources.
  std::uint32_t allocation = 0;
  std::uint32_t priority = 0;
  bool evicted = false;     ///< no device wants it to be resident
  std::uint32_t order = 0;  ///< of whose it is: lower ones go first, whatever their priority
  std::uint64_t recent_ps = 0;
  std::uint64_t came_in_ps = 0;
};

/// It makes room before the other does. Those that no device wants go before all others, then by `order`, then the
/// lowest priority, then as the policy says (docs/residency.md, rules 5, 6 and 15): of two different ones one is first.
bool makes_room_before(EvictionPolicy policy, const VictimCandidate& one, const VictimCandidate& other);

}  // namespace fenceline
