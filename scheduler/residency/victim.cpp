// SPDX-License-Identifier: Apache-2.0
#include "scheduler/residency/victim.hpp"

#include "scheduler/residency/allocation.hpp"

#include <tuple>

namespace fenceline {
namespace {

/// Context allocations stand before all resources.
std::uint32_t place_of(const VictimCandidate& one) { return one.allocation ^ context_bit; }

/// Among equals in priority the first goes before the second.
bool goes_first(EvictionPolicy policy, const VictimCandidate& a, const VictimCandidate& b) {
  const std::uint32_t place_a = place_of(a);
  const std::uint32_t place_b = place_of(b);
  switch (policy) {
    case EvictionPolicy::lru: return std::tie(a.recent_ps, place_a) < std::tie(b.recent_ps, place_b);
    case EvictionPolicy::mru: return std::tie(a.recent_ps, place_a) > std::tie(b.recent_ps, place_b);
    case EvictionPolicy::fifo: return std::tie(a.came_in_ps, place_a) < std::tie(b.came_in_ps, place_b);
  }
  return false;
}

}  // namespace

bool makes_room_before(EvictionPolicy policy, const VictimCandidate& one, const VictimCandidate& other) {
  if (one.evicted != other.evicted) return one.evicted;
  if (one.order != other.order) return one.order < other.order;
  if (one.priority != other.priority) return one.priority < other.priority;
  return goes_first(policy, one, other);
}

}  // namespace fenceline
