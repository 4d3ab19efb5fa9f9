// SPDX-License-Identifier: Apache-2.0
// How fine a request may stop as time goes on and as it is deepened.
#include "engines/command/requested_level.hpp"

#include "engines/command/preemption.hpp"
#include "tests/support/units.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// Dispatches at once, groups from 10 us on, shaders from 30 us on.
LevelSchedule escalating() {
  ClassPreemption<ComputePreemption> preemption;
  preemption.granularity = ComputePreemption::shader_boundary;
  preemption.escalation = {{ComputePreemption::dispatch_boundary, 0},
                           {ComputePreemption::thread_group_boundary, 10},
                           {ComputePreemption::shader_boundary, 30}};
  return LevelSchedule(preemption);
}

}  // namespace

TEST_CASE("requested level: a request goes through the escalation, no finer than it asks for", "[engines]") {
  const LevelSchedule levels = escalating();
  const RequestedLevel all(PreemptionLevel::shader, 100 * us);
  const RequestedLevel groups(PreemptionLevel::group, 100 * us);
  const RequestedLevel packets(PreemptionLevel::dma_buffer, 100 * us);
  const auto check = [&](std::uint64_t at_us, PreemptionLevel of_all, PreemptionLevel of_groups) {
    CHECK(all.in_force(levels, at_us * us) == of_all);
    CHECK(groups.in_force(levels, at_us * us) == of_groups);
    CHECK(packets.in_force(levels, at_us * us) == PreemptionLevel::dma_buffer);
  };
  check(100, PreemptionLevel::command, PreemptionLevel::command);
  check(109, PreemptionLevel::command, PreemptionLevel::command);
  check(110, PreemptionLevel::group, PreemptionLevel::group);
  check(130, PreemptionLevel::shader, PreemptionLevel::group);
  CHECK(all.next_step_ps(levels, 100 * us) == 110 * us);
  CHECK(all.next_step_ps(levels, 110 * us) == 130 * us);
  CHECK_FALSE(all.next_step_ps(levels, 130 * us));
}

TEST_CASE("requested level: a deepening begins the escalation anew, and never makes the level coarser", "[engines]") {
  const LevelSchedule levels = escalating();
  RequestedLevel packets(PreemptionLevel::dma_buffer, 100 * us);
  packets.deepen(PreemptionLevel::shader, 140 * us);
  CHECK(packets.in_force(levels, 140 * us) == PreemptionLevel::command);  // not shader, although 40 us have passed
  CHECK(packets.in_force(levels, 149 * us) == PreemptionLevel::command);
  CHECK(packets.in_force(levels, 150 * us) == PreemptionLevel::group);
  CHECK(packets.in_force(levels, 170 * us) == PreemptionLevel::shader);
  RequestedLevel groups(PreemptionLevel::group, 100 * us);
  groups.deepen(PreemptionLevel::shader, 115 * us);
  CHECK(groups.in_force(levels, 115 * us) == PreemptionLevel::group);  // since 110
  CHECK(groups.in_force(levels, 144 * us) == PreemptionLevel::group);
  CHECK(groups.in_force(levels, 145 * us) == PreemptionLevel::shader);
  RequestedLevel same(PreemptionLevel::group, 100 * us);
  same.deepen(PreemptionLevel::group, 109 * us);
  same.deepen(PreemptionLevel::command, 109 * us);
  CHECK(same.in_force(levels, 110 * us) == PreemptionLevel::group);  // nothing has begun anew
}

TEST_CASE("requested level: whatever is asked, time and deepening only make it finer", "[engines]") {
  std::mt19937_64 random(7);
  const auto below = [&](std::uint64_t bound) { return random() % bound; };
  for (int round = 0; round < 300; ++round) {
    ClassPreemption<ComputePreemption> preemption;
    double after_us = 0;
    for (const PreemptionLevel level : preemption_levels) {
      if (below(2) == 0) continue;
      preemption.granularity = static_cast<ComputePreemption>(level);
      preemption.escalation.push_back({preemption.granularity, after_us});
      after_us += static_cast<double>(1 + below(20));
    }
    const LevelSchedule levels(preemption);
    std::uint64_t at_ps = below(50) * us;
    PreemptionLevel finest = preemption_levels[below(preemption_levels.size())];
    RequestedLevel request(finest, at_ps);
    PreemptionLevel last = request.in_force(levels, at_ps);
    for (int step = 0; step < 12; ++step) {
      const std::uint64_t next_ps = at_ps + below(15) * us;
      const auto changes_ps = request.next_step_ps(levels, at_ps);
      if (!changes_ps || *changes_ps > next_ps) REQUIRE(request.in_force(levels, next_ps) == last);
      at_ps = next_ps;
      const auto asked = preemption_levels[below(preemption_levels.size())];
      if (below(2) == 0) {
        request.deepen(asked, at_ps);
        finest = std::max(finest, asked);
      }
      const PreemptionLevel level = request.in_force(levels, at_ps);
      REQUIRE(level >= last);
      REQUIRE(level <= std::min(finest, levels.finest()));
      last = level;
    }
    REQUIRE(request.in_force(levels, at_ps + 1000 * us) == std::min(finest, levels.finest()));
  }
}
