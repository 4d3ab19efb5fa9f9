// SPDX-License-Identifier: Apache-2.0
#include "engines/memory/cache_cost.hpp"

#include "tests/engines/shader_array/random_grids.hpp"
#include "tests/support/units.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

CacheConfig cache_of(std::uint64_t hit_bytes, std::uint64_t miss_bytes) {
  CacheConfig cache;
  cache.hit_bytes = hit_bytes;
  cache.miss_bytes = miss_bytes;
  return cache;
}

/// Of the first set's accesses, the part that comes to the level behind the only cache.
double part_missed(const std::vector<AccessedSet>& sets, const CacheConfig& cache) {
  return bytes_by_level(sets[0], distance_of(0, sets), {cache})[1];
}

double missed(const AccessedSet& reader, const std::vector<AccessedSet>& others, const CacheConfig& l2) {
  std::vector<AccessedSet> all = {reader};
  all.insert(all.end(), others.begin(), others.end());
  return part_missed(all, l2);
}

}  // namespace

TEST_CASE("L2: the part found falls evenly with the logarithm of the distance", "[engines]") {
  const CacheConfig l2 = cache_of(10 * mega, 40 * mega);
  CHECK(part_found(1, l2) == 1);
  CHECK(part_found(10e6, l2) == 1);
  CHECK(part_found(20e6, l2) == Approx(0.5));  // half of the way from 10 to 40 in doublings
  CHECK(part_found(10e6 * std::sqrt(2), l2) == Approx(0.75));
  CHECK(part_found(40e6, l2) == 0);
  CHECK(part_found(1e12, l2) == 0);
}

TEST_CASE("L2: the fall may begin below and end above the sizes that name it", "[engines]") {
  CacheConfig l2 = cache_of(20 * mega, 20 * mega);
  CHECK(part_found(20e6, l2) == 1);  // all or nothing
  CHECK(part_found(20e6 + 1, l2) == 0);
  l2.first_loss = 0.5;
  l2.last_hits = 2;
  CHECK(part_found(10e6, l2) == 1);
  CHECK(part_found(20e6, l2) == Approx(0.5));
  CHECK(part_found(40e6, l2) == 0);
}

TEST_CASE("L2: one of no bytes finds nothing", "[engines]") {
  CHECK(part_found(1, cache_of(0, 0)) == 0);
  CHECK(part_found(1, cache_of(0, 40 * mega)) == 0);
}

TEST_CASE("L2: the first access to each byte misses, the others by the size of the set", "[engines]") {
  const CacheConfig l2 = cache_of(10 * mega, 40 * mega);
  CHECK(missed({0, 100 * mega, 1}, {}, l2) == 1);                            // each byte once
  CHECK(missed({10 * mega, 10 * mega, 1}, {}, l2) == 1);                     // first accesses
  CHECK(missed({10 * mega, 100 * mega, 1}, {}, l2) == Approx(0.1));          // the first of ten
  CHECK(missed({20 * mega, 100 * mega, 1}, {}, l2) == Approx(1 - 0.8 / 2));  // half of the others are found
  CHECK(missed({40 * mega, 400 * mega, 1}, {}, l2) == 1);
}

TEST_CASE("L2: sets of readers that run together add up", "[engines]") {
  const CacheConfig l2 = cache_of(10 * mega, 40 * mega);
  const AccessedSet ten{10 * mega, 100 * mega, 1};
  CHECK(missed(ten, {ten}, l2) == missed({20 * mega, 200 * mega, 1}, {}, l2));
  CHECK(missed(ten, {ten, ten, ten}, l2) == 1);
  // A small set beside: 10 + 4 MB.
  CHECK(missed(ten, {{4 * mega, 100 * mega, 1}}, l2) == Approx(1 - 0.9 * part_found(14e6, l2)));
  // One that is read at a quarter of the pace brings a quarter of 10 MB between two accesses.
  CHECK(missed(ten, {{10 * mega, 100 * mega, 0.25}}, l2) == Approx(1 - 0.9 * part_found(12.5e6, l2)));
  // One that is not read at all is not there.
  CHECK(missed(ten, {{10 * mega, 100 * mega, 0}}, l2) == missed(ten, {}, l2));
}

