// SPDX-License-Identifier: Apache-2.0
// The phases of a hardware queue: each way between two of them is gone, and no other.
#include "engines/hardware_queue/phase.hpp"

#include "tests/engines/stopping/preemption_bench.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

using Changes = std::vector<std::pair<Phase, Phase>>;

/// Dispatches of two groups of a microsecond each, which fill the SM; between them barriers.
DmaPacket dispatches(std::uint64_t id, std::size_t count, bool barriers = true, std::uint64_t completion = 0) {
  CommandStream stream;
  stream.compute_pipelines.resize(1);
  stream.compute_pipelines[0].group.threads = 64;
  stream.compute_pipelines[0].work.cycles = 1000;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0 && barriers) stream.commands.emplace_back(Barrier{});
    stream.commands.emplace_back(Dispatch{0, 2});
  }
  return packet_of(id, std::move(stream), {launch_ps, retire_ps, completion});
}

DmaPacket of_context(std::uint32_t context, DmaPacket packet) {
  packet.context = context;
  return packet;
}

struct Scenario {
  PreemptionLevel level;
  std::vector<DmaPacket> packets;          // all submitted at 0
  std::vector<std::uint64_t> requests_ps;  // to preempt
  std::uint64_t resubmit_ps = 5'000 * ns;  // what comes back waits so long
  std::vector<std::uint64_t> resets_ps = {};
};

/// The changes of hardware queue 0, in their order.
Changes changes_of(const Scenario& scenario) {
  auto config = stopping_at(plain_engine<ComputeEngineConfig>(), scenario.level);
  config.context_state.switch_us = 0.02;
  PreemptionBench bench(plain_board(), engine_of<ComputeEngine>(config));
  for (const DmaPacket& packet : scenario.packets) bench.submit(0, 0, packet);
  for (const std::uint64_t at_ps : scenario.requests_ps) bench.preempt(at_ps);
  for (const std::uint64_t at_ps : scenario.resets_ps) bench.reset(at_ps, scenario.resubmit_ps);
  bench.resubmit(scenario.resubmit_ps);
  bench.kernel.run_to_end();
  CHECK(bench.top().completed.size() == scenario.packets.size());
  CHECK(bench.top().engine->phase(0) == Phase::idle);
  return bench.top().changes;
}

