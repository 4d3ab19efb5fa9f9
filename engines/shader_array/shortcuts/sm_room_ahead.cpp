// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array/shortcuts/sm_room_ahead.hpp"

#include <cstddef>

namespace fenceline {
namespace {

/// Cycles that so many instructions take.
template <class Number>
Number cycles_for(Number instructions, std::uint64_t speed) {
  if (speed == full_speed) return instructions / full_speed + (instructions % full_speed != 0 ? 1 : 0);  // a shift
  return instructions / speed + (instructions % speed != 0 ? 1 : 0);
}

/// The group takes its part of each stretch, from the `first` on, and of what is behind the last.
template <class Number, class Stretches>
RoomAhead::Issue walk(Stretches& stretches, const GroupCost& cost, Number instructions, std::uint64_t from,
                      std::size_t first, double issue_conflicts) {
  const std::uint64_t start = from;
  for (auto stretch = stretches.begin() + static_cast<std::ptrdiff_t>(first); stretch != stretches.end(); ++stretch) {
    SmRoom room = stretch->room;
    const std::uint64_t speed = room.take(cost, issue_conflicts);
    const Number cycles = cycles_for(instructions, speed);
    const std::uint64_t length = stretch->end - from;
    if (cycles < length) {
      const std::uint64_t end = from + static_cast<std::uint64_t>(cycles);
      stretches.insert(stretch, {room, end});
      return {start, end, static_cast<std::uint64_t>(cycles * speed - instructions)};
    }
    stretch->room = room;
    if (cycles == length) return {start, stretch->end, static_cast<std::uint64_t>(cycles * speed - instructions)};
    instructions -= Number{speed} * length;
    from = stretch->end;
  }
  SmRoom room;
  const std::uint64_t speed = room.take(cost, issue_conflicts);
  const Number cycles = cycles_for(instructions, speed);
  if (cycles >= never - from) return {start, never, 0};  // not in this life
  const std::uint64_t end = from + static_cast<std::uint64_t>(cycles);
  stretches.push_back({room, end});
  return {start, end, static_cast<std::uint64_t>(cycles * speed - instructions)};
}

}  // namespace

RoomAhead::Issue RoomAhead::take(const GroupCost& cost, Wide instructions, std::uint64_t start, std::uint64_t first,
                                 double issue_conflicts) {
  std::size_t over = 0;
  while (over < stretches_.size() && stretches_[over].end <= first) ++over;
  if (over > 0) stretches_.erase(stretches_.begin(), stretches_.begin() + static_cast<std::ptrdiff_t>(over));
  std::uint64_t from = first;
  const std::size_t stretch = start > first ? begin_stretch(start, from) : 0;
  // 64 bits, which nearly always hold it, are worked with several times faster than 128.
  if (instructions >> 64 != 0) return walk(stretches_, cost, instructions, from, stretch, issue_conflicts);
  return walk(stretches_, cost, static_cast<std::uint64_t>(instructions), from, stretch, issue_conflicts);
}

/// Which stretch begins at `start`; one is divided there, if need be. `from` becomes `start`.
std::size_t RoomAhead::begin_stretch(std::uint64_t start, std::uint64_t& from) {
  auto stretch = stretches_.begin();
  for (; stretch != stretches_.end() && stretch->end <= start; ++stretch) from = stretch->end;
  if (from < start) {
    const SmRoom room = stretch != stretches_.end() ? stretch->room : SmRoom();
    stretch = stretches_.insert(stretch, {room, start}) + 1;
    from = start;
  }
  return static_cast<std::size_t>(stretch - stretches_.begin());
}

void RoomAhead::postpone(std::uint64_t cycles) {
  for (Stretch& stretch : stretches_) stretch.end += cycles;
}

}  // namespace fenceline