TEST_CASE("L2: a stream evicts as much as it reads between two accesses", "[engines]") {
  const CacheConfig l2 = cache_of(10 * mega, 40 * mega);
  const AccessedSet ten{10 * mega, 100 * mega, 1};
  const auto stream = [](double pace) { return AccessedSet{0, 1000 * mega, pace}; };
  CHECK(missed(ten, {stream(1)}, l2) == Approx(1 - 0.9 * 0.5));  // 20 MB come between
  CHECK(missed(ten, {stream(3)}, l2) == 1);                      // 40 MB
  CHECK(missed(ten, {stream(0.5)}, l2) == Approx(1 - 0.9 * part_found(15e6, l2)));
  CHECK(missed({2 * mega, 100 * mega, 1}, {stream(1)}, l2) == Approx(0.02));  // 4 MB: all stays
}

TEST_CASE("L2: a hit waits for misses among the accesses before it", "[engines]") {
  CHECK(part_slow(0.25, 0.5, 0) == 0.25);  // none do
  CHECK(part_slow(0.25, 0.5, 1) == Approx(0.25 + 0.75 * 0.5));
  CHECK(part_slow(0.25, 0.5, 2) == Approx(0.25 + 0.75 * 0.75));  // neither of two misses: one of four
  CHECK(part_slow(0, 0, 2) == 0);
  CHECK(part_slow(1, 0.5, 2) == 1);
}

TEST_CASE("L2: more of it never misses more, larger and further sets never less", "[engines]") {
  RandomGrids random(31);
  const auto size = [&] {
    return static_cast<std::uint64_t>(std::pow(10, 4 + static_cast<double>(random.below(5000)) / 1000));
  };
  for (int round = 0; round < 5000; ++round) {
    CacheConfig l2 = cache_of(size(), 0);
    l2.miss_bytes = l2.hit_bytes + (random.one_in(4) ? 0 : size());
    l2.first_loss = static_cast<double>(1 + random.below(100)) / 100;
    l2.last_hits = static_cast<double>(100 + random.below(900)) / 100;
    std::vector<AccessedSet> readers;
    for (std::uint64_t count = 1 + random.below(4); count > 0; --count) {
      readers.push_back({random.one_in(3) ? 0 : size(), 10 * size(), static_cast<double>(random.below(100))});
    }
    const double before = part_missed(readers, l2);
    INFO("round " << round);
    REQUIRE((before >= 0 && before <= 1));
    CacheConfig larger = l2;
    larger.miss_bytes += size();
    REQUIRE(part_missed(readers, larger) <= before);
    larger.hit_bytes += random.below(larger.miss_bytes - larger.hit_bytes + 1);
    REQUIRE(part_missed(readers, larger) <= before);
    std::vector<AccessedSet> more = readers;
    more.push_back({random.one_in(2) ? 0 : size(), size(), static_cast<double>(random.below(100))});
    REQUIRE(part_missed(more, l2) >= before);
    std::vector<AccessedSet> wider = readers;
    if (wider[0].set_bytes > 0) wider[0].set_bytes += size();
    REQUIRE(part_missed(wider, l2) >= before - 1e-12);
    REQUIRE(part_slow(before, before, static_cast<double>(random.below(8))) >= before);
  }
}

namespace {

std::vector<double> by_level(const AccessedSet& set, const std::vector<CacheConfig>& caches) {
  const ByLevel<double> bytes = bytes_by_level(set, static_cast<double>(set.set_bytes), caches);
  return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(caches.size()) + 1};
}

/// Equal but for the last digits.
void check_levels(const std::vector<double>& found, const std::vector<double>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t level = 0; level < found.size(); ++level) CHECK(found[level] == Approx(expected[level]));
}

}  // namespace

