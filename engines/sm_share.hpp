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
/// Oldest first: `groups` are in the order in which they got their places, and each gets what those before it leave of
/// the units it uses. No unit is busy more than all the time. Source: the warp schedulers' order, measured on an H200:
/// eight groups that begin together end one after another, each as soon as it would with those before it alone.
void share_sm(const std::vector<const GroupCost*>& groups, std::vector<std::uint64_t>& speeds);

}  // namespace fenceline
