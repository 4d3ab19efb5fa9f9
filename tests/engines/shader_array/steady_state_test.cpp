// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array/shortcuts/steady_state.hpp"

#include "engines/shader_array/rules/sm_room.hpp"
#include "engines/shader_array/shortcuts/shortcut_dispatcher.hpp"
#include "tests/engines/shader_array/array_reference.hpp"
#include "tests/engines/shader_array/random_grids.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// One class whose only group ends `ahead` cycles after `cycle`.
std::vector<SmClass> ends_in(std::uint64_t ahead, std::uint64_t cycle) {
  SmClass sms;
  sms.sms = {0, 2};
  ResidentGroup group;
  group.due = group.fixed_end = sms.next = cycle + ahead;
  sms.residents = {group};
  return {sms};
}

/// Runs grids on a dispatcher; times are SM cycles.
struct Run {
  std::vector<std::uint64_t> ends;
  std::uint64_t steps = 0;
};

Run run(const ShaderArrayConfig& config, const std::vector<Launch>& launches) {
  const ClockDomain clock = ClockDomain::of_mhz(config.clock_mhz);
  std::vector<std::pair<std::uint64_t, const Grid*>> arrivals;
  arrivals.reserve(launches.size());
  for (const Launch& launch : launches) arrivals.emplace_back(clock.first_edge_from(launch.at_ps), &launch.grid);
  std::stable_sort(arrivals.begin(), arrivals.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  ShortcutDispatcher dispatcher(config);
  Run result;
  result.ends.resize(launches.size());
  std::size_t arrived = 0;
  for (;;) {
    const std::uint64_t arrival = arrived < arrivals.size() ? arrivals[arrived].first : never;
    const std::uint64_t cycle = std::min(arrival, dispatcher.next());
    if (cycle == never) break;
    for (; arrived < arrivals.size() && arrivals[arrived].first == cycle; ++arrived) {
      dispatcher.launch(*arrivals[arrived].second, nullptr);
    }
    dispatcher.step(cycle, false);
    ++result.steps;
    for (const Grid& grid : dispatcher.events().finished) result.ends[grid.order] = clock.time_of(cycle);
  }
  return result;
}

/// An H200 with the launch, retirement and refill that were measured.
ShaderArrayConfig h200() {
  ShaderArrayConfig config;
  config.graphics_sms = 4;
  config.group_overhead_cycles = 107;
  config.group_launch_cycles = 32;
  config.group_retire_cycles = 129;
  config.group_refill_cycles = 307;
  return config;
}

}  // namespace

TEST_CASE("steady state: the same again is a period, whenever it is", "[engines]") {
  SteadyState steady(0);
  CHECK(!steady.observe(ends_in(7, 1000), {}, 1000, 10));
  const auto period = steady.observe(ends_in(7, 1500), {}, 1500, 14);
  REQUIRE(period);
  CHECK(period->cycles == 500);
  CHECK(period->groups == 4);
}

TEST_CASE("steady state: the same without progress is no period", "[engines]") {
  SteadyState steady(0);
  CHECK(!steady.observe(ends_in(7, 1000), {}, 1000, 10));
  CHECK(!steady.observe(ends_in(7, 1000), {}, 1000, 10));
  CHECK(!steady.observe(ends_in(7, 1200), {}, 1200, 10));
}

TEST_CASE("steady state: nothing is compared across a disturbance", "[engines]") {
  SteadyState steady(0);
  CHECK(!steady.observe(ends_in(7, 1000), {}, 1000, 10));
  steady.forget();
  CHECK(!steady.observe(ends_in(7, 1500), {}, 1500, 14));
  CHECK(steady.observe(ends_in(7, 1700), {}, 1700, 15));
}

