// SPDX-License-Identifier: Apache-2.0
#include "engines/sm_class.hpp"

#include <algorithm>

namespace fenceline {

ResidentGroup::Wide ResidentGroup::left_at(std::uint64_t cycle) const {
  if (!sharing()) return left;
  const Wide done = Wide{speed} * (cycle - since);
  return done < left ? left - done : 0;
}

void ResidentGroup::set_speed(std::uint64_t new_speed, std::uint64_t cycle) {
  left = left_at(cycle);
  since = cycle;
  speed = new_speed;
}

std::uint64_t ResidentGroup::next_event() const {
  if (!sharing()) return state != State::running || memory_done ? event : never;
  const Wide rounded = left + speed - 1;
  const Wide cycles = speed == full_speed ? rounded / full_speed : rounded / speed;  // a shift, mostly
  return static_cast<std::uint64_t>(std::min<Wide>(never, since + cycles));
}

void ResidentGroup::postpone(std::uint64_t cycles) {
  event += cycles;
  since += cycles;
  if (due != never) due += cycles;
}

void SmClass::postpone(std::uint64_t cycles) {
  for (ResidentGroup& group : residents) group.postpone(cycles);
  launcher_free += cycles;
  retired += cycles;
  if (next != never) next += cycles;
}

std::uint64_t SmClass::next_event() {
  std::uint64_t first = never;
  for (ResidentGroup& group : residents) {
    group.due = group.next_event();
    first = std::min(first, group.due);
  }
  return first;
}

}  // namespace fenceline
