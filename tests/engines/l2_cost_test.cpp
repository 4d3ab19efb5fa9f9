// SPDX-License-Identifier: Apache-2.0
#include "engines/memory/l2_cost.hpp"

#include "tests/engines/random_grids.hpp"
#include "tests/support/units.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

L2Config l2_of(std::uint64_t hit_bytes, std::uint64_t miss_bytes) {
  L2Config l2;
  l2.l2_hit_bytes = hit_bytes;
  l2.l2_miss_bytes = miss_bytes;
  return l2;
}

double missed(const L2Reader& reader, const std::vector<L2Reader>& others, const L2Config& l2) {
  std::vector<L2Reader> all = {reader};
  all.insert(all.end(), others.begin(), others.end());
  return part_missed(0, all, l2);
}

}  // namespace

TEST_CASE("L2: the part found falls evenly with the logarithm of the distance", "[engines]") {
  const L2Config l2 = l2_of(10 * mega, 40 * mega);
  CHECK(part_found(1, l2) == 1);
  CHECK(part_found(10e6, l2) == 1);
  CHECK(part_found(20e6, l2) == Approx(0.5));  // half of the way from 10 to 40 in doublings
  CHECK(part_found(10e6 * std::sqrt(2), l2) == Approx(0.75));
  CHECK(part_found(40e6, l2) == 0);
  CHECK(part_found(1e12, l2) == 0);
}

TEST_CASE("L2: the fall may begin below and end above the sizes that name it", "[engines]") {
  L2Config l2 = l2_of(20 * mega, 20 * mega);
  CHECK(part_found(20e6, l2) == 1);  // all or nothing
  CHECK(part_found(20e6 + 1, l2) == 0);
  l2.l2_first_loss = 0.5;
  l2.l2_last_hits = 2;
  CHECK(part_found(10e6, l2) == 1);
  CHECK(part_found(20e6, l2) == Approx(0.5));
  CHECK(part_found(40e6, l2) == 0);
}

TEST_CASE("L2: one of no bytes finds nothing", "[engines]") {
  CHECK(part_found(1, l2_of(0, 0)) == 0);
  CHECK(part_found(1, l2_of(0, 40 * mega)) == 0);
}

TEST_CASE("L2: the first access to each byte misses, the others by the size of the set", "[engines]") {
  const L2Config l2 = l2_of(10 * mega, 40 * mega);
  CHECK(missed({0, 100 * mega, 1}, {}, l2) == 1);                            // each byte once
  CHECK(missed({10 * mega, 10 * mega, 1}, {}, l2) == 1);                     // first accesses
  CHECK(missed({10 * mega, 100 * mega, 1}, {}, l2) == Approx(0.1));          // the first of ten
  CHECK(missed({20 * mega, 100 * mega, 1}, {}, l2) == Approx(1 - 0.8 / 2));  // half of the others are found
  CHECK(missed({40 * mega, 400 * mega, 1}, {}, l2) == 1);
}

TEST_CASE("L2: sets of readers that run together add up", "[engines]") {
  const L2Config l2 = l2_of(10 * mega, 40 * mega);
  const L2Reader ten{10 * mega, 100 * mega, 1};
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
  const L2Config l2 = l2_of(10 * mega, 40 * mega);
  const L2Reader ten{10 * mega, 100 * mega, 1};
  const auto stream = [](double pace) { return L2Reader{0, 1000 * mega, pace}; };
  CHECK(missed(ten, {stream(1)}, l2) == Approx(1 - 0.9 * 0.5));  // 20 MB come between
  CHECK(missed(ten, {stream(3)}, l2) == 1);                      // 40 MB
  CHECK(missed(ten, {stream(0.5)}, l2) == Approx(1 - 0.9 * part_found(15e6, l2)));
  CHECK(missed({2 * mega, 100 * mega, 1}, {stream(1)}, l2) == Approx(0.02));  // 4 MB: all stays
}

TEST_CASE("L2: a hit waits for misses among the accesses before it", "[engines]") {
  L2Config l2;
  CHECK(part_slow(0.25, 0.5, l2) == 0.25);  // none do
  l2.l2_hits_wait = 1;
  CHECK(part_slow(0.25, 0.5, l2) == Approx(0.25 + 0.75 * 0.5));
  l2.l2_hits_wait = 2;
  CHECK(part_slow(0.25, 0.5, l2) == Approx(0.25 + 0.75 * 0.75));  // neither of two misses: one of four
  CHECK(part_slow(0, 0, l2) == 0);
  CHECK(part_slow(1, 0.5, l2) == 1);
}

TEST_CASE("L2: more of it never misses more, larger and further sets never less", "[engines]") {
  RandomGrids random(31);
  const auto size = [&] {
    return static_cast<std::uint64_t>(std::pow(10, 4 + static_cast<double>(random.below(5000)) / 1000));
  };
  for (int round = 0; round < 5000; ++round) {
    L2Config l2 = l2_of(size(), 0);
    l2.l2_miss_bytes = l2.l2_hit_bytes + (random.one_in(4) ? 0 : size());
    l2.l2_first_loss = static_cast<double>(1 + random.below(100)) / 100;
    l2.l2_last_hits = static_cast<double>(100 + random.below(900)) / 100;
    std::vector<L2Reader> readers;
    for (std::uint64_t count = 1 + random.below(4); count > 0; --count) {
      readers.push_back({random.one_in(3) ? 0 : size(), 10 * size(), static_cast<double>(random.below(100))});
    }
    const double before = part_missed(0, readers, l2);
    INFO("round " << round);
    REQUIRE((before >= 0 && before <= 1));
    L2Config larger = l2;
    larger.l2_miss_bytes += size();
    REQUIRE(part_missed(0, readers, larger) <= before);
    larger.l2_hit_bytes += random.below(larger.l2_miss_bytes - larger.l2_hit_bytes + 1);
    REQUIRE(part_missed(0, readers, larger) <= before);
    std::vector<L2Reader> more = readers;
    more.push_back({random.one_in(2) ? 0 : size(), size(), static_cast<double>(random.below(100))});
    REQUIRE(part_missed(0, more, l2) >= before);
    std::vector<L2Reader> wider = readers;
    if (wider[0].set_bytes > 0) wider[0].set_bytes += size();
    REQUIRE(part_missed(0, wider, l2) >= before - 1e-12);
    REQUIRE(part_slow(before, before, l2) >= before);
  }
}
