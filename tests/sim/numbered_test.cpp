// SPDX-License-Identifier: Apache-2.0
#include "sim/numbered.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <memory>
#include <random>
#include <vector>

using fenceline::Numbered;

namespace {

std::vector<std::uint32_t> there(const Numbered<std::shared_ptr<int>>& things) {
  std::vector<std::uint32_t> numbers;
  things.for_each([&](std::uint32_t number, const std::shared_ptr<int>&) { numbers.push_back(number); });
  return numbers;
}

}  // namespace

TEST_CASE("numbered: numbers rise, are not used again, and what is removed ends at once", "[sim]") {
  Numbered<std::shared_ptr<int>> things;
  CHECK_FALSE(things.contains(0));
  const auto watched = std::make_shared<int>(7);
  CHECK(things.add(watched) == 0);
  CHECK(things.add(std::make_shared<int>(8)) == 1);
  CHECK(watched.use_count() == 2);
  things.remove(0);
  CHECK(watched.use_count() == 1);
  CHECK_FALSE(things.contains(0));
  CHECK(things.contains(1));
  CHECK(*things[1] == 8);
  CHECK(things.add(std::make_shared<int>(9)) == 2);
  CHECK(things.numbers() == 3);
  CHECK(there(things) == std::vector<std::uint32_t>{1, 2});
}

TEST_CASE("numbered: things stay where they are while others come and go", "[sim]") {
  Numbered<int> things;
  things.add(1);
  const int* const first = &things[0];
  for (int i = 1; i < 1000; ++i) things.add(int{i});
  for (std::uint32_t i = 1; i < 1000; ++i) things.remove(i);
  CHECK(&things[0] == first);
  CHECK(*first == 1);
}

TEST_CASE("numbered: it holds what a map holds, whatever comes and goes", "[sim]") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    Numbered<std::shared_ptr<int>> things;
    std::map<std::uint32_t, int> expected;
    for (int step = 0; step < 2000; ++step) {
      if (expected.empty() || random() % 100 < 45 + seed) {
        const int value = static_cast<int>(random());
        expected[things.add(std::make_shared<int>(value))] = value;
      } else {
        // The oldest, the youngest or any.
        auto one = random() % 3 == 0 ? expected.begin() : std::prev(expected.end());
        if (random() % 3 == 0) one = expected.lower_bound(static_cast<std::uint32_t>(random() % (one->first + 1)));
        things.remove(one->first);
        expected.erase(one);
      }
    }
    std::map<std::uint32_t, int> found;
    things.for_each([&](std::uint32_t number, const std::shared_ptr<int>& value) { found[number] = *value; });
    CHECK(found == expected);
    for (std::uint32_t number = 0; number <= things.numbers(); ++number) {
      if (things.contains(number) != (expected.count(number) == 1)) FAIL("number " << number);
    }
  }
}
