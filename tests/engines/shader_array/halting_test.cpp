// SPDX-License-Identifier: Apache-2.0
// Grids that are stopped before their end and go on later.
#include "engines/shader_array/rules/occupancy.hpp"
#include "engines/shader_array/shortcuts/shortcut_dispatcher.hpp"
#include "tests/engines/shader_array/array_bench.hpp"
#include "tests/engines/shader_array/random_grids.hpp"
#include "tests/engines/stopping/remainders.hpp"
#include "tests/support/units.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// One cycle a nanosecond, nothing but the groups' own cycles.
ShaderArrayConfig plain_array(std::uint32_t sms, std::uint32_t groups_per_sm) {
  ShaderArrayConfig config;
  config.sms = config.graphics_sms = sms;
  config.clock_mhz = 1000;
  config.groups_per_sm = groups_per_sm;
  config.group_overhead_cycles = 0;
  config.group_launch_cycles = config.group_retire_cycles = config.group_refill_cycles = 0;
  config.warp_launch_cycles = 0;
  config.sm_skew_cycles = 0;
  config.memory_group_overhead_ns = 0;
  return config;
}

std::uint64_t saved_groups(const GridRemainder& left) {
  std::uint64_t groups = 0;
  for (const SavedGroups& saved : left.saved) groups += saved.groups;
  return groups;
}

constexpr std::uint64_t ends_before = ~std::uint64_t{0};

/// When a grid of one-microsecond groups that is halted at `at_ps` stops.
std::uint64_t stop_of(const ShaderArrayConfig& config, Grid grid, PreemptionLevel level, std::uint64_t at_ps) {
  ArrayBench bench(config);
  bench.launch(0, grid);
  bench.halt(at_ps, 0, level, 0);
  bench.run();
  CHECK(bench.all_ended_once());
  CHECK(bench.top().array.dispatcher().groups_run() == grid.groups);
  return bench.grid(0).halts == 0 ? ends_before : bench.grid(0).halted_ps.front();
}

}  // namespace

TEST_CASE("halting: at level group the groups that have a place finish, and no other begins", "[engines]") {
  const ShaderArrayConfig config = plain_array(1, 2);
  const Grid grid = grid_of(6, {}, 1000);
  CHECK(stop_of(config, grid, PreemptionLevel::group, 0) == 1000 * ns);  // the groups that begin at this moment have
  CHECK(stop_of(config, grid, PreemptionLevel::group, 1 * ns) == 1000 * ns);
  CHECK(stop_of(config, grid, PreemptionLevel::group, 999 * ns) == 1000 * ns);
  CHECK(stop_of(config, grid, PreemptionLevel::group, 1000 * ns - 1) == 1000 * ns);
  CHECK(stop_of(config, grid, PreemptionLevel::group, 1000 * ns) == 2000 * ns);
  CHECK(stop_of(config, grid, PreemptionLevel::group, 1001 * ns) == 2000 * ns);
  CHECK(stop_of(config, grid, PreemptionLevel::group, 2001 * ns) == ends_before);  // all groups have places
}

TEST_CASE("halting: at level thread groups that have a place and not begun give it up", "[engines]") {
  ShaderArrayConfig config = plain_array(1, 4);
  config.group_launch_cycles = 100;  // they begin at 0, 100, 200 and 300
  const Grid grid = grid_of(4, {}, 1000);
  CHECK(stop_of(config, grid, PreemptionLevel::thread, 150 * ns) == 1100 * ns);
  CHECK(stop_of(config, grid, PreemptionLevel::thread, 99 * ns) == 1000 * ns);
  CHECK(stop_of(config, grid, PreemptionLevel::thread, 300 * ns) == ends_before);
  CHECK(stop_of(config, grid, PreemptionLevel::group, 150 * ns) == ends_before);
}

