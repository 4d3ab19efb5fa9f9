// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array/shortcuts/sm_set.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <random>
#include <set>
#include <vector>

using namespace fenceline;

TEST_CASE("SM set: holds the SMs of its range", "[engines]") {
  const SmSet set(60, 70);
  CHECK(set.list() == std::vector<std::uint32_t>{60, 61, 62, 63, 64, 65, 66, 67, 68, 69});
  CHECK(set.size() == 10);
  CHECK(set.front() == 60);
  CHECK(set.back() == 69);
  CHECK(set.nth(5) == 65);
  CHECK(!set.contains(59));
  CHECK(!set.contains(4095));
  CHECK(SmSet().empty());
  CHECK(SmSet(0, 64) == SmSet(0, 64));
  CHECK(!(SmSet(0, 64) == SmSet(1, 65)));
}

TEST_CASE("SM set: splitting and uniting loses and doubles none", "[engines]") {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    const auto sms = static_cast<std::uint32_t>(1 + random() % 300);
    std::vector<SmSet> sets = {SmSet(0, sms)};
    for (int step = 0; step < 30; ++step) {
      const std::size_t i = random() % sets.size();
      const auto first = static_cast<std::uint32_t>(random() % sms);
      if (first > sets[i].front() && first <= sets[i].back()) {
        SmSet to(3, 5);
        sets[i].split(first, to);
        REQUIRE(sets[i].back() < first);
        REQUIRE(to.front() >= first);
        sets.push_back(to);
      } else if (sets.size() > 1 && i + 1 < sets.size()) {
        sets[i].unite(sets.back());
        sets.pop_back();
      }
      std::multiset<std::uint32_t> all;
      for (const SmSet& set : sets) {
        const auto list = set.list();
        REQUIRE(list.size() == set.size());
        REQUIRE(list.front() == set.front());
        REQUIRE(list.back() == set.back());
        for (std::uint32_t n = 0; n < list.size(); ++n) REQUIRE(set.nth(n) == list[n]);
        all.insert(list.begin(), list.end());
      }
      REQUIRE(all.size() == sms);
      REQUIRE(std::set<std::uint32_t>(all.begin(), all.end()).size() == sms);
    }
  }
}