TEST_CASE("levels of memory: what one cache does not find comes to the next", "[engines]") {
  const CacheConfig l2 = cache_of(10 * mega, 40 * mega);
  const CacheConfig l3 = cache_of(100 * mega, 400 * mega);
  // 10 times each byte: a tenth of all accesses are first ones, which come to all levels.
  check_levels(by_level({5 * mega, 50 * mega, 1}, {l2, l3}), {1, 0.1, 0.1});     // L2 holds the set
  check_levels(by_level({50 * mega, 500 * mega, 1}, {l2, l3}), {1, 1, 0.1});     // the middle level does
  check_levels(by_level({400 * mega, 4000 * mega, 1}, {l2, l3}), {1, 1, 1});     // neither does
  check_levels(by_level({20 * mega, 200 * mega, 1}, {l2, l3}), {1, 0.55, 0.1});  // L2 half of 0.9, the other the rest
  check_levels(by_level({200 * mega, 2000 * mega, 1}, {l2, l3}), {1, 1, 0.55});  // the other half of 0.9
  check_levels(by_level({0, 500 * mega, 1}, {l2, l3}), {1, 1, 1});               // each byte once
  check_levels(by_level({50 * mega, 50 * mega, 1}, {l2, l3}), {1, 1, 1});        // the same
  check_levels(by_level({20 * mega, 200 * mega, 1}, {l2, l2}),
               {1, 0.55, 0.325});  // half of the 0.45 that it could find
  // A cache that keeps nothing is only passed.
  check_levels(by_level({50 * mega, 500 * mega, 1}, {l2, cache_of(0, 0), l3}), {1, 1, 1, 0.1});
  check_levels(by_level({50 * mega, 500 * mega, 1}, {l3}), {1, 0.1});
}

TEST_CASE("levels of memory: no level serves what did not come to it, and a larger cache leaves less to all behind it",
          "[engines]") {
  RandomGrids random(32);
  const auto size = [&] {
    return static_cast<std::uint64_t>(std::pow(10, 4 + static_cast<double>(random.below(5000)) / 1000));
  };
  int fewer = 0;
  for (int round = 0; round < 5000; ++round) {
    std::vector<CacheConfig> caches;
    for (std::uint64_t count = 1 + random.below(3); count > 0; --count) {
      CacheConfig cache = cache_of(random.one_in(5) ? 0 : size(), 0);
      cache.miss_bytes = cache.hit_bytes + (random.one_in(4) ? 0 : size());
      cache.first_loss = static_cast<double>(1 + random.below(100)) / 100;
      cache.last_hits = static_cast<double>(100 + random.below(900)) / 100;
      caches.push_back(cache);
    }
    std::vector<AccessedSet> sets;
    for (std::uint64_t count = 1 + random.below(4); count > 0; --count) {
      sets.push_back(
          {random.one_in(3) ? 0 : size(), size() * (1 + random.below(20)), static_cast<double>(1 + random.below(100))});
    }
    const double distance = distance_of(0, sets);
    const std::vector<double> before = by_level(sets[0], caches);
    const ByLevel<double> beside_others = bytes_by_level(sets[0], distance, caches);
    const double first = sets[0].set_bytes == 0 || sets[0].set_bytes >= sets[0].accessed_bytes
                             ? 1
                             : static_cast<double>(sets[0].set_bytes) / static_cast<double>(sets[0].accessed_bytes);
    INFO("round " << round);
    double served = 0;
    for (std::size_t level = 0; level < caches.size(); ++level) {
      REQUIRE(before[level + 1] <= before[level]);
      REQUIRE(before[level + 1] >= first - 1e-12);
      REQUIRE(beside_others[level + 1] >= before[level + 1] - 1e-12);  // others only evict
      served += before[level] - before[level + 1];
    }
    REQUIRE(served + before.back() == Approx(1));  // each byte is served once
    std::vector<CacheConfig> larger = caches;
    CacheConfig& one = larger[random.below(larger.size())];
    one.miss_bytes += size();
    if (random.one_in(2)) one.hit_bytes = one.miss_bytes;
    const std::vector<double> after = by_level(sets[0], larger);
    const ByLevel<double> after_beside_others = bytes_by_level(sets[0], distance, larger);
    for (std::size_t level = 0; level <= caches.size(); ++level) {
      REQUIRE(after[level] <= before[level] + 1e-12);
      REQUIRE(after_beside_others[level] <= beside_others[level] + 1e-12);
    }
    fewer += after.back() < before.back() ? 1 : 0;
  }
  CHECK(fewer > 500);
}
