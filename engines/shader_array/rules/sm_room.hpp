// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/shader_array/rules/group_cost.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace fenceline {

/// Speed of a group that nothing slows: its instructions advance as if it had the SM for itself.
constexpr std::uint64_t full_speed = std::uint64_t{1} << 32;

/// What groups that share one SM leave of its units.
///
/// Oldest first: groups take in the order in which they got their places, and each gets what those before it leave of
/// the units it uses. No unit is busy more than all the time. What it could use it still loses in part: its
/// instructions become ready while an older group's are issued. Source: the warp schedulers' order, measured on an
/// H200: eight groups that begin together end one after another, and two that would leave a few per cent of the units
/// free slow each other.
class SmRoom {
 public:
  /// Speed of the next group, 1..full_speed. `issue_conflicts` is the part of its speed, 0..1, that a group loses next
  /// to older ones that leave nothing of a unit it uses; less, in proportion, next to those that leave something.
  std::uint64_t take(const GroupCost& group, double issue_conflicts) {
    if (issue_conflicts == 0) {
      std::array<double, sm_units> left;
      for (std::size_t unit = 0; unit < sm_units; ++unit) left[unit] = room_[unit] - group.usage[unit];
      if (least_of(left) >= 0) {  // mostly
        room_ = left;
        return full_speed;
      }
    }
    const double fraction = fraction_left(group, issue_conflicts);
    for (std::size_t unit = 0; unit < sm_units; ++unit) room_[unit] -= fraction * group.usage[unit];
    const auto speed = static_cast<std::int64_t>(fraction * static_cast<double>(full_speed));
    return static_cast<std::uint64_t>(std::max<std::int64_t>(speed, 1));
  }

 private:
  static double least_of(const std::array<double, sm_units>& units) {
    double least = units[0];
    for (std::size_t unit = 1; unit < sm_units; ++unit) least = units[unit] < least ? units[unit] : least;
    return least;
  }
  double fraction_left(const GroupCost& group, double issue_conflicts) const {
    double fraction = 1;
    double least_room = 1;
    for (std::size_t unit = 0; unit < sm_units; ++unit) {
      if (group.usage[unit] <= 0) continue;
      const double room = std::max(0.0, room_[unit]);
      least_room = std::min(least_room, room);
      if (group.usage[unit] > room) fraction = std::min(fraction, room / group.usage[unit]);
    }
    return fraction * (1 - issue_conflicts * (1 - least_room));
  }

  std::array<double, sm_units> room_ = {1, 1, 1, 1};  ///< of each unit; below 0 by no more than rounding
};

}  // namespace fenceline
