// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/engines/shader_array/array_bench.hpp"
#include "tests/engines/shader_array/array_reference.hpp"

#include <cstdint>
#include <random>
#include <vector>

namespace fenceline::testing {

/// Small shader arrays and contended grids for them. Few different values make many things happen at one moment.
class RandomGrids {
 public:
  explicit RandomGrids(std::uint64_t seed) : random_(seed) {}

  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  std::uint32_t below32(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }
  bool one_in(std::uint64_t count) { return below(count) == 0; }
  /// One of those at which the array stops a grid.
  PreemptionLevel halting_level() {
    std::vector<PreemptionLevel> levels;
    for (const PreemptionLevel level : preemption_levels) {
      if (traits_of(level).has(level_rule::stops_commands)) levels.push_back(level);
    }
    return levels[below(levels.size())];
  }

  ShaderArrayConfig config() {
    ShaderArrayConfig config;
    config.sms = 1 + below32(5);
    config.graphics_sms = 1 + below32(config.sms);
    config.clock_mhz = one_in(2) ? 1755 : 1000;
    config.group_overhead_cycles = below32(3) * 50;
    config.group_launch_cycles = one_in(3) ? 0 : below32(60);
    config.group_retire_cycles = one_in(3) ? 0 : below32(150);
    config.group_refill_cycles = one_in(3) ? 0 : below32(300);
    config.grid_change_cycles = one_in(3) ? 0 : below32(200);
    config.issue_conflicts = one_in(2) ? 0 : static_cast<double>(below(101)) / 100;
    if (one_in(7)) config.shared_splits_kib.clear();
    if (one_in(7)) config.groups_per_sm = 1 + below32(8);
    config.graphics_queue_first = one_in(2);
    if (one_in(2)) config.wave_parts = 1 + below32(config.sms);
    config.wave_spread = static_cast<double>(below(10)) / 10;
    return config;
  }

  GroupFootprint footprint() {
    GroupFootprint footprint{32 * (1 + below32(32)), below32(64), 0};
    if (one_in(3)) footprint.shared_bytes = 1 + below32(60'000);
    return footprint;
  }

  ShaderCost shader() {
    ShaderCost shader;
    if (one_in(2)) shader.alu_instructions = static_cast<double>(below(300));
    if (one_in(3)) shader.sfu_instructions = static_cast<double>(below(40));
    if (one_in(4)) shader.texture_samples = static_cast<double>(below(4));
    if (one_in(4)) shader.shared_accesses = static_cast<double>(below(30));
    return shader;
  }

  std::vector<Launch> launches() {
    const std::uint64_t same = 1 + below(4);
    const bool shaders = !one_in(3);
    std::vector<Launch> launches;
    for (std::uint64_t count = 1 + below(12); count > 0; --count) {
      Grid grid = grid_of(one_in(8) ? 0 : below(60), footprint(), one_in(9) ? 0 : 100 * same * (1 + below(6)));
      if (shaders && !one_in(3)) grid.work.shader = shader();
      grid.priority = static_cast<int>(below(3)) - 1;
      grid.graphics = one_in(3);
      if (grid.graphics && grid.groups > 0 && one_in(2)) grid.flow = {1 + below(2 * grid.groups), 1 + below(400)};
      grid.of_graphics_queue = grid.graphics || one_in(2);
      grid.order = launches.size();
      launches.push_back({one_in(2) ? 0 : one_in(2) ? below(20) * 100'000 : below(2'000'000), grid});
    }
    return launches;
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace fenceline::testing
