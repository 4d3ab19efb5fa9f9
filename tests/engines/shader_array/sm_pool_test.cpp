// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array/shortcuts/sm_pool.hpp"

#include "tests/engines/shader_array/pool_reference.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

ShaderArrayConfig pool_config(std::uint32_t sms, std::uint32_t graphics_sms) {
  ShaderArrayConfig config;
  config.sms = sms;
  config.graphics_sms = graphics_sms;
  return config;
}

using Sms = std::vector<std::uint32_t>;

std::uint32_t groups_on(const SmPool& pool, std::uint32_t sm) {
  for (const SmClass& one : pool.classes()) {
    if (one.sms.contains(sm)) return one.groups;
  }
  return 0;
}

/// Places up to `groups` groups as the shader array does, keeping them as residents of their classes. Gives the SM of
/// each group; groups of one call of `SmPool::place` by ascending SM.
Sms place(SmPool& pool, const ShaderArrayConfig& config, const GroupFootprint& group, std::uint64_t groups,
          bool graphics = false) {
  Sms places;
  std::vector<std::uint32_t> classes;
  while (places.size() < groups) {
    const std::uint64_t left = groups - places.size();
    ResidentGroup resident;
    resident.need = occupancy_of(group, config);
    const std::uint64_t placed = pool.place(resident.need, wanted_split_bytes(group, config), left, graphics, classes);
    Sms once;
    for (const std::uint32_t i : classes) {
      SmClass& sms = pool.classes()[i];
      for (const std::uint32_t sm : sms.sms.list()) once.push_back(sm);
      sms.residents.push_back(resident);
    }
    REQUIRE(placed == once.size());
    if (once.empty()) return places;
    std::sort(once.begin(), once.end());
    REQUIRE(std::adjacent_find(once.begin(), once.end()) == once.end());  // at most one on each SM
    places.insert(places.end(), once.begin(), once.end());
  }
  return places;
}

/// The class of an SM.
std::uint32_t class_of(SmPool& pool, std::uint32_t sm) {
  const auto& classes = pool.classes();
  for (std::uint32_t i = 0; i < classes.size(); ++i) {
    if (classes[i].sms.contains(sm)) return i;
  }
  FAIL("SM " << sm << " is in no class");
  return 0;
}

/// The resident that came `nth` leaves the class of the SM.
void release(SmPool& pool, std::uint32_t sm, std::size_t nth = 0) {
  const std::uint32_t i = class_of(pool, sm);
  auto& residents = pool.classes()[i].residents;
  REQUIRE(nth < residents.size());
  const GroupOccupancy need = residents[nth].need;
  residents.erase(residents.begin() + static_cast<std::ptrdiff_t>(nth));
  pool.classes()[i].release(need);
}

/// Every SM is in one class; classes count what their residents take.
void check_classes(SmPool& pool, const ShaderArrayConfig& config) {
  Sms all;
  for (const SmClass& one : pool.classes()) {
    const Sms sms = one.sms.list();
    REQUIRE(!sms.empty());
    REQUIRE(one.sms.size() == sms.size());
    REQUIRE(one.sms.front() == sms.front());
    REQUIRE(one.sms.back() == sms.back());
    all.insert(all.end(), sms.begin(), sms.end());
    REQUIRE(one.groups == one.residents.size());
    std::uint32_t registers = 0;
    for (const ResidentGroup& group : one.residents) registers += group.need.registers;
    REQUIRE(one.registers == registers);
  }
  std::sort(all.begin(), all.end());
  REQUIRE(all.size() == config.sms);
  for (std::uint32_t sm = 0; sm < config.sms; ++sm) REQUIRE(all[sm] == sm);
}

}  // namespace

