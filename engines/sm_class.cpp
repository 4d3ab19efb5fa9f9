// SPDX-License-Identifier: Apache-2.0
#include "engines/sm_class.hpp"

#include <algorithm>

namespace fenceline {

void SmClass::advance(std::uint64_t cycle) {
  const std::uint64_t passed = cycle - advanced;
  advanced = cycle;
  if (passed == 0) return;
  for (ResidentGroup& group : residents) group.left = group.left_after(passed);
}

void SmClass::postpone(std::uint64_t cycles) {
  for (ResidentGroup& group : residents) group.event += cycles;
  launcher_free += cycles;
  retired += cycles;
  advanced += cycles;
  if (next != never) next += cycles;
}

std::uint64_t SmClass::next_event() const {
  std::uint64_t first = never;
  for (const ResidentGroup& group : residents) {
    if (group.sharing()) {
      const ResidentGroup::Wide end = advanced + (group.left + group.speed - 1) / group.speed;
      first = static_cast<std::uint64_t>(std::min<ResidentGroup::Wide>(first, end));
    } else if (group.state != ResidentGroup::State::running || group.memory_done) {
      first = std::min(first, group.event);
    }
  }
  return first;
}

}  // namespace fenceline