/// In phases that pass quickly.
Scenario reset_while(Phase phase) {
  const std::uint64_t first_end = launch_ps + (10 + 1000) * ns;
  if (phase == Phase::launching) {
    return {PreemptionLevel::command, {dispatches(1, 1)}, {}, 5'000 * ns, {launch_ps - 1}};
  }
  if (phase == Phase::retiring) {
    return {PreemptionLevel::command, {dispatches(1, 1)}, {}, 5'000 * ns, {first_end + retire_ps / 2}};
  }
  return {PreemptionLevel::command,
          {dispatches(1, 2, true, 50 * ns)},
          {first_end + 10 * ns},
          5'000 * ns,
          {first_end + 20 * ns}};
}

std::string told(const Changes& changes) {
  std::string text = changes.empty() ? "" : name_of(changes.front().first);
  for (const auto& [from, to] : changes) text += std::string(" ") + name_of(to);
  return text;
}

}  // namespace

TEST_CASE("phases: a packet is launched, runs and is retired, and the one behind it at once after it", "[engines]") {
  CHECK(told(changes_of({PreemptionLevel::shader, {dispatches(1, 1)}, {}})) == "idle launching running retiring idle");
  CHECK(told(changes_of({PreemptionLevel::shader, {dispatches(1, 1), dispatches(2, 1)}, {}})) ==
        "idle launching running retiring launching running retiring idle");
}

TEST_CASE("phases: another context is loaded before its packet runs", "[engines]") {
  CHECK(told(changes_of(
            {PreemptionLevel::shader, {of_context(1, dispatches(1, 1)), of_context(2, dispatches(2, 1))}, {}})) ==
        "idle launching running retiring loading running retiring idle");
}

TEST_CASE("phases: a packet that is turned back while it is launched has nothing to save", "[engines]") {
  CHECK(told(changes_of({PreemptionLevel::command, {dispatches(1, 1)}, {launch_ps - 1}})) ==
        "idle launching saving idle launching running retiring idle");
}

TEST_CASE("phases: what runs is halted and saved, and loaded again", "[engines]") {
  CHECK(told(changes_of({PreemptionLevel::shader, {dispatches(1, 1)}, {500 * ns}})) ==
        "idle launching running halting saving idle loading running retiring idle");
}

TEST_CASE("phases: what has ended and is not complete is waited for before it is saved", "[engines]") {
  const std::uint64_t first_end = launch_ps + (10 + 1000) * ns;
  CHECK(told(changes_of({PreemptionLevel::command, {dispatches(1, 2, true, 50 * ns)}, {first_end + 10 * ns}})) ==
        "idle launching running halting flushing saving idle loading running retiring idle");
}

TEST_CASE("phases: a packet whose last commands end while they are asked to stop ends as it would have", "[engines]") {
  CHECK(told(changes_of({PreemptionLevel::command, {dispatches(1, 2, false)}, {1'500 * ns}})) ==
        "idle launching running halting running retiring idle");
}

TEST_CASE("phases: a request while a packet runs to its end finds the queue idle, one while it is loaded waits",
          "[engines]") {
  CHECK(told(changes_of({PreemptionLevel::dma_buffer, {dispatches(1, 1)}, {500 * ns}})) ==
        "idle launching running retiring idle");
  // The second request comes while state is restored: the packet works for a cycle, then stops again.
  CHECK(told(changes_of({PreemptionLevel::shader, {dispatches(1, 1)}, {500 * ns, 45'000 * ns}, 20'000 * ns})) ==
        "idle launching running halting saving idle loading running halting saving idle loading running retiring idle");
}

TEST_CASE("phases: a reset stops what runs where it stands, and nothing is saved", "[engines]") {
  CHECK(told(changes_of({PreemptionLevel::dma_buffer, {dispatches(1, 1)}, {}, 5'000 * ns, {500 * ns}})) ==
        "idle launching running resetting idle loading running retiring idle");
  CHECK(told(changes_of(reset_while(Phase::launching))) ==
        "idle launching resetting idle launching running retiring idle");
  CHECK(told(changes_of(reset_while(Phase::retiring))) ==
        "idle launching running retiring resetting idle loading running retiring idle");
  CHECK(told(changes_of(reset_while(Phase::flushing))) ==
        "idle launching running halting flushing resetting idle loading running retiring idle");
}

TEST_CASE("phases: random requests go every way of the table and no other", "[engines]") {
  std::mt19937_64 random(1);
  const auto one_of = [&](std::uint64_t below) { return random() % below; };
  std::set<std::pair<Phase, Phase>> seen;
  for (int i = 0; i < 600; ++i) {
    Scenario scenario{preemption_levels[one_of(preemption_levels.size())], {}, {}, one_of(3000) * ns};
    for (std::uint64_t id = 1; id <= 1 + one_of(4); ++id) {
      DmaPacket packet = dispatches(id, 1 + one_of(3), one_of(2) == 0, one_of(2) * 40 * ns);
      scenario.packets.push_back(of_context(static_cast<std::uint32_t>(1 + one_of(2)), std::move(packet)));
    }
    for (std::uint64_t requests = one_of(6); requests > 0; --requests) {
      scenario.requests_ps.push_back(one_of(3) == 0 ? one_of(2 * launch_ps) : one_of(9'000'000));
    }
    for (std::uint64_t resets = one_of(3); resets > 0; --resets) scenario.resets_ps.push_back(one_of(9'000'000));
    const Changes changes = changes_of(scenario);
    REQUIRE(changes.front().first == Phase::idle);
    for (std::size_t at = 0; at < changes.size(); ++at) {
      INFO(name_of(changes[at].first) << " to " << name_of(changes[at].second));
      REQUIRE(can_change(changes[at].first, changes[at].second));
      if (at > 0) REQUIRE(changes[at].first == changes[at - 1].second);
      seen.insert(changes[at]);
    }
  }
  for (const Phase phase : {Phase::launching, Phase::retiring, Phase::flushing}) {
    const Changes changes = changes_of(reset_while(phase));
    seen.insert(changes.begin(), changes.end());
  }
  for (const PhaseChange& change : phase_changes) {
    INFO(name_of(change.from) << " to " << name_of(change.to) << ": " << change.when);
    CHECK(seen.count({change.from, change.to}) == 1);
  }
}

TEST_CASE("phases: the table has each way once, and from every phase one leads on", "[engines]") {
  std::set<std::pair<Phase, Phase>> ways;
  std::set<Phase> left;
  for (const PhaseChange& change : phase_changes) {
    CHECK(ways.insert({change.from, change.to}).second);
    CHECK(std::string(change.when) != "");
    left.insert(change.from);
  }
  CHECK(left.size() == phases);
  CHECK_FALSE(can_change(Phase::idle, Phase::running));
  CHECK_FALSE(can_change(Phase::loading, Phase::halting));
  CHECK_FALSE(can_change(Phase::saving, Phase::running));
}
