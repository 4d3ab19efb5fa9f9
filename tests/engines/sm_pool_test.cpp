// SPDX-License-Identifier: Apache-2.0
#include "engines/sm_pool.hpp"

#include "tests/engines/pool_reference.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <random>
#include <utility>
#include <vector>

using namespace fenceline;

namespace {

ShaderArrayConfig array_of(std::uint32_t sms) {
  ShaderArrayConfig config;
  config.sms = sms;
  config.graphics_sms = sms;
  return config;
}

using Places = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // SM, groups

/// Places with a footprint and gives the places.
Places place(SmPool& pool, const ShaderArrayConfig& config, const GroupFootprint& group, std::uint64_t groups,
             std::uint32_t sm_limit) {
  std::vector<SmPool::Placement> placements;
  const std::uint64_t placed =
      pool.place(occupancy_of(group, config), wanted_split_bytes(group, config), groups, sm_limit, placements);
  Places places;
  std::uint64_t sum = 0;
  for (const SmPool::Placement& placement : placements) {
    places.emplace_back(placement.sm, placement.groups);
    sum += placement.groups;
  }
  CHECK(placed == sum);
  return places;
}

}  // namespace

TEST_CASE("SM pool: groups spread breadth-first, lowest index first", "[engines]") {
  const ShaderArrayConfig config = array_of(4);
  SmPool pool(config);
  CHECK(place(pool, config, {256, 0, 0}, 3, 4) == Places{{0, 1}, {1, 1}, {2, 1}});
  CHECK(place(pool, config, {256, 0, 0}, 3, 4) == Places{{3, 1}, {0, 1}, {1, 1}});
  CHECK(place(pool, config, {1024, 0, 0}, 1, 4) == Places{{2, 1}});  // fewest threads, not fewest groups
  CHECK(place(pool, config, {64, 0, 0}, 4, 4) == Places{{3, 4}});    // 4 x 64 level with two of 256
  CHECK(place(pool, config, {64, 0, 0}, 1, 4) == Places{{0, 1}});
}

TEST_CASE("SM pool: no more groups are placed than fit, and only on the first SMs asked for", "[engines]") {
  const ShaderArrayConfig config = array_of(70);  // more SMs than bits of a word
  SmPool pool(config);
  const GroupFootprint group{512, 32, 0};
  const std::uint32_t residency = groups_per_sm(group, config);
  std::uint64_t placed = 0;
  for (const auto& [sm, groups] : place(pool, config, group, 1000, 67)) {
    CHECK(sm < 67);
    CHECK(groups == residency);
    placed += groups;
  }
  CHECK(placed == 67 * residency);
  CHECK(place(pool, config, group, 1, 67).empty());
  CHECK(place(pool, config, group, 1000, 70) == Places{{67, residency}, {68, residency}, {69, residency}});
}

