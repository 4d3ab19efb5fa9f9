// SPDX-License-Identifier: Apache-2.0
#include "engines/sm_share.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fenceline {
namespace {

/// Of a group: how much of full speed, and when it gets there.
struct Growth {
  const GroupCost* group;
  double fraction = -1;  // negative: still growing
  double satisfied_at() const { return group->most / group->weight; }
  /// How much of `unit` it takes at `level` while it has room to grow, for each level.
  double slope(std::size_t unit) const { return group->usage[unit] * group->weight / group->most; }
  bool grows_on(std::size_t unit) const { return fraction < 0 && group->usage[unit] > 0; }
};

std::uint64_t speed_of(double fraction) {
  const double speed = std::floor(fraction * static_cast<double>(full_speed));
  return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(speed), 1, full_speed);
}

using Order = std::vector<const Growth*>;  // who is at full speed first comes first

/// The level at which the groups that still grow fill `unit`, each stopping at its full speed.
double filling_level(const std::vector<Growth>& groups, const Order& order, std::size_t unit) {
  double room = 1;
  for (const Growth& one : groups) {
    if (one.fraction >= 0) room -= one.fraction * one.group->usage[unit];
  }
  double slope = 0;
  for (const Growth* one : order) {
    if (one->grows_on(unit)) slope += one->slope(unit);
  }
  for (const Growth* one : order) {
    if (!one->grows_on(unit)) continue;
    if (slope * one->satisfied_at() >= room) return std::max(0.0, room / slope);
    room -= one->group->usage[unit];
    slope -= one->slope(unit);
  }
  return std::numeric_limits<double>::infinity();
}

void grow(std::vector<Growth>& groups, const Order& order) {
  for (;;) {
    double level = std::numeric_limits<double>::infinity();
    std::size_t full = sm_units;
    for (std::size_t unit = 0; unit < sm_units; ++unit) {
      const double at = filling_level(groups, order, unit);
      if (at < level) {
        level = at;
        full = unit;
      }
    }
    if (full == sm_units) return;
    for (Growth& one : groups) {
      if (one.grows_on(full)) one.fraction = std::min(1.0, level * one.group->weight / one.group->most);
    }
  }
}

bool all_fit(const std::vector<const GroupCost*>& groups) {
  std::array<double, sm_units> busy{};
  for (const GroupCost* group : groups) {
    for (std::size_t unit = 0; unit < sm_units; ++unit) busy[unit] += group->usage[unit];
  }
  return *std::max_element(busy.begin(), busy.end()) <= 1;
}

}  // namespace

void share_sm(const std::vector<const GroupCost*>& groups, std::vector<std::uint64_t>& speeds) {
  speeds.assign(groups.size(), full_speed);
  if (groups.empty()) return;
  if (std::all_of(groups.begin(), groups.end(), [&](const GroupCost* group) { return group == groups.front(); })) {
    const double together = groups.front()->most * static_cast<double>(groups.size());
    if (together > 1) speeds.assign(groups.size(), speed_of(1 / together));
    return;
  }
  if (all_fit(groups)) return;
  std::vector<Growth> growths;
  growths.reserve(groups.size());
  for (const GroupCost* group : groups) growths.push_back({group});
  Order order;
  order.reserve(groups.size());
  for (const Growth& one : growths) order.push_back(&one);
  std::sort(order.begin(), order.end(), [](const Growth* a, const Growth* b) {
    const double x = a->satisfied_at();
    const double y = b->satisfied_at();
    return x != y ? x < y : a < b;
  });
  grow(growths, order);
  for (std::size_t i = 0; i < growths.size(); ++i) {
    if (growths[i].fraction >= 0) speeds[i] = speed_of(growths[i].fraction);
  }
}

}  // namespace fenceline