TEST_CASE("steady state: every difference that has consequences counts", "[engines]") {
  const auto kept = ends_in(7, 1000);
  const auto changed = [&](auto&& change) {
    SteadyState steady(0);
    CHECK(!steady.observe(kept, {}, 1000, 10));
    auto later = ends_in(7, 1500);
    change(later);
    return !steady.observe(later, {}, 1500, 14);
  };
  CHECK(!changed([](auto&) {}));
  CHECK(changed([](auto& classes) { classes[0].residents[0].due += 1; }));
  CHECK(changed([](auto& classes) { classes[0].residents[0].leaving = true; }));
  CHECK(changed([](auto& classes) { classes[0].residents[0].grid = 1; }));
  CHECK(changed([](auto& classes) { classes[0].residents[0].memory_done = false; }));
  CHECK(changed([](auto& classes) { classes[0].residents[0].start = 1501; }));
  CHECK(changed([](auto& classes) { classes[0].residents[0].fixed_end += 1; }));
  CHECK(changed([](auto& classes) { classes[0].residents[0].issue.end = 1501; }));
  CHECK(changed([](auto& classes) { classes[0].residents.push_back(classes[0].residents[0]); }));
  CHECK(changed([](auto& classes) { classes[0].sms = {0, 1}; }));
  CHECK(changed([](auto& classes) { classes[0].next += 1; }));
  CHECK(changed([](auto& classes) { classes[0].launcher_free = 1501; }));
  CHECK(changed([](auto& classes) { classes[0].retirement.until = 1501; }));
  CHECK(changed([](auto& classes) { classes[0].split_bytes = 1; }));
  CHECK(changed([](auto& classes) { classes.push_back(classes[0]); }));
  // What is over has none.
  CHECK(!changed([](auto& classes) { classes[0].launcher_free = 1500; }));
  CHECK(!changed([](auto& classes) { classes[0].retirement.until = 3; }));
  CHECK(!changed([](auto& classes) { classes[0].residents[0].start = 1500; }));
  CHECK(!changed([](auto& classes) { classes[0].residents[0].issue = {1500, 7}; }));
}

TEST_CASE("steady state: what the last cycle of instructions could have held counts until it is over", "[engines]") {
  auto kept = ends_in(7, 1000);
  kept[0].residents[0].issue = {1000, 1007, 5};
  auto later = ends_in(7, 1500);
  SteadyState steady(0);
  CHECK(!steady.observe(kept, {}, 1000, 10));
  later[0].residents[0].issue = {1500, 1507, 6};
  CHECK(!steady.observe(later, {}, 1500, 14));
  steady.forget();
  CHECK(!steady.observe(kept, {}, 1000, 10));
  later[0].residents[0].issue = {1500, 1507, 5};
  CHECK(steady.observe(later, {}, 1500, 14));
}

TEST_CASE("steady state: a period is found after a long start, too", "[engines]") {
  for (const std::uint64_t start : {0, 1, 2, 3, 30, 1000}) {
    for (const std::uint64_t period : {1, 2, 3, 17, 64, 100}) {
      SteadyState steady(0);
      std::uint64_t found = 0;
      for (std::uint64_t step = 0; found == 0; ++step) {
        REQUIRE(step < 4 * (start + period) + 4);
        const std::uint64_t state = step < start ? step : start + (step - start) % period;
        const auto result = steady.observe(ends_in(state, 10 * step), {}, 10 * step, step);
        if (!result) continue;
        found = result->groups;
        REQUIRE(result->cycles == 10 * period);
      }
      REQUIRE(found == period);
    }
  }
}

TEST_CASE("skipped periods: only those that are over before a cycle count", "[engines]") {
  const SkippedPeriods skip{1000, {100, 7}, 5};
  CHECK(skip.cycles() == 500);
  for (const auto& [cycle, count] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{
           {1000, 0}, {1001, 0}, {1100, 0}, {1101, 1}, {1200, 1}, {1201, 2}, {1500, 4}, {1501, 5}, {9999, 5}}) {
    CHECK(skip.before(cycle).count == count);
  }
  const SkippedPeriods at_once{1000, {0, 7}, 5};
  CHECK(at_once.before(1000).count == 0);
  CHECK(at_once.before(1001).count == 5);
}

TEST_CASE("dispatcher: a large grid alone ends exactly when a model of every single group says", "[engines]") {
  RandomGrids random(11);
  std::uint64_t groups = 0;
  std::uint64_t steps = 0;
  for (int round = 0; round < 300; ++round) {
    const ShaderArrayConfig config = random.config();
    Grid grid = grid_of(1000 + random.below(3000), random.footprint(), random.below(3000));
    if (random.one_in(2)) grid.work.shader = random.shader();
    grid.graphics = random.one_in(4);
    const std::vector<Launch> launches = {{random.below(5'000'000), grid}};
    const Run result = run(config, launches);
    INFO("round " << round);
    REQUIRE(result.ends == ArrayReference(config).run(launches));
    groups += grid.groups;
    steps += result.steps;
  }
  CHECK(steps < groups / 4);
}

