// SPDX-License-Identifier: Apache-2.0
#include "api/repeat/counted_times.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <vector>

using namespace fenceline;

namespace {

std::unique_ptr<CountedTimes> counted(const std::vector<std::uint64_t>& times) {
  auto all = std::make_unique<CountedTimes>(CountedTimes{});
  for (const std::uint64_t time : times) all->add(time);
  return all;
}

}  // namespace

TEST_CASE("counted times: one time is told exactly, however long it is", "[api]") {
  for (const std::uint64_t time : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{511}, std::uint64_t{512},
                                   std::uint64_t{30453814142}, std::numeric_limits<std::uint64_t>::max()}) {
    const auto all = counted({time, time, time});
    CHECK(all->count() == 3);
    CHECK(all->percentile(5000) == time);
    REQUIRE(all->modes().size() == 1);
    CHECK(all->modes()[0].median_ps == time);
    CHECK(all->modes()[0].share == 1);
  }
  CHECK(counted({})->percentile(9900) == 0);
  CHECK(counted({})->modes().empty());
}

TEST_CASE("counted times: percentiles are the nearest rank to a range of 1/512, in any order and in parts", "[api]") {
  std::mt19937_64 random(7);
  std::vector<std::uint64_t> times(3000);
  for (std::uint64_t& time : times) time = random() >> (random() % 60);
  const auto all = counted(times);
  const auto parts = counted({times.begin() + 1000, times.end()});
  parts->add(*counted({times.begin(), times.begin() + 1000}));
  std::sort(times.begin(), times.end());
  for (const std::uint64_t hundredths : {0, 1000, 5000, 9000, 9900, 10000}) {
    const std::size_t rank = std::max<std::size_t>(1, (times.size() * hundredths + 9999) / 10000);
    const std::uint64_t exact = times[rank - 1];
    const std::uint64_t told = all->percentile(hundredths);
    CHECK(told <= exact);
    CHECK(exact - told <= exact / 512);
    CHECK(parts->percentile(hundredths) == told);
  }
}

TEST_CASE("counted times: modes are parted by a gap, and what is rare is none", "[api]") {
  std::vector<std::uint64_t> times(300, 892'000'000);
  times.insert(times.end(), 697, 1'452'000'000);
  times.insert(times.end(), 3, 5'000'000'000);
  times.insert(times.end(), 100, 1'460'000'000);  // within a fiftieth of the others
  const auto modes = counted(times)->modes();
  REQUIRE(modes.size() == 2);
  CHECK(modes[0].median_ps == 892'000'000);
  CHECK(modes[0].share == Approx(300.0 / 1100));
  CHECK(modes[1].least_ps == 1'452'000'000);
  CHECK(modes[1].share == Approx(797.0 / 1100));
}
