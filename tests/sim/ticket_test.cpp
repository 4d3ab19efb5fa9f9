// SPDX-License-Identifier: Apache-2.0
#include "sim/ticket.hpp"

#include "sim/slots.hpp"

#include <catch2/catch.hpp>

#include <cstdint>

using namespace fenceline;

TEST_CASE("ticket: comes back from its argument, at the largest slot and number too", "[sim]") {
  for (const std::uint32_t slot : {0U, 1U, (1U << 20) - 1, 1U << 20, ~0U}) {
    for (const std::uint32_t number : {0U, 1U, 1U << 31, ~0U}) {
      const Ticket back = Ticket::of(Ticket{slot, number}.argument());
      CHECK(back.slot == slot);
      CHECK(back.number == number);
    }
  }
}

TEST_CASE("ticket: no two places or numbers have one argument", "[sim]") {
  CHECK(Ticket{1, 2}.argument() != Ticket{2, 1}.argument());
  CHECK(Ticket{1U << 20, 1}.argument() != Ticket{0, 2}.argument());
}

TEST_CASE("ticket: what was left for a place's last thing is stale once the place is used again", "[sim]") {
  struct Thing {
    std::uint32_t number = 0;
  };
  TicketNumbers numbers;
  Slots<Thing> things;
  const std::uint32_t first = things.add({numbers.next()});
  const Ticket left{first, things[first].number};
  things[first].number = 0;  // over
  things.remove(first);
  CHECK(things[first].number != left.number);
  REQUIRE(things.add({numbers.next()}) == first);
  CHECK(things[first].number != left.number);
}

TEST_CASE("ticket: numbers differ, and none is nobody's", "[sim]") {
  TicketNumbers numbers;
  CHECK(numbers.next() == 1);
  CHECK(numbers.next() == 2);
}
