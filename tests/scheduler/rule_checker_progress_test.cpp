// SPDX-License-Identifier: Apache-2.0
// The checker's rules about the floor, progress and what the scheduler knows: for each a run as it should be, which
// passes, and the same run as schedulers have had it, which is found.
#include "tests/scheduler/rule_scene.hpp"
#include "tests/support/units.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <string>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Matchers::Contains;

namespace {

/// Focus and normal band both have packets without end; the bands run for so long in turn, always asked to stop.
std::string bands(double floor, std::uint64_t focus_us, std::uint64_t normal_us, PreemptionLevel stops_at) {
  Scene scene(wddm_rules(2500, 0, floor), 2, 1, stops_at);
  const auto focus = scene.context(in(PriorityBand::focus, "a"));
  const auto normal = scene.context(in(PriorityBand::normal, "b"));
  const bool stops = stops_at >= PreemptionLevel::command;
  std::uint64_t of_focus = scene.ready(focus, 0);
  std::uint64_t of_normal = scene.ready(normal, 0);
  std::uint64_t now = 0;
  const auto runs = [&](std::size_t context, std::uint64_t& packet, std::uint64_t other, std::uint64_t for_us) {
    if (for_us == 0) return;
    scene.submit(packet, now);
    if (stops) {
      scene.asks(PreemptionReason::floor, packet, other, now + for_us);
      scene.piece(packet, now, now + for_us);
      now += for_us;
      scene.returns(now);
    } else {
      scene.runs(packet, now, now + for_us);
      now += for_us;
      packet = scene.ready(context, now);
    }
  };
  for (int i = 0; i < 5; ++i) {
    runs(focus, of_focus, of_normal, focus_us);
    runs(normal, of_normal, of_focus, normal_us);
  }
  return scene.found();
}

}  // namespace

// --- the floor (rule 16)

TEST_CASE("checker, floor: the bands' parts of 10 ms pass", "[scheduler]") {
  CHECK(bands(0.1, 9000, 1000, PreemptionLevel::shader).empty());
  CHECK(bands(0.5, 5000, 5000, PreemptionLevel::shader).empty());
  CHECK(bands(0.02, 9800, 200, PreemptionLevel::shader).empty());
  CHECK(bands(0, 20000, 0, PreemptionLevel::dma_buffer).empty());       // no floor
  CHECK(bands(0.1, 30000, 5000, PreemptionLevel::dma_buffer).empty());  // packets that cannot be stopped
}

TEST_CASE("checker, floor: a normal band that gets nothing, or too much, is found", "[scheduler]") {
  CHECK_THAT(bands(0.1, 15000, 0, PreemptionLevel::shader), Contains("focus band running") && Contains("rule 16"));
  CHECK_THAT(bands(0.1, 15000, 300, PreemptionLevel::shader), Contains("focus band running"));
  CHECK_THAT(bands(0.5, 8000, 2000, PreemptionLevel::shader), Contains("focus band running"));
  CHECK_THAT(bands(0.1, 9000, 4000, PreemptionLevel::shader), Contains("normal band running"));
  CHECK_THAT(bands(0.1, 4000, 0, PreemptionLevel::dma_buffer), Contains("focus band running"));
}

// --- progress and what the scheduler knows (rules 14, 17, 19)

TEST_CASE("checker, progress: attempts without end while nothing happens are found", "[scheduler]") {
  // As it was: the Windows 7 model's retry for a packet behind a wait on the hardware.
  const auto told = [](std::uint64_t attempts) {
    Scene scene(wddm_rules());
    const auto running = scene.hand_over(scene.context(in(PriorityBand::normal, "a")), 0);
    const auto waiting = scene.ready(scene.context(in(PriorityBand::normal, "b")), 0);
    for (std::uint64_t i = 1; i <= attempts; ++i) scene.attempts(waiting, running, i);
    return scene.found();
  };
  CHECK(told(1000).empty());
  CHECK_THAT(told(200000), Contains("progress (rule 19)"));
}

TEST_CASE("checker, progress: a packet that is restored and stopped again without work is found", "[scheduler]") {
  // As it was: a realtime beat whose period is shorter than the restore.
  const auto told = [](std::uint64_t work_us) {
    Scene scene(wddm_rules(), 1);
    const auto low = scene.context(in(PriorityBand::normal, "a"));
    const auto high = scene.context(in(PriorityBand::realtime, "b"));
    const auto victim = scene.hand_over(low, 0);
    for (std::uint64_t beat = 1; beat <= 4; ++beat) {
      const std::uint64_t at = beat * 100;
      const auto one = scene.ready(high, at);
      scene.asks(PreemptionReason::higher_rank, victim, one, at);
      const std::uint64_t free_at = beat == 1 ? at : at + 20 + work_us;
      if (beat == 1) {
        scene.piece(victim, 0, at);
      } else {
        scene.restored(victim, at - 50, at + 20);
        if (work_us > 0) scene.piece(victim, at + 20, free_at);
      }
      scene.returns(free_at);
      scene.submit(one, free_at);
      scene.runs(one, free_at, free_at + 10);
      scene.submit(victim, free_at + 10);
    }
    return scene.found();
  };
  CHECK(told(1).empty());
  CHECK_THAT(told(0), Contains("work after each restore (rule 14)"));
}

