// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array/shader_array.hpp"

#include "engines/shader_array/shortcuts/shortcut_dispatcher.hpp"
#include "sim/assert.hpp"
#include "sim/kernel/now.hpp"
#include "tests/engines/shader_array/array_bench.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

using Ends = std::vector<std::uint64_t>;

ShaderArrayConfig array_of(std::uint32_t sms, double clock_mhz = 1000) {  // 1000 ps a cycle
  ShaderArrayConfig config;
  config.sms = sms;
  config.graphics_sms = sms;
  config.clock_mhz = clock_mhz;
  return config;
}

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

}  // namespace

TEST_CASE("shader array: a grid alone takes ceil(groups / (SMs x occupancy)) waves", "[engines]") {
  for (const std::uint32_t sms : {1u, 3u, 7u}) {
    for (const GroupFootprint& footprint : {GroupFootprint{256, 32, 0}, GroupFootprint{1024, 64, 0},
                                            GroupFootprint{64, 16, 9000}, GroupFootprint{1000, 33, 100}}) {
      for (const std::uint64_t groups : {1ull, 7ull, 8ull, 48ull, 57ull, 500ull, 10'007ull}) {
        ShaderArrayConfig config = array_of(sms, 1755);
        config.group_overhead_cycles = 54;
        ArrayBench bench(config);
        bench.launch(0, grid_of(groups, footprint, 1000));
        const std::uint64_t waves = ceil_div(groups, sms * groups_that_fit(footprint, config));
        CHECK(bench.run() == Ends{ClockDomain(1'755'000).time_of(waves * (1000 + 54))});
        CHECK(bench.all_ended_once());
        CHECK(bench.top().array.dispatcher().groups_run() == groups);
      }
    }
  }
}

TEST_CASE("shader array: an empty grid is done at once, behind the earlier ones of its distributor", "[engines]") {
  ArrayBench bench(array_of(1));
  bench.launch(5000, grid_of(0, {}, 1000));
  CHECK(bench.run() == Ends{5000});
  ArrayBench busy(array_of(1));
  busy.launch(0, grid_of(3, {1024, 32, 0}, 1000));  // two waves: the last group has a place at 1 us
  busy.launch(10, grid_of(0, {}, 1000));
  CHECK(busy.run() == Ends{2'000'000, 1'000'000});
  CHECK(busy.all_ended_once());
}

TEST_CASE("shader array: a group that fits no SM is refused", "[engines]") {
  ArrayBench bench(array_of(1));
  bench.launch(0, grid_of(1, {1024, 255, 0}, 1));
  CHECK_THROWS_AS(bench.kernel.run_to_end(), InternalError);
}

TEST_CASE("shader array: no group of a later grid starts before the last of an earlier one has a place", "[engines]") {
  // One SM, two groups of 1024 threads at a time. The first grid leaves one place empty in its second wave; the third
  // could have used the small gap beside the second, but its turn has not come.
  ArrayBench bench(array_of(1));
  bench.launch(0, grid_of(1, {512, 32, 0}, 3000));
  bench.launch(0, grid_of(2, {1024, 32, 0}, 1000));
  bench.launch(0, grid_of(1, {512, 32, 0}, 1000));
  // 0: 512 + 1024 threads, 512 free. 1 us: the second 1024, now the third's turn: 512 of the free ones.
  CHECK(bench.run() == Ends{3'000'000, 2'000'000, 2'000'000});
}

TEST_CASE("shader array: a higher priority is placed first whenever a place falls free", "[engines]") {
  Grid low = grid_of(8, {1024, 32, 0}, 1000);  // four waves alone
  Grid high = grid_of(2, {1024, 32, 0}, 1000);
  high.priority = 1;
  ArrayBench bench(array_of(1));
  bench.launch(0, low);
  bench.launch(1'500'000, high);  // waits for the group boundary at 2 us
  CHECK(bench.run() == Ends{5'000'000, 3'000'000});
}

TEST_CASE("shader array: grids that arrive at one moment are placed in the order of their packets", "[engines]") {
  ArrayBench bench(array_of(1));
  Grid grid = grid_of(2, {1024, 32, 0}, 1000);
  for (const std::uint64_t order : {30, 10, 20}) {
    grid.order = order;
    bench.launch(0, grid, true);
  }
  CHECK(bench.run() == Ends{3'000'000, 1'000'000, 2'000'000});
}

TEST_CASE("shader array: what happens between two edges of the SM clock takes effect at the next", "[engines]") {
  const double mhz = 1755;
  const ClockDomain clock = ClockDomain::of_mhz(mhz);
  for (const std::uint64_t launched_ps : {std::uint64_t{0}, std::uint64_t{1}, clock.time_of(7), clock.time_of(7) + 1,
                                          clock.time_of(1001) - 1, clock.time_of(1001)}) {
    const std::uint64_t edge = clock.first_edge_from(launched_ps);
    {
      ArrayBench bench(array_of(1, mhz));
      bench.launch(launched_ps, grid_of(1, {256, 32, 0}, 1000));
      bench.launch(launched_ps, grid_of(0, {256, 32, 0}, 1000));
      CHECK(bench.run() == Ends{clock.time_of(edge + 1000), clock.time_of(edge)});
    }
    ShaderArrayConfig config = array_of(1, mhz);
    config.memory_group_overhead_ns = 0.1;
    MemoryConfig memory;
    memory.vram = {1000, 0, ChannelSharing::fair, 0};
    Grid grid = grid_of(1, {256, 32, 0}, 10);
    grid.work.vram_bytes = 256 * 16;  // one round trip of 500 ns
    ArrayBench bench(config, memory);
    bench.launch(launched_ps, grid);
    CHECK(bench.run() == Ends{clock.time_of(clock.first_edge_from(clock.time_of(edge) + 500'000 + 100))});
  }
}

TEST_CASE("shader array: grids of one edge are placed in the order of their packets", "[engines]") {
  ArrayBench bench(array_of(1));
  Grid grid = grid_of(2, {1024, 32, 0}, 1000);
  for (const std::uint64_t order : {3, 1, 2}) {
    grid.order = order;
    bench.launch(1000 - 100 * order, grid, true);  // 700, 900 and 800 ps: all at 1000
  }
  CHECK(bench.run() == Ends{3'001'000, 1'001'000, 2'001'000});
}

TEST_CASE("shader array: graphics grids stay on the graphics SMs, and neither distributor blocks the other",
          "[engines]") {
  ShaderArrayConfig config = array_of(4);
  config.graphics_sms = 1;
  Grid pixels = grid_of(6, {1024, 32, 0}, 1000);
  pixels.graphics = true;
  {
    ArrayBench bench(config);
    bench.launch(0, pixels);
    CHECK(bench.run() == Ends{3'000'000});  // two at a time on one SM
  }
  ArrayBench bench(config);
  bench.launch(0, pixels);
  bench.launch(0, grid_of(6, {1024, 32, 0}, 1000));  // the other three SMs, although pixels wait
  CHECK(bench.run() == Ends{3'000'000, 1'000'000});
}

TEST_CASE("shader array: dispatches of 3D queues get places before those of compute queues, where the machine says so",
          "[engines]") {
  ShaderArrayConfig config = array_of(1);
  Grid compute = grid_of(6, {1024, 32, 0}, 1000);  // three waves of two
  Grid graphics = grid_of(3, {1024, 32, 0}, 1000);
  graphics.of_graphics_queue = true;
  const auto ends = [&](bool first) {
    config.graphics_queue_first = first;
    ArrayBench bench(config);
    bench.launch(0, compute);
    bench.launch(500'000, graphics);  // comes while the first wave runs
    return bench.run();
  };
  CHECK(ends(false) == Ends{3'000'000, 5'000'000});
  // Two of its groups at 1 us, the third beside one of compute's at 2 us; compute's last two end at 5 us.
  CHECK(ends(true) == Ends{5'000'000, 3'000'000});
  graphics.groups = 2;
  CHECK(ends(true) == Ends{4'000'000, 2'000'000});
  compute.priority = 1;  // the rank decides first
  CHECK(ends(true) == Ends{3'000'000, 4'000'000});
  compute.priority = graphics.priority = -1;
  CHECK(ends(true) == Ends{4'000'000, 2'000'000});

  compute.priority = graphics.priority = 0;
  config.graphics_queue_first = true;
  ArrayBench bench(config);
  bench.launch(0, compute);
  bench.launch(100'000, compute);
  bench.launch(1'500'000, graphics);  // before what is left of the first, 2 to 3 us; the second waits for the first
  bench.launch(1'600'000, graphics);  // 3 to 4 us
  CHECK(bench.run() == Ends{5'000'000, 8'000'000, 3'000'000, 4'000'000});
}

TEST_CASE("shader array: a grid that wants more shared memory waits until an SM is idle", "[engines]") {
  ArrayBench bench(array_of(1));
  bench.launch(0, grid_of(1, {128, 32, 0}, 5000));
  bench.launch(0, grid_of(1, {256, 32, 20'000}, 1000));
  CHECK(bench.run() == Ends{5'000'000, 6'000'000});
  ArrayBench other_way(array_of(1));
  other_way.launch(0, grid_of(1, {256, 32, 20'000}, 1000));
  other_way.launch(0, grid_of(1, {128, 32, 0}, 5000));  // less than the split joins
  CHECK(other_way.run() == Ends{1'000'000, 5'000'000});
}

TEST_CASE("shader array: an SM that falls idle takes the split of the grid that refills it", "[engines]") {
  ArrayBench bench(array_of(1));
  bench.launch(0, grid_of(1, {64, 32, 20'000}, 100));  // sets a split and leaves
  bench.launch(0, grid_of(4, {960, 32, 0}, 1000));     // joins it. At 1 us the SM is idle: its second wave sets 0
  bench.launch(0, grid_of(1, {64, 32, 20'000}, 100));  // so that this one waits for an idle SM again
  CHECK(bench.run() == Ends{100'000, 2'000'000, 2'100'000});
}

TEST_CASE("shader array: few memory groups are bound by latency", "[engines]") {
  ShaderArrayConfig config = array_of(4);
  config.load_latency_ns = 500;
  config.memory_group_overhead_ns = 300;
  MemoryConfig memory;
  memory.vram = {1000, 0, ChannelSharing::fair, 0};
  const std::uint64_t groups = 3;
  Grid grid = grid_of(groups, {256, 32, 0}, 10);
  grid.work.vram_bytes = 1 << 20;
  grid.work.bytes_in_flight_per_thread = 16;
  ArrayBench bench(config, memory);
  bench.launch(0, grid);
  // Each thread has 16 bytes under way in every 500 ns: 2^20 / (256 * 16) round trips.
  const std::uint64_t round_trips = (1 << 20) / (256 * 16);
  CHECK(bench.run() == Ends{round_trips * 500'000 + 300'000});
}

TEST_CASE("shader array: many memory groups are bound by the bandwidth", "[engines]") {
  ShaderArrayConfig config = array_of(8);
  MemoryConfig memory;
  memory.vram = {500, 0, ChannelSharing::fair, 0};
  const std::uint64_t groups = 8 * 8 * 3;
  Grid grid = grid_of(groups, {256, 32, 0}, 10);
  grid.work.vram_bytes = 1 << 16;
  grid.work.bytes_in_flight_per_thread = 64;  // 8 * 8 * 256 * 64 / 500 ns = 2097 GB/s wanted
  ArrayBench bench(config, memory);
  bench.launch(0, grid);
  const std::uint64_t wave_ps = ceil_div(8 * 8 * (std::uint64_t{1} << 16) * 1000, 500);  // bytes at 500 GB/s
  // Waves begin when the one before has ended, at the next edge.
  CHECK(bench.run() == Ends{3 * ceil_div(wave_ps, 1000) * 1000});
}

TEST_CASE("shader array: memory under load stretches as the channel's contention says", "[engines]") {
  const ShaderArrayConfig config = array_of(8, 1e6);  // an edge each picosecond
  MemoryConfig memory;
  memory.vram = {1000, 0, ChannelSharing::fair, 2};
  Grid grid = grid_of(64, {256, 32, 0}, 10);
  grid.work.vram_bytes = 1 << 20;
  grid.work.bytes_in_flight_per_thread = 32;
  ArrayBench bench(config, memory);
  bench.launch(0, grid);
  const double in_flight = 64 * 256 * 32;
  const double load = in_flight / 500e-9 / 1e12;
  const double expected_ps = (1 << 20) / (256. * 32) * 500'000 * std::sqrt(1 + load * load);
  // The rate is a whole number of bytes/s (of about 7e11), the end a whole picosecond (of 9e7).
  CHECK(static_cast<double>(bench.run()[0]) == Approx(expected_ps).epsilon(1e-11).margin(1));
}

TEST_CASE("shader array: the slower of cycles and memory decides", "[engines]") {
  ShaderArrayConfig config = array_of(1);
  MemoryConfig memory;
  memory.vram = {1000, 0, ChannelSharing::fair, 0};
  Grid grid = grid_of(1, {256, 32, 0}, 1'000'000);
  grid.work.vram_bytes = 4096;  // one round trip
  ArrayBench bench(config, memory);
  bench.launch(0, grid);
  CHECK(bench.run() == Ends{1'000'000'000});
}

TEST_CASE("shader array: an SM launches the groups it is given one after another", "[engines]") {
  ShaderArrayConfig config = array_of(2);
  config.group_launch_cycles = 16;
  ArrayBench bench(config);
  bench.launch(0, grid_of(6, {64, 32, 0}, 1000));     // at 0, 16 and 32 ns on either SM
  bench.launch(0, grid_of(1, {64, 32, 0}, 1000));     // the fourth of the first SM
  bench.launch(10, grid_of(1, {64, 32, 0}, 1000));    // of the second
  bench.launch(500'000, grid_of(1, {64, 32, 0}, 1));  // the launcher is free again
  CHECK(bench.run() == Ends{1'032'000, 1'048'000, 1'048'000, 501'000});
}

TEST_CASE("shader array: groups retire one after another, and the last retirement completes the grid", "[engines]") {
  ShaderArrayConfig config = array_of(2);
  config.group_retire_cycles = 65;
  ArrayBench bench(config);
  bench.launch(0, grid_of(5, {64, 32, 0}, 1000));  // three on the first SM, two on the second
  bench.launch(0, grid_of(1, {64, 32, 0}, 1130));  // retires while it ends: one more on the second SM
  bench.launch(0, grid_of(1, {64, 32, 0}, 2000));
  CHECK(bench.run() == Ends{1'195'000, 1'195'000, 2'065'000});
  CHECK(bench.all_ended_once());
}

TEST_CASE("shader array: a place is free again some time after its group has retired", "[engines]") {
  ShaderArrayConfig config = array_of(1);
  config.group_launch_cycles = 10;
  config.group_retire_cycles = 65;
  config.group_refill_cycles = 155;
  ArrayBench bench(config);
  // Starts at 0 and 10 ns, ends at 1000 and 1010, retirement at 1065 and 1130, the first place is free at 1220.
  bench.launch(0, grid_of(3, {1024, 32, 0}, 1000));
  // The second place is free at 1285, long after the launcher.
  bench.launch(0, grid_of(1, {1024, 32, 0}, 1000));
  CHECK(bench.run() == Ends{2'285'000, 2'350'000});
  CHECK(bench.all_ended_once());
}

TEST_CASE("shader array: of groups that need the same unit the oldest goes first", "[engines]") {
  ShaderArrayConfig config = array_of(1);
  config.alu_lanes = 128;
  config.alu_latency_cycles = 4;
  // 512 threads keep the ALU busy all the time, so alone 1000 instructions take 4000 cycles.
  Grid longer = grid_of(1, {512, 32, 0}, 0);
  longer.work.shader.alu_instructions = 1000;
  Grid shorter = longer;
  shorter.work.shader.alu_instructions = 500;
  {
    ArrayBench alone(config);
    alone.launch(0, longer);
    CHECK(alone.run() == Ends{4'000'000});
  }
  ArrayBench bench(config);
  bench.launch(0, longer);
  bench.launch(0, shorter);
  CHECK(bench.run() == Ends{4'000'000, 6'000'000});
  ArrayBench late(config);
  late.launch(0, longer);
  late.launch(3'000'000, shorter);
  CHECK(late.run() == Ends{4'000'000, 6'000'000});
}

TEST_CASE("shader array: groups that need different units do not slow each other", "[engines]") {
  ShaderArrayConfig config = array_of(1);
  config.alu_lanes = 128;
  config.alu_latency_cycles = 4;
  config.sfu_lanes = 16;
  config.sfu_latency_cycles = 32;
  Grid alu = grid_of(1, {512, 32, 0}, 0);
  alu.work.shader.alu_instructions = 1000;
  Grid sfu = grid_of(1, {512, 32, 0}, 0);
  sfu.work.shader.sfu_instructions = 125;
  ArrayBench bench(config);
  bench.launch(0, alu);
  bench.launch(0, sfu);
  bench.launch(0, grid_of(1, {512, 32, 0}, 3000));  // a fixed time shares nothing
  CHECK(bench.run() == Ends{4'000'000, 4'000'000, 3'000'000});
}

TEST_CASE("shader array: the slowest of fixed time, instructions and memory decides", "[engines]") {
  ShaderArrayConfig config = array_of(1);
  config.alu_latency_cycles = 4;
  config.group_overhead_cycles = 7;
  MemoryConfig memory;
  memory.vram = {1000, 0, ChannelSharing::fair, 0};
  for (const std::uint64_t cycles : {100, 5000}) {
    for (const double instructions : {10., 750.}) {
      for (const std::uint64_t round_trips : {0, 1, 8}) {
        Grid grid = grid_of(1, {64, 32, 0}, cycles);
        grid.work.shader.alu_instructions = instructions;
        grid.work.bytes_in_flight_per_thread = 16;
        grid.work.vram_bytes = round_trips * 64 * 16;  // each takes 500 ns
        ArrayBench bench(config, memory);
        bench.launch(0, grid);
        const std::uint64_t shader_cycles = static_cast<std::uint64_t>(instructions) * 4;
        CHECK(bench.run() == Ends{(std::max({cycles, shader_cycles, round_trips * 500}) + 7) * 1000});
      }
    }
  }
}

TEST_CASE("shader array: groups that are placed together stream together", "[engines]") {
  ShaderArrayConfig config = array_of(1);
  config.group_launch_cycles = 100;
  MemoryConfig memory;
  memory.vram = {1000, 0, ChannelSharing::fair, 0};
  Grid grid = grid_of(3, {256, 32, 0}, 1);
  grid.work.vram_bytes = 256 * 16 * 4;  // four round trips of 500 ns
  ArrayBench bench(config, memory);
  bench.launch(0, grid);
  CHECK(bench.run() == Ends{2'000'000});  // one transfer, however the launcher staggers their starts
}

TEST_CASE("shader array: the next grid may be launched from the end of the one before", "[engines]") {
  ArrayBench bench(array_of(2));
  bench.enter([](ArrayTop& top) {
    Grid grid = grid_of(3, {256, 32, 0}, 100);
    top.ends_ps = {0};
    // A chain of ten: each callback launches the next.
    struct Step {
      static void launch(ArrayTop& t, Grid g, int left) {
        g.done = t.script.callback([&t, g, left] {
          t.ends_ps[0] = now_ps();
          if (left > 1) launch(t, g, left - 1);
        });
        t.array.launch(g);
      }
    };
    Step::launch(top, grid, 10);
  });
  CHECK(bench.run() == Ends{10 * 100'000});
}