TEST_CASE("halting: at level shader everything stops at once and goes on at that point", "[engines]") {
  const ShaderArrayConfig config = plain_array(2, 2);
  Grid grid = grid_of(6, {64, 32, 0}, 1000);
  grid.work.shader.alu_instructions = 700;
  ArrayBench undisturbed(config);
  undisturbed.launch(0, grid);
  const std::uint64_t end_ps = undisturbed.run()[0];
  for (const std::uint64_t at_ps : {1 * ns, 500 * ns, 999 * ns, 1000 * ns, 1700 * ns}) {
    ArrayBench bench(config);
    bench.launch(0, grid);
    bench.halt(at_ps, 0, PreemptionLevel::shader, 12'345 * ns);
    INFO("at " << at_ps);
    CHECK(bench.run()[0] == end_ps + 12'345 * ns);
    REQUIRE(bench.grid(0).halts == 1);
    CHECK(bench.grid(0).halted_ps.front() == at_ps);
    const GridRemainder& left = bench.grid(0).remainders.front();
    CHECK(left.threads == 64 * saved_groups(left));
  }
}

TEST_CASE("halting: a triangle that has begun is shaded to its end", "[engines]") {
  const ShaderArrayConfig config = plain_array(1, 1);
  Grid grid = grid_of(10, {}, 1000);
  grid.units = 2;
  grid.graphics = true;
  CHECK(stop_of(config, grid, PreemptionLevel::group, 1500 * ns) == 5000 * ns);
  CHECK(stop_of(config, grid, PreemptionLevel::group, 4999 * ns) == 5000 * ns);
  CHECK(stop_of(config, grid, PreemptionLevel::group, 5000 * ns) == ends_before);  // the last one begins
  CHECK(stop_of(config, grid, PreemptionLevel::group, 5001 * ns) == ends_before);  // the last triangle
  CHECK(stop_of(config, grid, PreemptionLevel::thread, 1500 * ns) == 2000 * ns);
  grid.units = 30;  // three triangles a group
  CHECK(stop_of(config, grid, PreemptionLevel::group, 1500 * ns) == 2000 * ns);
}

TEST_CASE("halting: a finer level stops sooner what a coarser one has not yet stopped", "[engines]") {
  ArrayBench bench(plain_array(1, 2));
  bench.launch(0, grid_of(6, {}, 1000));
  bench.halt(1100 * ns, 0, PreemptionLevel::group, 10 * ns);
  bench.halt(1300 * ns, 0, PreemptionLevel::shader, 10 * ns);
  CHECK(bench.run()[0] == 3010 * ns);
  REQUIRE(bench.grid(0).halts == 1);
  CHECK(bench.grid(0).halted_ps.front() == 1300 * ns);
  const GridRemainder& left = bench.grid(0).remainders.front();
  CHECK(left.groups == 2);
  REQUIRE(left.saved.size() == 1);
  CHECK(left.saved[0].groups == 2);
  CHECK(left.saved[0].cycles == 700);
}

TEST_CASE("halting: the state of a group is its registers and its SM's shared memory", "[engines]") {
  ShaderArrayConfig config = plain_array(4, 8);
  config.shared_splits_kib = {0, 16, 64};
  const GroupFootprint footprint{128, 40, 5000};
  Grid grid = grid_of(6, footprint, 1000);
  ArrayBench bench(config);
  bench.launch(0, grid);
  bench.halt(500 * ns, 0, PreemptionLevel::shader, 10 * ns);
  bench.run();
  REQUIRE(bench.grid(0).halts == 1);
  const GridRemainder& left = bench.grid(0).remainders.front();
  const std::uint64_t registers = occupancy_of(footprint, config).registers;
  const std::uint64_t split = wanted_split_bytes(footprint, config);
  CHECK(split > 0);
  CHECK(left.register_bytes == 6 * registers * 4);
  CHECK(left.shared_bytes == 4 * split);  // all four SMs are in use
  CHECK(left.threads == 6 * 128);
}

TEST_CASE("halting: memory accesses go on with the bytes that are left", "[engines]") {
  MemoryConfig memory;
  memory.vram = {100, 0, ChannelSharing::fair, 0};  // 0.1 bytes a picosecond
  ShaderArrayConfig config = plain_array(2, 4);
  Grid grid = grid_of(7, {}, 100);
  grid.work.vram_bytes = 10'001;
  grid.work.bytes_in_flight_per_thread = 1 << 16;
  ArrayBench undisturbed(config, memory);
  undisturbed.launch(0, grid);
  const std::uint64_t end_ps = undisturbed.run()[0];
  CHECK(end_ps == 701 * ns);  // 70,007 bytes, on the next edge
  ArrayBench bench(config, memory);
  bench.launch(0, grid);
  bench.halt(300 * ns, 0, PreemptionLevel::shader, 1000 * ns);
  CHECK(bench.run()[0] == end_ps + 1000 * ns);
  REQUIRE(bench.grid(0).halts == 1);
  std::uint64_t bytes = 0;
  for (const SavedGroups& saved : bench.grid(0).remainders.front().saved) bytes += saved.groups * saved.bytes;
  CHECK(bytes == 7 * 10'001 - 30'000);
}

TEST_CASE("halting: what is left of the latency behind the last byte is not lost", "[engines]") {
  MemoryConfig memory;
  memory.vram = {100, 50, ChannelSharing::fair, 0};  // 0.1 bytes a picosecond
  ShaderArrayConfig config = plain_array(1, 1);
  config.memory_group_overhead_ns = 30;
  Grid grid = grid_of(1, {}, 10);
  grid.work.vram_bytes = 10'000;
  grid.work.bytes_in_flight_per_thread = 1 << 16;
  for (const std::uint64_t at_ps : {60 * ns, 99 * ns, 100 * ns, 101 * ns, 149 * ns, 150 * ns, 151 * ns, 179 * ns}) {
    ArrayBench bench(config, memory);
    bench.launch(0, grid);
    bench.halt(at_ps, 0, PreemptionLevel::shader, 1000 * ns);
    INFO("at " << at_ps);
    CHECK(bench.run()[0] == (100 + 50 + 30 + 1000) * ns);
    CHECK(bench.grid(0).halted_ps.at(0) == at_ps);
  }
}

TEST_CASE("halting: a group whose accesses are over before it has been launched does not repeat them", "[engines]") {
  ShaderArrayConfig config = plain_array(1, 2);
  config.group_launch_cycles = 1000;
  Grid grid = grid_of(2, {}, 100);
  grid.work.vram_bytes = 1000;
  grid.work.bytes_in_flight_per_thread = 1 << 16;
  for (const auto level : {PreemptionLevel::group, PreemptionLevel::thread, PreemptionLevel::shader}) {
    ArrayBench bench(config);
    bench.launch(0, grid);
    bench.halt(500 * ns, 0, level, 10'000 * ns);  // the second group begins at 1000
    bench.run();
    CHECK(bench.all_ended_once());
    CHECK(bench.top().memory.levels().moved_bytes() == 2 * 1000);
  }
}

TEST_CASE("halting: contended grids lose nothing, shortcuts come to what the rules say, ends come as foretold",
          "[engines]") {
  RandomGrids random(3);
  int halts = 0;
  for (int round = 0; round < 600; ++round) {
    ShaderArrayConfig config = random.config();
    config.memory_group_overhead_ns = static_cast<double>(random.below(300));
    MemoryConfig memory;
    memory.vram = {static_cast<double>(100 + random.below(900)), static_cast<double>(random.below(50)),
                   ChannelSharing::fair, static_cast<double>(random.below(4))};
    memory.l2.hit_bytes = 1 << 12;
    memory.l2.miss_bytes = 1 << 20;
    std::vector<Launch> launches = random.launches();
    std::uint64_t groups = 0;
    for (Launch& launch : launches) {
      if (!random.one_in(3)) launch.grid.work.vram_bytes = random.below(1 << 16);
      if (random.one_in(3)) launch.grid.work.working_set_bytes = 1 + random.below(1 << 20);
      if (random.one_in(4)) launch.grid.units = 1 + random.below(20);
      groups += launch.grid.groups;
    }
    ArrayBench classes(config, memory);
    ShaderArrayConfig plain = config;
    plain.simulate = SimulatedBy::rules;
    ArrayBench single(plain, memory);
    ArrayBench told(config, memory);
    for (const Launch& launch : launches) {
      classes.launch(launch.at_ps, launch.grid);
      single.launch(launch.at_ps, launch.grid);
      Grid grid = launch.grid;
      grid.foretold = grid.graphics && grid.groups > 0;
      told.launch(launch.at_ps, grid);
    }
    for (std::uint64_t count = random.below(30); count > 0; --count) {
      const std::uint64_t at_ps = random.one_in(3) ? random.below(40) * 100'000 : random.below(6'000'000);
      const std::size_t grid = random.below(launches.size());
      const PreemptionLevel level = random.halting_level();
      const std::uint64_t pause_ps = random.below(3) * random.below(1'000'000);
      classes.halt(at_ps, grid, level, pause_ps);
      single.halt(at_ps, grid, level, pause_ps);
      told.halt(at_ps, grid, level, pause_ps);
    }
    INFO("round " << round);
    REQUIRE(classes.run() == single.run());
    REQUIRE(told.run() == classes.run());
    REQUIRE(told.all_ended_once());
    REQUIRE(classes.all_ended_once());
    REQUIRE(single.all_ended_once());
    REQUIRE(classes.top().array.dispatcher().groups_run() == groups);
    REQUIRE(single.top().array.dispatcher().groups_run() == groups);
    for (std::size_t i = 0; i < launches.size(); ++i) {
      REQUIRE(classes.grid(i).halted_ps == single.grid(i).halted_ps);
      REQUIRE(same(classes.grid(i).remainders, single.grid(i).remainders));
      REQUIRE(told.grid(i).halted_ps == classes.grid(i).halted_ps);
      halts += classes.grid(i).halts;
    }
  }
  CHECK(halts > 1000);
}