TEST_CASE("checker, progress: packets that come and go without end while nothing runs are found", "[scheduler]") {
  // As it was: what had to give way was handed over again at once, and had to give way again.
  const auto told = [](std::uint64_t rounds, std::uint32_t queues, bool comes_now_and_then) {
    Scene scene(wddm_rules(), 2, queues);
    const auto one = scene.ready(scene.context(in(PriorityBand::normal, "a")), 0);
    const auto idle = scene.context(in(PriorityBand::idle, "b"));
    for (std::uint64_t i = 1; i <= rounds; ++i) {
      scene.submit(one, i, queues - 1);
      scene.asks(PreemptionReason::asked, one, 0, i);
      scene.returns(i, queues - 1);
      if (comes_now_and_then && i % 10000 == 0) scene.ready(idle, i);
    }
    return scene.found().find("progress (rule 19)") != std::string::npos;
  };
  CHECK_FALSE(told(1000, 1, false));
  CHECK(told(60000, 1, false));  // two of them a round
  CHECK(told(60000, 3, false));
  CHECK_FALSE(told(60000, 1, true));
}

TEST_CASE("checker, progress: units of work may take no time, but not without end", "[scheduler]") {
  // Queries and barriers in front of a dispatch, each stopped for a beat of realtime packets.
  const auto told = [](std::uint64_t beats, std::uint32_t queue, bool ran) {
    Scene scene(wddm_rules(), 1, queue + 1);
    const auto high = scene.context(in(PriorityBand::realtime, "b"));
    const auto victim = scene.ready(scene.context(in(PriorityBand::normal, "a")), 0);
    for (std::uint32_t other = 0; other < queue; ++other) scene.hand_over(high, 0, other);
    for (std::uint64_t beat = 1; beat <= beats; ++beat) {
      const std::uint64_t at = beat * 100;
      scene.submit(victim, at, queue);
      const auto one = scene.ready(high, at);
      scene.asks(PreemptionReason::higher_rank, victim, one, at);
      scene.restored(victim, at, at + 20);
      if (ran) scene.piece(victim, at + 20, at + 20);
      scene.returns(at + 20, queue);
      scene.submit(one, at + 20, queue);
      scene.runs(one, at + 20, at + 30);
    }
    return scene.found().find("work after each restore (rule 14)") != std::string::npos;
  };
  CHECK_FALSE(told(20, 0, true));
  CHECK(told(1100, 0, true));
  CHECK_FALSE(told(2, 0, false));
  CHECK(told(3, 0, false));
  CHECK(told(3, 1, false));
  CHECK(told(1100, 1, true));
}

TEST_CASE("checker, knowledge: each end that is not known keeps a place, in its hardware queue", "[scheduler]") {
  const auto three_deep = [](std::uint64_t fourth_at, std::uint64_t fifth_at) {
    Scene scene(wddm_rules(), 3);
    const auto a = scene.context(in(PriorityBand::normal, "a"));
    const auto one = scene.hand_over(a, 0);
    const auto two = scene.hand_over(a, 0);
    scene.hand_over(a, 0);
    const auto four = scene.ready(a, 0);
    scene.ends(one, 0, 10, 25);
    scene.ends(two, 10, 20, 35);
    scene.submit(four, fourth_at);
    scene.submit(scene.ready(a, fourth_at), fifth_at);
    return scene.found();
  };
  CHECK(three_deep(25, 35).empty());
  CHECK_THAT(three_deep(24, 35), Contains("which it learns at 35.000000 us"));
  CHECK_THAT(three_deep(25, 34), Contains("which it learns at 35.000000 us"));
  const auto two_queues = [](std::uint32_t queue, std::uint64_t at) {
    Scene scene(wddm_rules(), 1, 2);
    const auto a = scene.context(in(PriorityBand::normal, "a"));
    const auto one = scene.hand_over(a, 0, 0);
    const auto other = scene.ready(scene.context(in(PriorityBand::normal, "b")), 5);
    scene.ends(one, 0, 10, 15);
    scene.submit(other, at, queue);
    return scene.found();
  };
  CHECK(two_queues(1, 12).empty());
  CHECK(two_queues(0, 15).empty());
  CHECK_THAT(two_queues(0, 12), Contains("a place that the scheduler knows to be free (rule 17)"));
}

TEST_CASE("checker, knowledge: a place is free when the scheduler has learned of it", "[scheduler]") {
  const auto told = [](std::uint64_t submitted_at) {
    Scene scene(wddm_rules(), 2);
    const auto a = scene.context(in(PriorityBand::normal, "a"));
    const auto one = scene.hand_over(a, 0);
    scene.hand_over(a, 0);
    const auto three = scene.ready(a, 0);
    scene.ends(one, 0, 10, 15);
    scene.submit(three, submitted_at);
    return scene.found();
  };
  CHECK(told(15).empty());
  CHECK_THAT(told(12), Contains("a place that the scheduler knows to be free (rule 17)"));
}
