// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array/shader_array.hpp"
#include "engines/shader_array/shortcuts/shortcut_dispatcher.hpp"
#include "sim/log.hpp"
#include "tests/engines/shader_array/array_bench.hpp"
#include "tests/engines/shader_array/array_reference.hpp"
#include "tests/engines/shader_array/random_grids.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

std::uint64_t groups_of(const std::vector<Launch>& launches) {
  std::uint64_t groups = 0;
  for (const Launch& launch : launches) groups += launch.grid.groups;
  return groups;
}

}  // namespace

TEST_CASE("shader array: contended grids end exactly when a model of every single group says", "[engines]") {
  RandomGrids random(1);
  for (int round = 0; round < 1000; ++round) {
    const ShaderArrayConfig config = random.config();
    const std::vector<Launch> launches = random.launches();
    ArrayBench bench(config);
    for (const Launch& launch : launches) bench.launch(launch.at_ps, launch.grid);
    INFO("round " << round);
    REQUIRE(bench.run() == ArrayReference(config).run(launches));
    REQUIRE(bench.all_ended_once());
    REQUIRE(bench.top().array.dispatcher().groups_run() == groups_of(launches));
  }
}

TEST_CASE("shader array: grids whose ranks change end exactly when a model of every single group says", "[engines]") {
  RandomGrids random(11);
  for (int round = 0; round < 1000; ++round) {
    const ShaderArrayConfig config = random.config();
    const std::vector<Launch> launches = random.launches();
    ArrayBench bench(config);
    for (const Launch& launch : launches) bench.launch(launch.at_ps, launch.grid);
    std::vector<RankChange> changes;
    for (std::uint64_t left = 1 + random.below(6); left > 0; --left) {
      const std::uint64_t at_ps = random.one_in(3) ? random.below(20) * 100'000 : random.below(4'000'000);
      changes.push_back({at_ps, random.below(launches.size()), static_cast<int>(random.below(5)) - 2});
    }
    std::stable_sort(changes.begin(), changes.end(),
                     [](const RankChange& a, const RankChange& b) { return a.at_ps < b.at_ps; });
    for (const RankChange& change : changes) bench.rerank(change.at_ps, change.grid, change.priority);
    INFO("round " << round);
    REQUIRE(bench.run() == ArrayReference(config).run(launches, changes));
    REQUIRE(bench.all_ended_once());
  }
}

TEST_CASE("shader array: the rules alone end grids when a model of every single group says", "[engines]") {
  RandomGrids random(21);
  for (int round = 0; round < 300; ++round) {
    ShaderArrayConfig config = random.config();
    config.simulate = SimulatedBy::rules;
    const std::vector<Launch> launches = random.launches();
    ArrayBench bench(config);
    for (const Launch& launch : launches) bench.launch(launch.at_ps, launch.grid);
    INFO("round " << round);
    REQUIRE(bench.run() == ArrayReference(config).run(launches));
    REQUIRE(bench.all_ended_once());
    REQUIRE(bench.top().array.dispatcher().groups_run() == groups_of(launches));
  }
}

TEST_CASE("shader array: grids end when they would have, whether waves are logged or not", "[engines]") {
  RandomGrids random(5);
  for (int round = 0; round < 300; ++round) {
    const ShaderArrayConfig config = random.config();
    std::vector<Launch> launches = random.launches();
    for (Launch& launch : launches) {
      if (random.one_in(3)) launch.grid.work.vram_bytes = random.below(1 << 16);
    }
    ArrayBench quiet(config);
    ArrayBench logged(config);
    LogSink waves;
    logged.enter([&](ArrayTop& top) { top.log.attach(waves, EventLog::Detail::waves); });
    for (const Launch& launch : launches) {
      quiet.launch(launch.at_ps, launch.grid);
      logged.launch(launch.at_ps, launch.grid);
    }
    INFO("round " << round);
    REQUIRE(quiet.run() == logged.run());
  }
}
