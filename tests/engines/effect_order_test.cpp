// SPDX-License-Identifier: Apache-2.0
#include "engines/command/effect_order.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

using fenceline::EffectOrder;

TEST_CASE("effect order: whatever ends first, effects come in the order recorded, without those skipped", "[engines]") {
  std::mt19937_64 random(5);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::size_t> ends(random() % 12);
    std::iota(ends.begin(), ends.end(), std::size_t{0});
    std::shuffle(ends.begin(), ends.end(), random);
    EffectOrder order(ends.size());
    std::vector<std::size_t> expected, applied;
    std::vector<bool> skipped(ends.size()), settled(ends.size());
    for (std::size_t i = 0; i < skipped.size(); ++i) skipped[i] = random() % 3 == 0;
    for (const std::size_t one : ends) {
      order.settle(one, skipped[one], [&](std::size_t effect) { applied.push_back(effect); });
      settled[one] = true;
      // All up to the first that has not ended.
      expected.clear();
      for (std::size_t i = 0; i < settled.size() && settled[i]; ++i) {
        if (!skipped[i]) expected.push_back(i);
      }
      CHECK(applied == expected);
    }
  }
}