TEST_CASE("dispatcher: a large grid that others interrupt ends exactly when a model of every single group says",
          "[engines]") {
  RandomGrids random(12);
  std::uint64_t groups = 0;
  std::uint64_t steps = 0;
  for (int round = 0; round < 500; ++round) {
    const ShaderArrayConfig config = random.config();
    std::vector<Launch> launches;
    for (std::uint64_t large = 1 + random.below(2); large > 0; --large) {
      Grid grid = grid_of(1000 + random.below(2000), random.footprint(), 100 + random.below(1000));
      if (random.one_in(2)) grid.work.shader = random.shader();
      grid.graphics = random.one_in(4);
      launches.push_back({0, grid});
    }
    // The others come while it runs. Small times between them leave it no time to settle.
    const std::vector<std::uint64_t> alone = ArrayReference(config).run(launches);
    const std::uint64_t end = 1 + *std::max_element(alone.begin(), alone.end());
    for (Launch launch : random.launches()) {
      launch.at_ps = random.below(end);
      launch.grid.order = launches.size();
      launches.push_back(launch);
    }
    for (std::size_t i = 0; i < launches.size(); ++i) launches[i].grid.order = i;
    const Run result = run(config, launches);
    INFO("round " << round);
    const auto expected = ArrayReference(config).run(launches);
    REQUIRE(result.ends == expected);
    ArrayBench bench(config);
    for (const Launch& launch : launches) bench.launch(launch.at_ps, launch.grid);
    REQUIRE(bench.run() == expected);
    for (const Launch& launch : launches) groups += launch.grid.groups;
    steps += result.steps;
  }
  CHECK(steps < groups / 2);
}

TEST_CASE("dispatcher: ten million groups of a lone grid take a few hundred steps", "[engines]") {
  for (const std::uint32_t threads : {64u, 256u, 1024u}) {
    for (const double instructions : {0., 100.}) {
      Grid grid = grid_of(10'000'000, {threads, 32, 0}, 2000);
      grid.work.shader.alu_instructions = instructions;
      INFO(threads << " threads, " << instructions << " instructions");
      CHECK(run(h200(), {{0, grid}}).steps < 500);
    }
  }
}

TEST_CASE("dispatcher: groups that take no time cost none either, however many they are", "[engines]") {
  ShaderArrayConfig config;  // starting and ending a group take nothing
  for (const std::uint64_t groups : {std::uint64_t{10'000'000}, std::uint64_t{2'147'483'647}, std::uint64_t{1} << 50}) {
    for (const std::uint32_t sms : {1u, 4u, 132u}) {
      config.sms = config.graphics_sms = sms;
      INFO(groups << " groups, " << sms << " SMs");
      const Run alone = run(config, {{0, grid_of(groups, {256, 32, 0}, 0)}});
      CHECK(alone.ends == std::vector<std::uint64_t>{0});
      CHECK(alone.steps < 500);
    }
  }
}

TEST_CASE("dispatcher: groups that take no time end when a model of every single group says, whoever comes too",
          "[engines]") {
  RandomGrids random(13);
  for (int round = 0; round < 200; ++round) {
    ShaderArrayConfig config = random.config();
    config.group_overhead_cycles = config.group_launch_cycles = 0;
    config.group_retire_cycles = config.group_refill_cycles = 0;
    config.warp_launch_cycles = config.sm_skew_cycles = config.grid_change_cycles = 0;
    std::vector<Launch> launches;
    for (std::uint64_t count = 1 + random.below(4); count > 0; --count) {
      Grid grid = grid_of(1 + random.below(3000), random.footprint(), random.one_in(3) ? random.below(100) : 0);
      grid.priority = static_cast<int>(random.below(3));
      grid.graphics = random.one_in(4);
      grid.order = launches.size();
      launches.push_back({random.one_in(2) ? 0 : random.below(20'000), grid});
    }
    INFO("round " << round);
    const auto expected = ArrayReference(config).run(launches);
    REQUIRE(run(config, launches).ends == expected);
    ArrayBench bench(config);
    for (const Launch& launch : launches) bench.launch(launch.at_ps, launch.grid);
    REQUIRE(bench.run() == expected);
  }
}

// Groups that slow each other: one group's delay passes on to the next one in its place, nothing makes them even out,
// and rounding to edges moves them about. It takes two steps for each group of an SM.
TEST_CASE("dispatcher: a lone grid that keeps a unit busy takes steps for the groups of one SM", "[engines]") {
  Grid grid = grid_of(1'000'000, {64, 32, 0}, 2000);
  grid.work.shader.alu_instructions = 500;
  CHECK(run(h200(), {{0, grid}}).steps < 2 * 1'000'000 / 132 + 500);
}
