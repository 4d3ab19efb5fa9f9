// SPDX-License-Identifier: Apache-2.0
#include "engines/sm_share.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

using namespace fenceline;

namespace {

GroupCost group(double weight, std::array<double, sm_units> usage) {
  GroupCost cost;
  cost.cycles = 1000;
  cost.usage = usage;
  cost.most = *std::max_element(usage.begin(), usage.end());
  cost.weight = weight;
  return cost;
}

/// Fractions of full speed.
std::vector<double> shares(const std::vector<const GroupCost*>& groups) {
  std::vector<std::uint64_t> speeds;
  share_sm(groups, speeds);
  std::vector<double> fractions;
  for (const std::uint64_t speed : speeds) {
    REQUIRE(speed >= 1);
    REQUIRE(speed <= full_speed);
    fractions.push_back(static_cast<double>(speed) / static_cast<double>(full_speed));
  }
  return fractions;
}

std::vector<double> shares(const std::vector<GroupCost>& groups) {
  std::vector<const GroupCost*> pointers;
  pointers.reserve(groups.size());
  for (const GroupCost& one : groups) pointers.push_back(&one);
  return shares(pointers);
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

/// What max-min makes equal: the part of its most used unit that a group gets, for each of its warps.
double level(const GroupCost& one, double fraction) { return fraction * one.most / one.weight; }

std::vector<GroupCost> random_groups(std::mt19937_64& random) {
  std::vector<GroupCost> groups;
  for (std::uint64_t count = 1 + random() % 12; count > 0; --count) {
    std::array<double, sm_units> usage{};
    for (std::uint64_t units = 1 + random() % sm_units; units > 0; --units) {
      // Few values, so that groups often stop at one level; some keep a unit more than busy.
      usage[random() % sm_units] = static_cast<double>(1 + random() % 16) / (random() % 4 == 0 ? 4. : 40.);
    }
    groups.push_back(group(static_cast<double>(1 + random() % 32), usage));
  }
  return groups;
}

constexpr double tolerance = 1e-6;  // speeds are whole parts of 2^32

}  // namespace

TEST_CASE("SM share: groups that fit side by side run at full speed", "[engines]") {
  check(shares(std::vector<GroupCost>{}), {});
  check(shares({group(1, {0.5, 0, 0, 0})}), {1});
  check(shares({group(1, {0.5, 0, 0, 0}), group(8, {0.5, 0.9, 0, 0})}), {1, 1});
  check(shares({group(1, {1, 0, 0, 0}), group(1, {0, 1, 0, 0}), group(1, {0, 0, 1, 0}), group(1, {0, 0, 0, 1})}),
        {1, 1, 1, 1});  // units of their own
}

TEST_CASE("SM share: a group that would keep a unit more than busy is slowed to what the unit does", "[engines]") {
  check(shares({group(8, {2, 0, 0, 0})}), {0.5});
  check(shares({group(8, {2, 0, 0, 0}), group(8, {0, 4, 0, 0})}), {0.5, 0.25});
}

TEST_CASE("SM share: equal groups get equal parts", "[engines]") {
  const GroupCost one = group(2, {0.4, 0.1, 0, 0});
  check(shares(std::vector<const GroupCost*>(4, &one)), {0.625, 0.625, 0.625, 0.625});
  check(shares(std::vector<GroupCost>(4, one)), {0.625, 0.625, 0.625, 0.625});
}

TEST_CASE("SM share: a contended unit is shared in proportion to warps", "[engines]") {
  check(shares({group(8, {1, 0, 0, 0}), group(2, {1, 0, 0, 0})}), {0.8, 0.2});
}

TEST_CASE("SM share: what a small group does not need goes to the others", "[engines]") {
  check(shares({group(1, {0.1, 0, 0, 0}), group(1, {2, 0, 0, 0}), group(2, {1, 0, 0, 0})}), {1, 0.3 / 2, 0.6});
}

TEST_CASE("SM share: a group waits at its own bottleneck and leaves the other units alone", "[engines]") {
  // ALU: 3 and 1 warps share it at 3 : 1. The second group then takes a quarter of the SFU, the third the rest.
  check(shares({group(3, {1, 0, 0, 0}), group(1, {1, 1, 0, 0}), group(1, {0, 1, 0, 0})}), {0.75, 0.25, 0.75});
  // Both grow until the SFU is full, of which the first takes half as much as of the ALU.
  check(shares({group(1, {1, 0.5, 0, 0}), group(1, {0, 1, 0, 0})}), {2. / 3, 2. / 3});
}

TEST_CASE("SM share: no unit is busy more than all the time", "[engines]") {
  std::mt19937_64 random(1);
  for (int round = 0; round < 5000; ++round) {
    const auto groups = random_groups(random);
    const auto fractions = shares(groups);
    for (std::size_t unit = 0; unit < sm_units; ++unit) REQUIRE(busy(groups, fractions, unit) <= 1 + tolerance);
  }
}

TEST_CASE("SM share: nobody can be faster without slowing someone who is not ahead", "[engines]") {
  std::mt19937_64 random(2);
  for (int round = 0; round < 5000; ++round) {
    const auto groups = random_groups(random);
    const auto fractions = shares(groups);
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (fractions[i] == 1) continue;
      // It uses a full unit, of which nobody has got further than it.
      bool held = false;
      for (std::size_t unit = 0; unit < sm_units && !held; ++unit) {
        if (groups[i].usage[unit] == 0 || busy(groups, fractions, unit) < 1 - tolerance) continue;
        held = true;
        for (std::size_t k = 0; k < groups.size(); ++k) {
          if (groups[k].usage[unit] == 0) continue;
          held = held && level(groups[k], fractions[k]) <= level(groups[i], fractions[i]) * (1 + tolerance) + tolerance;
        }
      }
      REQUIRE(held);
    }
  }
}

