// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/shader_array/rules/dispatcher.hpp"
#include "engines/shader_array/rules/sm_room.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fenceline {

/// What the groups on an SM leave of its units from now on. Times are SM cycles.
///
/// Groups take oldest first, so one that comes later changes nothing for those before it: as soon as a group has its
/// place, all that it will get is known, and when it ends.
class RoomAhead {
 public:
  using Wide = unsigned __int128;
  /// How a group's instructions are issued.
  struct Issue {
    std::uint64_t start = 0;  ///< of the first
    std::uint64_t end = 0;    ///< by then the last has been
    std::uint64_t slack = 0;  ///< what its last cycle could have held besides: parts of full_speed
  };

  /// A group comes behind all that came before it and issues `instructions` (cycles at full speed, times full_speed;
  /// some) from `start` on, not before `first`, which is not before the last group's: what is left until then is
  /// forgotten. Takes what it uses.
  Issue take(const GroupCost& cost, Wide instructions, std::uint64_t start, std::uint64_t first,
             double issue_conflicts);
  /// Every group is gone.
  void clear() { stretches_.clear(); }
  /// Everything that is known of the room holds so many cycles later.
  void postpone(std::uint64_t cycles);

 private:
  std::size_t begin_stretch(std::uint64_t start, std::uint64_t& from);
  /// So much is left until then, from the end of the stretch before on.
  struct Stretch {
    SmRoom room;
    std::uint64_t end;
  };
  std::vector<Stretch> stretches_;  // after the last, everything is left
};

}  // namespace fenceline