TEST_CASE("SM pool: groups spread breadth-first, lowest index first", "[engines]") {
  const ShaderArrayConfig config = pool_config(4, 4);
  SmPool pool(config);
  CHECK(place(pool, config, {256, 0, 0}, 3) == Sms{0, 1, 2});
  CHECK(place(pool, config, {256, 0, 0}, 3) == Sms{3, 0, 1});
  CHECK(place(pool, config, {1024, 0, 0}, 1) == Sms{2});         // fewest threads, not fewest groups
  CHECK(place(pool, config, {64, 0, 0}, 4) == Sms{3, 3, 3, 3});  // 4 x 64 level with two of 256
  CHECK(place(pool, config, {64, 0, 0}, 1) == Sms{0});
}

TEST_CASE("SM pool: no more groups are placed than fit, and 3D's only on the graphics SMs", "[engines]") {
  const ShaderArrayConfig config = pool_config(70, 67);
  SmPool pool(config);
  const GroupFootprint group{512, 32, 0};
  const std::uint32_t occupancy = groups_that_fit(group, config);
  const Sms graphics = place(pool, config, group, 1000, true);
  CHECK(graphics.size() == 67 * occupancy);
  CHECK(*std::max_element(graphics.begin(), graphics.end()) == 66);
  for (std::uint32_t sm = 0; sm < 70; ++sm) CHECK(groups_on(pool, sm) == (sm < 67 ? occupancy : 0));
  CHECK(place(pool, config, group, 1, true).empty());
  const Sms others = place(pool, config, group, 1000, false);
  CHECK(others.size() == 3 * occupancy);
  CHECK(*std::min_element(others.begin(), others.end()) == 67);
  CHECK(place(pool, config, group, 1, false).empty());
}

