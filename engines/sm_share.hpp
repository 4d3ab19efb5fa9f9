// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/group_cost.hpp"

#include <cstdint>
#include <vector>

namespace fenceline {

/// Speed of a group that nothing slows: its instructions advance as if it had the SM for itself.
constexpr std::uint64_t full_speed = std::uint64_t{1} << 32;

/// Speeds of groups that share one SM's units, in the order of `groups`, each 1..full_speed.
///
/// Max-min fair: all get more and more of the unit that each uses most, in proportion to their warps, until they run at
/// full speed or a unit they use is busy all the time. No unit is busy more than that.
void share_sm(const std::vector<const GroupCost*>& groups, std::vector<std::uint64_t>& speeds);

}  // namespace fenceline
