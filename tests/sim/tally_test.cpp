// SPDX-License-Identifier: Apache-2.0
#include "sim/tally.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <random>
#include <set>
#include <vector>

using namespace fenceline;

TEST_CASE("tally: it has what was added and not removed as often, and changes with that alone", "[sim]") {
  std::mt19937 random(22);
  Tally tally;
  std::multiset<std::uint64_t> model;
  std::vector<std::uint64_t> before;
  std::uint64_t changes = 0;
  for (int step = 0; step < 20'000; ++step) {
    const std::uint64_t number = random() % 12;
    if (model.count(number) > 0 && random() % 2 == 0) {
      model.erase(model.find(number));
      tally.remove(number);
    } else {
      model.insert(number);
      tally.add(number);
    }
    const std::set<std::uint64_t> once(model.begin(), model.end());
    const std::vector<std::uint64_t> there(once.begin(), once.end());
    REQUIRE(tally.numbers() == there);
    REQUIRE(tally.has(number) == (once.count(number) > 0));
    if (there != before) ++changes;
    REQUIRE(tally.changes() == changes);
    before = there;
  }
  REQUIRE(changes > 200);
}
