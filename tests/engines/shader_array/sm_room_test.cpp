// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array/rules/sm_room.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

using namespace fenceline;

namespace {

GroupCost group(std::array<double, sm_units> usage) {
  GroupCost cost;
  cost.cycles = 1000;
  cost.usage = usage;
  return cost;
}

/// Fractions of full speed.
std::vector<double> shares(const std::vector<GroupCost>& groups, double issue_conflicts = 0) {
  SmRoom room;
  std::vector<double> fractions;
  for (const GroupCost& one : groups) {
    const std::uint64_t speed = room.take(one, issue_conflicts);
    REQUIRE(speed >= 1);
    REQUIRE(speed <= full_speed);
    fractions.push_back(static_cast<double>(speed) / static_cast<double>(full_speed));
  }
  return fractions;
}

void check(const std::vector<double>& actual, const std::vector<double>& expected) {
  REQUIRE(actual.size() == expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    INFO("group " << i);
    CHECK(actual[i] == Approx(expected[i]).margin(1e-9));
  }
}

double busy(const std::vector<GroupCost>& groups, const std::vector<double>& fractions, std::size_t unit) {
  double sum = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) sum += groups[i].usage[unit] * fractions[i];
  return sum;
}

std::vector<GroupCost> random_groups(std::mt19937_64& random) {
  std::vector<GroupCost> groups;
  for (std::uint64_t count = 1 + random() % 12; count > 0; --count) {
    std::array<double, sm_units> usage{};
    for (std::uint64_t units = 1 + random() % sm_units; units > 0; --units) {
      // Few values, so that groups often stop at one level; some keep a unit more than busy.
      usage[random() % sm_units] = static_cast<double>(1 + random() % 16) / (random() % 4 == 0 ? 4. : 40.);
    }
    groups.push_back(group(usage));
  }
  return groups;
}

constexpr double tolerance = 1e-6;  // speeds are whole parts of 2^32

}  // namespace

TEST_CASE("SM room: groups that fit side by side run at full speed", "[engines]") {
  check(shares(std::vector<GroupCost>{}), {});
  check(shares({group({0.5, 0, 0, 0})}), {1});
  check(shares({group({0.5, 0, 0, 0}), group({0.5, 0.9, 0, 0})}), {1, 1});
  check(shares({group({1, 0, 0, 0}), group({0, 1, 0, 0}), group({0, 0, 1, 0}), group({0, 0, 0, 1})}),
        {1, 1, 1, 1});  // units of their own
}

TEST_CASE("SM room: a group that would keep a unit more than busy is slowed to what the unit does", "[engines]") {
  check(shares({group({2, 0, 0, 0})}), {0.5});
  check(shares({group({2, 0, 0, 0}), group({0, 4, 0, 0})}), {0.5, 0.25});
}

TEST_CASE("SM room: an older group takes what it uses, a younger one what is left", "[engines]") {
  const GroupCost one = group({0.4, 0.1, 0, 0});
  check(shares(std::vector<GroupCost>(4, one)), {1, 1, 0.5, 0});
  check(shares({group({0.75, 0, 0, 0}), group({1, 0, 0, 0}), group({0, 1, 0, 0})}), {1, 0.25, 1});
}

TEST_CASE("SM room: a group waits at its own bottleneck and leaves the other units alone", "[engines]") {
  // The second gets a quarter of the ALU it wants, and so takes a quarter of the SFU; the third gets the rest of that.
  check(shares({group({0.75, 0, 0, 0}), group({1, 1, 0, 0}), group({0, 1, 0, 0})}), {1, 0.25, 0.75});
}

TEST_CASE("SM room: no unit is busy more than all the time, and none is idle that a slowed group could use",
          "[engines]") {
  std::mt19937_64 random(1);
  for (int round = 0; round < 5000; ++round) {
    const auto groups = random_groups(random);
    const auto fractions = shares(groups);
    for (std::size_t unit = 0; unit < sm_units; ++unit) REQUIRE(busy(groups, fractions, unit) <= 1 + tolerance);
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (fractions[i] >= 1) continue;
      bool bottleneck = false;
      for (std::size_t unit = 0; unit < sm_units; ++unit) {
        bottleneck = bottleneck || (groups[i].usage[unit] > 0 && busy(groups, fractions, unit) >= 1 - tolerance);
      }
      REQUIRE(bottleneck);
    }
  }
}

TEST_CASE("SM room: groups that come later do not slow those before them", "[engines]") {
  std::mt19937_64 random(2);
  for (int round = 0; round < 2000; ++round) {
    const auto all = random_groups(random);
    const auto with_later = shares(all);
    const auto alone =
        shares(std::vector<GroupCost>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2)));
    for (std::size_t i = 0; i < alone.size(); ++i) REQUIRE(with_later[i] == alone[i]);
  }
}

TEST_CASE("SM room: conflicts slow a group beside older ones, the oldest never", "[engines]") {
  const GroupCost one = group({0.4, 0, 0, 0});
  // The second finds 0.6 of the unit; the third what they leave: 1 - 0.4 - 0.4 * 0.8.
  const double third = 0.28 / 0.4 * (1 - 0.5 * 0.72);
  check(shares(std::vector<GroupCost>(3, one), 0.5), {1, 0.8, third});
  // Units that a group does not use are nothing to it.
  check(shares({group({1, 0, 0, 0}), group({0, 1, 0, 0})}, 1), {1, 1});
  // The most contended of its units counts.
  check(shares({group({0.5, 0.25, 0, 0}), group({0.1, 0.1, 0, 0})}, 1), {1, 0.5});
}

TEST_CASE("SM room: conflicts never let a unit be busy more than all the time, and never speed a group up",
          "[engines]") {
  std::mt19937_64 random(3);
  for (int round = 0; round < 3000; ++round) {
    const auto groups = random_groups(random);
    const auto fractions = shares(groups, static_cast<double>(random() % 101) / 100);
    for (std::size_t unit = 0; unit < sm_units; ++unit) REQUIRE(busy(groups, fractions, unit) <= 1 + tolerance);
    CHECK(fractions[0] == shares(groups)[0]);
  }
}
