// SPDX-License-Identifier: Apache-2.0
// Every combination of the shader array's shortcuts against its rules: contended grids with memory traffic, halts at
// all levels and changing ranks.
#include "engines/shader_array/rules/dispatcher.hpp"
#include "tests/engines/shader_array/array_bench.hpp"
#include "tests/engines/shader_array/array_reference.hpp"
#include "tests/engines/shader_array/random_grids.hpp"
#include "tests/engines/stopping/remainders.hpp"
#include "tests/support/units.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// What becomes of random grids on a random array.
struct RandomPlay {
  explicit RandomPlay(RandomGrids& random) : config(random.config()), launches(random.launches()) {
    config.memory_group_overhead_ns = static_cast<double>(random.below(300));
    memory.vram = {static_cast<double>(100 + random.below(900)), static_cast<double>(random.below(50)),
                   ChannelSharing::fair, static_cast<double>(random.below(4))};
    memory.l2.hit_bytes = 1 << 12;
    memory.l2.miss_bytes = 1 << 20;
    const bool moves_bytes = random.one_in(2);
    for (Launch& launch : launches) {
      if (moves_bytes && !random.one_in(3)) launch.grid.work.vram_bytes = random.below(1 << 16);
      if (random.one_in(3)) launch.grid.work.working_set_bytes = 1 + random.below(1 << 20);
      if (random.one_in(4)) launch.grid.units = 1 + random.below(20);
      if (launch.grid.graphics && launch.grid.groups > 0) launch.grid.foretold = random.one_in(2);
    }
    for (std::uint64_t count = random.below(20); count > 0; --count) {
      const std::uint64_t at_ps = random.one_in(3) ? random.below(40) * 100'000 : random.below(6 * us);
      const std::size_t grid = random.below(launches.size());
      if (random.one_in(3)) {
        const int priority = static_cast<int>(random.below(5)) - 2;
        asked.push_back([=](ArrayBench& bench) { bench.rerank(at_ps, grid, priority); });
      } else {
        const PreemptionLevel level = random.halting_level();
        const std::uint64_t pause_ps = random.below(3) * random.below(us);
        asked.push_back([=](ArrayBench& bench) { bench.halt(at_ps, grid, level, pause_ps); });
      }
    }
  }
  /// Played so; a text of all that the owners of the grids see.
  std::string play(SimulatedBy simulate, Shortcuts shortcuts) const {
    ShaderArrayConfig array = config;
    array.simulate = simulate;
    ArrayBench bench(array, memory, shortcuts);
    for (const Launch& launch : launches) bench.launch(launch.at_ps, launch.grid);
    for (const auto& ask : asked) ask(bench);
    std::string seen;
    for (const std::uint64_t end_ps : bench.run()) seen += std::to_string(end_ps) + ' ';
    seen += bench.all_ended_once() ? "once, " : "not once, ";
    seen += std::to_string(bench.top().array.dispatcher().groups_run()) + " groups\n";
    for (std::size_t i = 0; i < launches.size(); ++i) {
      for (const std::uint64_t halted_ps : bench.grid(i).halted_ps) seen += " halted " + std::to_string(halted_ps);
      for (const GridRemainder& left : bench.grid(i).remainders) seen += "\n  " + text_of(left);
      seen += '\n';
    }
    return seen;
  }

  ShaderArrayConfig config;
  MemoryConfig memory;
  std::vector<Launch> launches;
  std::vector<std::function<void(ArrayBench&)>> asked;
};

}  // namespace

TEST_CASE("shortcuts: every combination of them comes to what the rules say", "[engines]") {
  RandomGrids random(31);
  std::size_t halts = 0;
  for (int round = 0; round < 400; ++round) {
    const RandomPlay play(random);
    const std::string by_rules = play.play(SimulatedBy::rules, {});
    INFO("round " << round);
    CHECK(by_rules.find("not once") == std::string::npos);
    for (std::size_t at = by_rules.find("halted"); at != std::string::npos; at = by_rules.find("halted", at + 1))
      ++halts;
    for (int taken = 0; taken < 16; ++taken) {
      const Shortcuts shortcuts{(taken & 1) != 0, (taken & 2) != 0, (taken & 8) != 0, (taken & 4) != 0};
      INFO("equal_sms " << shortcuts.equal_sms << " steady_state " << shortcuts.steady_state << " room_ahead "
                        << shortcuts.room_ahead << " ends_beforehand " << shortcuts.ends_beforehand);
      REQUIRE(play.play(SimulatedBy::shortcuts, shortcuts) == by_rules);
    }
  }
  CHECK(halts > 300);
}