TEST_CASE("SM pool: an SM changes its split only while idle", "[engines]") {
  const ShaderArrayConfig config = array_of(1);
  const GroupFootprint none{256, 32, 0};
  const GroupFootprint some{1024, 32, 20'000};
  const GroupOccupancy need_none = occupancy_of(none, config);
  const GroupOccupancy need_some = occupancy_of(some, config);
  {
    SmPool pool(config);
    CHECK(place(pool, config, none, 1, 1) == Places{{0, 1}});
    CHECK(place(pool, config, some, 1, 1).empty());  // wants 64 KiB, the SM has 0
    pool.release(need_none, {{0, 1}});
    CHECK(place(pool, config, some, 1, 1) == Places{{0, 1}});
  }
  {
    SmPool pool(config);
    CHECK(place(pool, config, some, 1, 1) == Places{{0, 1}});
    CHECK(place(pool, config, none, 1, 1) == Places{{0, 1}});  // less than the split joins
    pool.release(need_some, {{0, 1}});
    CHECK(place(pool, config, some, 1, 1) == Places{{0, 1}});  // the split stays as long as anyone is there
    pool.release(need_some, {{0, 1}});
    pool.release(need_none, {{0, 1}});
    CHECK(place(pool, config, none, 1, 1) == Places{{0, 1}});
    CHECK(place(pool, config, some, 1, 1).empty());
    CHECK(pool.resident_groups(0) == 1);
  }
}

TEST_CASE("SM pool: an SM's split bounds the shared memory of all on it", "[engines]") {
  const ShaderArrayConfig config = array_of(1);
  SmPool pool(config);
  // Two groups (by registers) of 11 KiB want 32 KiB; one of them leaves 21 KiB.
  CHECK(place(pool, config, {256, 128, 10 * 1024}, 1, 1) == Places{{0, 1}});
  // Four groups (by threads) of 8 KiB want 32 KiB too. Threads would let three join, shared memory lets two.
  CHECK(place(pool, config, {512, 16, 7 * 1024}, 9, 1) == Places{{0, 2}});
}

TEST_CASE("SM pool: an idle SM takes as many groups as the residency of their footprint says", "[engines]") {
  std::mt19937_64 random(2);
  const std::vector<std::vector<std::uint32_t>> splits = {{}, {0}, {0, 8}, {16, 64}, {0, 8, 16, 32, 64, 100, 132, 228}};
  for (int round = 0; round < 5000; ++round) {
    ShaderArrayConfig config = array_of(1);
    config.shared_splits_kib = splits[random() % splits.size()];
    config.shared_bytes_per_sm = static_cast<std::uint32_t>(random() % 4 == 0 ? 0 : random() % 240'000);
    config.shared_bytes_reserved_per_group = static_cast<std::uint32_t>(random() % 2 * 1024);
    config.groups_per_sm = static_cast<std::uint32_t>(1 + random() % 64);
    config.threads_per_sm = static_cast<std::uint32_t>(1 + random() % 3000);
    const GroupFootprint group{static_cast<std::uint32_t>(1 + random() % 1024),
                               static_cast<std::uint32_t>(random() % 256),
                               static_cast<std::uint32_t>(random() % 2 == 0 ? 0 : random() % 60'000)};
    if (groups_per_sm(group, config) == 0) continue;  // such a grid is refused before it gets here
    SmPool pool(config);
    std::vector<SmPool::Placement> placements;
    INFO("shared " << group.shared_bytes << " of " << config.shared_bytes_per_sm << ", splits "
                   << config.shared_splits_kib.size());
    REQUIRE(pool.place(occupancy_of(group, config), wanted_split_bytes(group, config), 1000, 1, placements) ==
            groups_per_sm(group, config));
  }
}

TEST_CASE("SM pool: random placing and releasing matches looking at every SM for every group", "[engines]") {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    ShaderArrayConfig config = array_of(1 + static_cast<std::uint32_t>(random() % (round % 10 == 0 ? 140 : 6)));
    if (round % 4 == 1) config.shared_splits_kib.clear();
    if (round % 4 == 2) config.groups_per_sm = 5;
    if (round % 4 == 3) config.warp_threads = 64;
    SmPool pool(config);
    PoolReference reference(config);
    struct Resident {
      GroupOccupancy need;
      std::vector<SmPool::Placement> placements;
    };
    std::vector<Resident> residents;
    for (int step = 0; step < 100; ++step) {
      if (!residents.empty() && random() % 5 < 2) {
        const std::size_t i = random() % residents.size();
        pool.release(residents[i].need, residents[i].placements);
        for (const auto& placement : residents[i].placements) {
          for (std::uint32_t n = 0; n < placement.groups; ++n) reference.release(residents[i].need, placement.sm);
        }
        residents.erase(residents.begin() + static_cast<std::ptrdiff_t>(i));
      }
      const GroupFootprint group{static_cast<std::uint32_t>(1 + random() % 1024),
                                 static_cast<std::uint32_t>(random() % 128),
                                 static_cast<std::uint32_t>(random() % 3 == 0 ? random() % 100'000 : 0)};
      if (groups_per_sm(group, config) == 0) continue;
      const std::uint64_t groups = random() % (3 * config.sms + 2);
      const auto sm_limit = static_cast<std::uint32_t>(1 + random() % config.sms);
      Resident resident{occupancy_of(group, config), {}};
      const std::uint32_t split = wanted_split_bytes(group, config);
      const std::uint64_t placed = pool.place(resident.need, split, groups, sm_limit, resident.placements);

      std::map<std::uint32_t, std::uint32_t> expected;
      std::uint64_t expected_placed = 0;
      while (expected_placed < groups) {
        const auto sm = reference.place(resident.need, split, sm_limit);
        if (!sm) break;
        ++expected[*sm];
        ++expected_placed;
      }
      std::map<std::uint32_t, std::uint32_t> actual;
      for (const auto& placement : resident.placements) actual[placement.sm] += placement.groups;
      REQUIRE(actual.size() == resident.placements.size());  // one entry an SM
      REQUIRE(placed == expected_placed);
      REQUIRE(actual == expected);
      for (std::uint32_t sm = 0; sm < config.sms; ++sm) REQUIRE(pool.resident_groups(sm) == reference.groups(sm));
      residents.push_back(std::move(resident));
    }
  }
}
