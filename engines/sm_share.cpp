// SPDX-License-Identifier: Apache-2.0
#include "engines/sm_share.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fenceline {
namespace {

std::uint64_t speed_of(double fraction) {
  const double speed = std::floor(fraction * static_cast<double>(full_speed));
  return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(speed), 1, full_speed);
}

/// How much of `unit` a group with room to grow takes at `level`.
double growth(const GroupCost& group, std::size_t unit) { return group.usage[unit] * group.weight / group.most; }

/// The level at which the groups that still grow fill `unit`, each stopping at its full speed.
double filling_level(const std::vector<const GroupCost*>& groups, const std::vector<double>& fractions,
                     std::size_t unit) {
  double room = 1;
  std::vector<const GroupCost*> growing;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (fractions[i] >= 0) {
      room -= fractions[i] * groups[i]->usage[unit];
    } else if (groups[i]->usage[unit] > 0) {
      growing.push_back(groups[i]);
    }
  }
  std::sort(growing.begin(), growing.end(), [](const GroupCost* a, const GroupCost* b) {
    return a->most / a->weight < b->most / b->weight;  // who is at full speed first
  });
  double slope = 0;
  for (const GroupCost* group : growing) slope += growth(*group, unit);
  for (const GroupCost* group : growing) {
    const double satisfied_at = group->most / group->weight;
    if (slope * satisfied_at >= room) return std::max(0.0, room / slope);
    room -= group->usage[unit];
    slope -= growth(*group, unit);
  }
  return std::numeric_limits<double>::infinity();
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
  std::array<double, sm_units> busy{};
  for (const GroupCost* group : groups) {
    for (std::size_t unit = 0; unit < sm_units; ++unit) busy[unit] += group->usage[unit];
  }
  if (*std::max_element(busy.begin(), busy.end()) <= 1) return;

  std::vector<double> fractions(groups.size(), -1);  // negative: still growing
  for (;;) {
    double level = std::numeric_limits<double>::infinity();
    std::size_t full = sm_units;
    for (std::size_t unit = 0; unit < sm_units; ++unit) {
      const double at = filling_level(groups, fractions, unit);
      if (at < level) {
        level = at;
        full = unit;
      }
    }
    if (full == sm_units) break;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (fractions[i] < 0 && groups[i]->usage[full] > 0) {
        fractions[i] = std::min(1.0, level * groups[i]->weight / groups[i]->most);
      }
    }
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (fractions[i] >= 0) speeds[i] = speed_of(fractions[i]);
  }
}

}  // namespace fenceline