TEST_CASE("SM pool: an SM changes its split only while idle", "[engines]") {
  const ShaderArrayConfig config = pool_config(1, 1);
  const GroupFootprint none{256, 32, 0};
  const GroupFootprint some{1024, 32, 20'000};
  {
    SmPool pool(config);
    CHECK(place(pool, config, none, 1) == Sms{0});
    CHECK(place(pool, config, some, 1).empty());  // wants 64 KiB, the SM has 0
    release(pool, 0);
    CHECK(place(pool, config, some, 1) == Sms{0});
  }
  {
    SmPool pool(config);
    CHECK(place(pool, config, some, 1) == Sms{0});
    CHECK(place(pool, config, none, 1) == Sms{0});  // less than the split joins
    release(pool, 0, 0);                            // `some`
    CHECK(place(pool, config, some, 1) == Sms{0});  // the split stays as long as anyone is there
    release(pool, 0, 1);
    release(pool, 0, 0);
    CHECK(place(pool, config, none, 1) == Sms{0});
    CHECK(place(pool, config, some, 1).empty());
    CHECK(groups_on(pool, 0) == 1);
  }
}

TEST_CASE("SM pool: an SM's split bounds the shared memory of all on it", "[engines]") {
  const ShaderArrayConfig config = pool_config(1, 1);
  SmPool pool(config);
  // Two groups (by registers) of 11 KiB want 32 KiB; one of them leaves 21 KiB.
  CHECK(place(pool, config, {256, 128, 10 * 1024}, 1) == Sms{0});
  // Four groups (by threads) of 8 KiB want 32 KiB too. Threads would let three join, shared memory lets two.
  CHECK(place(pool, config, {512, 16, 7 * 1024}, 9) == Sms{0, 0});
}

TEST_CASE("SM pool: an idle SM takes as many groups as the occupancy of their footprint says", "[engines]") {
  std::mt19937_64 random(2);
  const std::vector<std::vector<std::uint32_t>> splits = {{}, {0}, {0, 8}, {16, 64}, {0, 8, 16, 32, 64, 100, 132, 228}};
  for (int round = 0; round < 5000; ++round) {
    ShaderArrayConfig config = pool_config(1, 1);
    config.shared_splits_kib = splits[random() % splits.size()];
    config.shared_bytes_per_sm = static_cast<std::uint32_t>(random() % 4 == 0 ? 0 : random() % 240'000);
    config.shared_bytes_reserved_per_group = static_cast<std::uint32_t>(random() % 2 * 1024);
    config.groups_per_sm = static_cast<std::uint32_t>(1 + random() % 64);
    config.threads_per_sm = static_cast<std::uint32_t>(1 + random() % 3000);
    const GroupFootprint group{static_cast<std::uint32_t>(1 + random() % 1024),
                               static_cast<std::uint32_t>(random() % 256),
                               static_cast<std::uint32_t>(random() % 2 == 0 ? 0 : random() % 60'000)};
    if (groups_that_fit(group, config) == 0) continue;  // such a grid is refused before it gets here
    SmPool pool(config);
    INFO("shared " << group.shared_bytes << " of " << config.shared_bytes_per_sm << ", splits "
                   << config.shared_splits_kib.size());
    REQUIRE(place(pool, config, group, 1000).size() == groups_that_fit(group, config));
  }
}

TEST_CASE("SM pool: groups for some SMs of a class split it, and both parts keep what was there", "[engines]") {
  const ShaderArrayConfig config = pool_config(8, 3);
  SmPool pool(config);
  CHECK(pool.classes().size() == 1);
  CHECK(place(pool, config, {256, 0, 0}, 8) == Sms{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(pool.classes().size() == 1);
  CHECK(place(pool, config, {128, 0, 0}, 5) == Sms{0, 1, 2, 3, 4});
  CHECK(pool.classes().size() == 2);
  CHECK(place(pool, config, {128, 0, 0}, 9, true).size() == 9);  // on the first three
  CHECK(pool.classes().size() == 3);
  check_classes(pool, config);
  CHECK(pool.classes()[class_of(pool, 0)].sms.list() == Sms{0, 1, 2});
  CHECK(pool.classes()[class_of(pool, 0)].residents.size() == 5);
  CHECK(pool.classes()[class_of(pool, 3)].sms.list() == Sms{3, 4});
  CHECK(pool.classes()[class_of(pool, 3)].residents.size() == 2);
  CHECK(pool.classes()[class_of(pool, 7)].sms.list() == Sms{5, 6, 7});
  CHECK(pool.classes()[class_of(pool, 7)].residents.size() == 1);
}

TEST_CASE("SM pool: idle SMs become one class again, once nothing of the past is left on them", "[engines]") {
  const ShaderArrayConfig config = pool_config(8, 3);
  SmPool pool(config);
  CHECK(place(pool, config, {256, 0, 0}, 5) == Sms{0, 1, 2, 3, 4});
  CHECK(place(pool, config, {256, 0, 0}, 4) == Sms{5, 6, 7, 0});
  const std::size_t parts = pool.classes().size();
  CHECK(parts == 3);  // {0} {1, 2, 3, 4} {5, 6, 7}
  pool.merge_idle(0);
  CHECK(pool.classes().size() == parts);  // none is idle
  release(pool, 3);
  release(pool, 5);
  pool.classes()[class_of(pool, 5)].launcher_free = 10;
  pool.classes()[class_of(pool, 3)].retirement.until = 20;
  for (const std::uint64_t now : {9, 10, 19}) {
    pool.merge_idle(now);
    CHECK(pool.classes().size() == parts);
  }
  pool.merge_idle(20);
  check_classes(pool, config);
  CHECK(pool.classes().size() == parts - 1);
  CHECK(pool.classes()[class_of(pool, 3)].sms.list() == Sms{1, 2, 3, 4, 5, 6, 7});
  release(pool, 0);
  release(pool, 0);
  pool.merge_idle(20);
  CHECK(pool.classes().size() == 1);
  CHECK(place(pool, config, {256, 0, 0}, 9) == Sms{0, 1, 2, 3, 4, 5, 6, 7, 0});
}

TEST_CASE("SM pool: classes that come to the same state become one", "[engines]") {
  const ShaderArrayConfig config = pool_config(8, 3);
  SmPool pool(config);
  CHECK(place(pool, config, {256, 0, 0}, 8).size() == 8);
  CHECK(place(pool, config, {128, 0, 0}, 5) == Sms{0, 1, 2, 3, 4});
  const auto merge = [&](std::uint64_t cycle) {
    for (SmClass& one : pool.classes()) {
      one.left_by_some = true;
      one.look_ahead();
    }
    pool.merge_equal(cycle);
    return pool.classes().size();
  };
  CHECK(merge(100) == 2);
  release(pool, 0, 1);
  SmClass& one = pool.classes()[class_of(pool, 0)];
  one.launcher_free = 101;  // still matters
  CHECK(merge(100) == 2);
  one.launcher_free = 100;
  one.residents[0].fixed_end = 107;
  CHECK(merge(100) == 2);
  one.residents[0].fixed_end = 99;  // over
  one.residents[0].issue.end = 101;
  CHECK(merge(100) == 2);
  one.residents[0].issue.end = 100;
  one.residents[0].issue.slack = 5;
  CHECK(merge(100) == 1);
  check_classes(pool, config);
  CHECK(place(pool, config, {256, 0, 0}, 3) == Sms{0, 1, 2});
}

TEST_CASE("SM pool: SMs that are to stay alone do", "[engines]") {
  const ShaderArrayConfig config = pool_config(8, 3);
  Shortcuts each_alone;
  each_alone.equal_sms = false;
  SmPool pool(config, each_alone);
  CHECK(pool.classes().size() == 8);
  pool.merge_idle(0);
  CHECK(pool.classes().size() == 8);
  CHECK(place(pool, config, {256, 0, 0}, 9) == Sms{0, 1, 2, 3, 4, 5, 6, 7, 0});
  check_classes(pool, config);
}

TEST_CASE("SM pool: random placing and releasing matches looking at every SM for every group", "[engines]") {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    const auto sms = 1 + static_cast<std::uint32_t>(random() % (round % 10 == 0 ? 140 : 6));
    ShaderArrayConfig config = pool_config(sms, 1 + static_cast<std::uint32_t>(random() % sms));
    if (round % 4 == 1) config.shared_splits_kib.clear();
    if (round % 4 == 2) config.groups_per_sm = 5;
    if (round % 4 == 3) config.warp_threads = 64;
    SmPool pool(config);
    PoolReference reference(config);
    for (int step = 0; step < 100; ++step) {
      // One resident leaves all SMs of a class.
      for (std::uint64_t leaving = random() % 3; leaving > 0; --leaving) {
        const std::uint32_t i = class_of(pool, static_cast<std::uint32_t>(random() % sms));
        const SmClass& one = pool.classes()[i];
        if (one.residents.empty()) continue;
        const std::size_t nth = random() % one.residents.size();
        for (const std::uint32_t sm : one.sms.list()) reference.release(one.residents[nth].need, sm);
        release(pool, one.sms.front(), nth);
      }
      if (random() % 4 == 0) {
        pool.merge_idle(0);
        std::size_t idle = 0;
        for (const SmClass& one : pool.classes()) idle += one.groups == 0;
        REQUIRE(idle <= 1);
      }
      const GroupFootprint group{static_cast<std::uint32_t>(1 + random() % 1024),
                                 static_cast<std::uint32_t>(random() % 128),
                                 static_cast<std::uint32_t>(random() % 3 == 0 ? random() % 100'000 : 0)};
      if (groups_that_fit(group, config) == 0) continue;
      const std::uint64_t groups = random() % (3 * sms + 2);
      const bool graphics = random() % 2 == 0;
      const Sms places = place(pool, config, group, groups, graphics);

      Sms expected;
      while (expected.size() < groups) {
        const auto sm = reference.place(occupancy_of(group, config), wanted_split_bytes(group, config),
                                        graphics ? config.graphics_sms : config.sms);
        if (!sm) break;
        expected.push_back(*sm);
      }
      REQUIRE(places == expected);
      check_classes(pool, config);
      for (std::uint32_t sm = 0; sm < sms; ++sm) REQUIRE(groups_on(pool, sm) == reference.groups(sm));
    }
  }
}
