// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array/shortcuts/sm_room_ahead.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <vector>

using namespace fenceline;

namespace {

using Wide = RoomAhead::Wide;

GroupCost using_alu(double usage) {
  GroupCost cost;
  cost.usage[0] = usage;
  return cost;
}

/// A group, cycle by cycle.
struct Group {
  GroupCost cost;
  Wide instructions;
  std::uint64_t start;
  RoomAhead::Issue expected;
};

}  // namespace

TEST_CASE("room ahead: a group alone takes its instructions' time", "[engines]") {
  RoomAhead room;
  const RoomAhead::Issue issue = room.take(using_alu(0.5), Wide{100} * full_speed, 10, 10, 0);
  CHECK(issue.end == 110);
  CHECK(issue.slack == 0);
}

TEST_CASE("room ahead: a group that keeps a unit more than busy ends with the cycle that holds its last instruction",
          "[engines]") {
  RoomAhead room;
  const RoomAhead::Issue issue = room.take(using_alu(4), Wide{3} * full_speed + 1, 0, 0, 0);
  CHECK(issue.end == 13);
  CHECK(issue.slack == full_speed / 4 - 1);
}

TEST_CASE("room ahead: a younger group gets what the older leave, and all once they have ended", "[engines]") {
  RoomAhead room;
  CHECK(room.take(using_alu(0.75), Wide{100} * full_speed, 0, 0, 0).end == 100);
  // A quarter of the unit until 100, then half of what it could use.
  CHECK(room.take(using_alu(1), Wide{100} * full_speed, 0, 0, 0).end == 175);
  // Nothing until 175: not even its first instruction, but for the least speed there is.
  CHECK(room.take(using_alu(1), Wide{10} * full_speed, 0, 0, 0).end == 185);
  CHECK(room.take(using_alu(1), Wide{10} * full_speed, 20, 20, 0).end == 195);
}

TEST_CASE("room ahead: a group that is yet to start leaves the room until then to others", "[engines]") {
  RoomAhead room;
  CHECK(room.take(using_alu(1), Wide{50} * full_speed, 30, 0, 0).end == 80);
  CHECK(room.take(using_alu(1), Wide{40} * full_speed, 0, 0, 0).end == 90);
}

TEST_CASE("room ahead: what it says comes about, cycle by cycle", "[engines]") {
  std::mt19937_64 random(7);
  for (int round = 0; round < 1000; ++round) {
    const double conflicts = random() % 2 == 0 ? 0 : static_cast<double>(random() % 101) / 100;
    const std::uint64_t later = random() % 3 == 0 ? random() % 1000 : 0;
    RoomAhead room;
    std::vector<Group> groups;
    std::uint64_t now = 0;
    for (std::uint64_t count = 1 + random() % 10; count > 0; --count) {
      now += random() % 3 == 0 ? random() % 60 : 0;
      Group group;
      for (std::uint64_t units = 1 + random() % 3; units > 0; --units) {
        group.cost.usage[random() % sm_units] = static_cast<double>(1 + random() % 16) / (random() % 4 == 0 ? 4. : 40.);
      }
      group.instructions = Wide{1 + random() % 100} * full_speed - random() % 1000;
      group.start = now + (random() % 3 == 0 ? random() % 40 : 0);
      group.expected = room.take(group.cost, group.instructions, group.start, now, conflicts);
      groups.push_back(group);
    }
    room.postpone(later);
    INFO("round " << round);
    // A group more, to see that the rest has been put off.
    const RoomAhead::Issue last = room.take(using_alu(1), Wide{10} * full_speed, now + later, now + later, conflicts);
    groups.push_back({using_alu(1), Wide{10} * full_speed, now, {now, last.end - later, last.slack}});

    for (std::uint64_t cycle = 0; !groups.empty(); ++cycle) {
      REQUIRE(cycle < 100'000);
      SmRoom units;
      for (Group& group : groups) {
        if (group.start > cycle) continue;
        const std::uint64_t speed = units.take(group.cost, conflicts);
        if (group.instructions > speed) {
          REQUIRE(group.expected.end > cycle + 1);
          group.instructions -= speed;
          continue;
        }
        REQUIRE(group.expected.end == cycle + 1);
        REQUIRE(group.expected.slack == static_cast<std::uint64_t>(speed - group.instructions));
        group.instructions = 0;
      }
      groups.erase(std::remove_if(groups.begin(), groups.end(), [](const Group& one) { return one.instructions == 0; }),
                   groups.end());
    }
  }
}

TEST_CASE("room ahead: instructions that need more than 64 bits are counted, too", "[engines]") {
  RoomAhead room;
  const std::uint64_t long_time = std::uint64_t{1} << 40;
  CHECK(room.take(using_alu(1), Wide{long_time} * full_speed, 5, 5, 0).end == 5 + long_time);
  // Meanwhile the next gets 1 / 2^32 of its speed: 256 cycles' worth of instructions.
  CHECK(room.take(using_alu(2), Wide{long_time} * full_speed, 5, 5, 0).end == 5 + 3 * long_time - 2 * 256);
  CHECK(room.take(using_alu(1), ~Wide{0}, 5, 5, 0).end == never);
}