TEST_CASE("SM share: a group more on one unit makes nobody faster", "[engines]") {
  std::mt19937_64 random(3);
  for (int round = 0; round < 2000; ++round) {
    std::vector<GroupCost> groups;
    for (const GroupCost& one : random_groups(random)) groups.push_back(group(one.weight, {one.most, 0, 0, 0}));
    const auto with = shares(groups);
    groups.pop_back();
    const auto without = shares(groups);
    for (std::size_t i = 0; i < groups.size(); ++i) REQUIRE(without[i] >= with[i] - tolerance);
  }
}

// With several units a leaving group may slow someone: those it held up go on and take other units. What max-min
// promises is that the slowest gain first.
TEST_CASE("SM share: when a group leaves the others are no worse off, compared from the slowest on", "[engines]") {
  std::mt19937_64 random(4);
  for (int round = 0; round < 5000; ++round) {
    auto groups = random_groups(random);
    const auto with = shares(groups);
    groups.pop_back();
    const auto without = shares(groups);
    std::vector<double> before;
    std::vector<double> after;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      before.push_back(level(groups[i], with[i]));
      after.push_back(level(groups[i], without[i]));
    }
    std::sort(before.begin(), before.end());
    std::sort(after.begin(), after.end());
    const auto differs = std::mismatch(before.begin(), before.end(), after.begin(),
                                       [](double a, double b) { return std::abs(a - b) <= tolerance; });
    if (differs.first != before.end()) REQUIRE(*differs.second > *differs.first);
  }
}

TEST_CASE("SM share: the order of the groups does not matter", "[engines]") {
  std::mt19937_64 random(5);
  for (int round = 0; round < 1000; ++round) {
    const auto groups = random_groups(random);
    const auto fractions = shares(groups);
    const std::vector<GroupCost> backwards(groups.rbegin(), groups.rend());
    const auto backward_fractions = shares(backwards);
    for (std::size_t i = 0; i < groups.size(); ++i) {
      REQUIRE(fractions[i] == Approx(backward_fractions[groups.size() - 1 - i]).margin(1e-9));
    }
  }
}

TEST_CASE("SM share: groups of one grid get what equal groups of different grids get", "[engines]") {
  std::mt19937_64 random(6);
  for (int round = 0; round < 5000; ++round) {
    const GroupCost one = random_groups(random).front();
    const std::size_t count = 1 + random() % 32;
    std::vector<std::uint64_t> same;
    share_sm(std::vector<const GroupCost*>(count, &one), same);
    const std::vector<GroupCost> copies(count, one);
    std::vector<const GroupCost*> pointers;
    pointers.reserve(copies.size());
    for (const GroupCost& copy : copies) pointers.push_back(&copy);
    std::vector<std::uint64_t> different;
    share_sm(pointers, different);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t apart = std::max(same[i], different[i]) - std::min(same[i], different[i]);
      REQUIRE(apart <= 1);  // rounded to whole parts of 2^32
    }
  }
}
