// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/group_cost.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace fenceline {

/// Speed of a group that nothing slows: its instructions advance as if it had the SM for itself.
constexpr std::uint64_t full_speed = std::uint64_t{1} << 32;

/// What groups that share one SM leave of its units.
///
/// Oldest first: groups take in the order in which they got their places, and each gets what those before it leave of
/// the units it uses. No unit is busy more than all the time. Source: the warp schedulers' order, measured on an H200:
/// eight groups that begin together end one after another, each as soon as it would with those before it alone.
class SmRoom {
 public:
  /// Speed of the next group, 1..full_speed.
  std::uint64_t take(const GroupCost& group) {
    bool fits = true;
    for (std::size_t unit = 0; unit < sm_units; ++unit) fits &= group.usage[unit] <= room_[unit];
    const double fraction = fits ? 1 : fraction_left(group);
    for (std::size_t unit = 0; unit < sm_units; ++unit) room_[unit] -= fraction * group.usage[unit];
    const auto speed = static_cast<std::int64_t>(fraction * static_cast<double>(full_speed));
    return static_cast<std::uint64_t>(std::max<std::int64_t>(speed, 1));
  }

 private:
  double fraction_left(const GroupCost& group) const {
    double fraction = 1;
    for (std::size_t unit = 0; unit < sm_units; ++unit) {
      const double room = std::max(0.0, room_[unit]);
      if (group.usage[unit] > room) fraction = std::min(fraction, room / group.usage[unit]);
    }
    return fraction;
  }

  std::array<double, sm_units> room_ = {1, 1, 1, 1};  ///< of each unit; below 0 by no more than rounding
};

}  // namespace fenceline
