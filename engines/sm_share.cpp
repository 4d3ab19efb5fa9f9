// SPDX-License-Identifier: Apache-2.0
#include "engines/sm_share.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace fenceline {
namespace {

std::uint64_t speed_of(double fraction) {
  const double speed = std::floor(fraction * static_cast<double>(full_speed));
  return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(speed), 1, full_speed);
}

}  // namespace

void share_sm(const std::vector<const GroupCost*>& groups, std::vector<std::uint64_t>& speeds) {
  speeds.clear();
  std::array<double, sm_units> room;
  room.fill(1);
  for (const GroupCost* group : groups) {
    double fraction = 1;
    for (std::size_t unit = 0; unit < sm_units; ++unit) {
      if (group->usage[unit] > 0) fraction = std::min(fraction, std::max(0.0, room[unit]) / group->usage[unit]);
    }
    for (std::size_t unit = 0; unit < sm_units; ++unit) room[unit] -= fraction * group->usage[unit];
    speeds.push_back(speed_of(fraction));
  }
}

}  // namespace fenceline
