// SPDX-License-Identifier: Apache-2.0
// The checker's rules about who runs and who gives way: for each a run as it should be, which passes, and the same run
// as schedulers have had it, which is found.
#include "tests/scheduler/rule_scene.hpp"
#include "tests/support/units.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <string>
#include <vector>

using namespace fenceline;
using Catch::Matchers::Contains;
using fenceline::testing::Scene;

namespace {

using fenceline::testing::us;

SchedulingRules wddm(std::uint64_t process_quantum_us = 2500, std::uint64_t process_grace_us = 0, double floor = 0) {
  SchedulingRules rules;
  rules.process_quantum_ps.fill(process_quantum_us * us);
  rules.process_grace_ps.fill(process_grace_us * us);
  rules.floor = floor;
  return rules;
}
SchedulingRules of(SchedulingPolicy policy) {
  SchedulingRules rules;
  rules.policy = &traits_of(policy);
  return rules;
}
Scene::Who in(PriorityBand band, const char* process, std::uint64_t grace_us = 0) {
  Scene::Who who;
  who.process = process;
  who.band = band;
  who.grace_us = grace_us;
  return who;
}

/// Two processes with a packet of 5 ms each and a quantum; both are in the hardware queue. The first one stops when it
/// is asked to, `never`: runs to its end.
std::string two_packets(std::uint64_t quantum_us, std::uint64_t grace_us, std::uint64_t second_comes_us,
                        std::uint64_t asked_us) {
  Scene scene(wddm(quantum_us, grace_us));
  const auto a = scene.context(in(PriorityBand::normal, "a"));
  const auto b = scene.context(in(PriorityBand::normal, "b"));
  const auto first = scene.hand_over(a, 0);
  const auto second = scene.hand_over(b, second_comes_us);
  if (asked_us >= 5000) {
    scene.runs(first, 0, 5000);
    scene.runs(second, 5000, 10000);
    return scene.found();
  }
  scene.asks(PreemptionReason::quantum, first, second, asked_us);
  scene.piece(first, 0, asked_us);
  scene.returns(asked_us);
  scene.submit(second, asked_us);
  scene.submit(first, asked_us);
  const std::uint64_t turn_us = quantum_us + grace_us;
  scene.asks(PreemptionReason::quantum, second, first, asked_us + turn_us);
  scene.piece(second, asked_us, asked_us + turn_us);
  scene.returns(asked_us + turn_us);
  return scene.found();
}

/// Something of 100 us runs; a realtime packet comes 15 us later and is handed over behind it.
std::string realtime_comes(PriorityBand band, std::uint64_t grace_us, std::uint64_t asked_us) {
  Scene scene(wddm());
  const auto low = scene.context(in(band, "a", grace_us));
  const auto high = scene.context(in(PriorityBand::realtime, "b"));
  const auto running = scene.hand_over(low, 0);
  const auto waiting = scene.hand_over(high, 15);
  if (asked_us < 100) {
    scene.asks(PreemptionReason::higher_rank, running, waiting, asked_us);
    scene.piece(running, 0, asked_us);
    scene.returns(asked_us);
    scene.submit(waiting, asked_us);
    scene.runs(waiting, asked_us, asked_us + 10);
  } else {
    scene.runs(running, 0, 100);
    scene.runs(waiting, 100, 110);
  }
  return scene.found();
}

/// Focus and normal band both have packets without end; the bands run for so long in turn, always asked to stop.
std::string bands(double floor, std::uint64_t focus_us, std::uint64_t normal_us, PreemptionLevel stops_at) {
  Scene scene(wddm(2500, 0, floor), 2, 1, stops_at);
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

// --- quantum (rules 6, 7, 10)

TEST_CASE("checker, quantum: two processes of 5 ms packets that alternate after their quantum pass", "[scheduler]") {
  CHECK(two_packets(1000, 0, 0, 1000).empty());
  CHECK(two_packets(1000, 500, 0, 1500).empty());   // with a grace period
  CHECK(two_packets(1000, 0, 3000, 3000).empty());  // the other one comes when the turn is over: 3 ms of 1 are used
}

TEST_CASE("checker, quantum: a packet that runs to its end beside one of equal rank is found", "[scheduler]") {
  // As it was: who fitted into the hardware queue was never judged again.
  CHECK_THAT(two_packets(1000, 0, 0, 5000), Contains("asked to stop at 1000.000000 us") && Contains("rule 10"));
  CHECK_THAT(two_packets(2000, 500, 0, 5000), Contains("asked to stop at 2500.000000 us"));
  CHECK_THAT(two_packets(1000, 0, 3000, 5000), Contains("asked to stop at 3000.000000 us"));
  CHECK_THAT(two_packets(1000, 0, 0, 1001), Contains("that asked at 1001.000000 us"));
}

TEST_CASE("checker, quantum: a packet that is stopped before its turn is over is found", "[scheduler]") {
  CHECK_THAT(two_packets(1000, 0, 0, 999), Contains("left alone until its turn is over at 1000.000000 us"));
  CHECK_THAT(two_packets(1000, 500, 0, 1499), Contains("500.000000 us of grace more"));
}

TEST_CASE("checker, quantum: a turn goes on over its owner's packets, and three processes share", "[scheduler]") {
  // a has packets of 400 us and a quantum of 1 ms: the third is stopped after 200 us, at 1000. Old: a turn was counted
  // when a packet was handed over, so each packet began one.
  const auto told = [](bool old) {
    Scene scene(wddm(1000), 3);
    const auto a = scene.context(in(PriorityBand::normal, "a"));
    const auto b = scene.context(in(PriorityBand::normal, "b"));
    const auto c = scene.context(in(PriorityBand::normal, "c"));
    const auto a1 = scene.ready(a, 0);
    const auto b1 = scene.ready(b, 0);
    const auto c1 = scene.ready(c, 0);
    scene.submit(a1, 0);
    const auto a2 = scene.ready(a, 0);
    scene.submit(a2, 0);
    const auto a3 = scene.ready(a, 0);
    scene.submit(a3, 0);
    scene.runs(a1, 0, 400);
    scene.submit(b1, 400);
    scene.runs(a2, 400, 800);
    scene.submit(c1, 800);
    if (old) {
      scene.runs(a3, 800, 1200);
      return scene.found();
    }
    scene.asks(PreemptionReason::quantum, a3, b1, 1000);
    scene.piece(a3, 800, 1000);
    scene.returns(1000);
    scene.submit(b1, 1000);
    scene.submit(c1, 1000);
    scene.submit(a3, 1000);
    scene.runs(b1, 1000, 1400);
    scene.runs(c1, 1400, 1800);
    scene.runs(a3, 1800, 2000);
    return scene.found();
  };
  CHECK(told(false).empty());
  CHECK_THAT(told(true), Contains("asked to stop at 1000.000000 us") && Contains("rule 10"));
}

TEST_CASE("checker, quantum: who fills every gap at once keeps the turn, who pauses begins another", "[scheduler]") {
  // Fed by the CPU: 600 us, a pause of 10 us, 600 us. The second packet begins a turn of its own: not over at 1200.
  const auto told = [](std::uint64_t pause_us) {
    Scene scene(wddm(1000), 1);
    const auto a = scene.context(in(PriorityBand::normal, "a"));
    const auto b = scene.context(in(PriorityBand::normal, "b"));
    const auto one = scene.hand_over(a, 0);
    const std::uint64_t ahead = pause_us == 0 ? scene.ready(a, 500) : 0;
    scene.runs(one, 0, 600);
    const auto two = pause_us == 0 ? ahead : scene.ready(a, 600 + pause_us);
    scene.submit(two, 600 + pause_us);
    scene.ready(b, 700);
    scene.runs(two, 600 + pause_us, 1200 + pause_us);
    return scene.found();
  };
  CHECK(told(10).empty());
  CHECK_THAT(told(0), Contains("asked to stop at 1000.000000 us"));  // 600 + 400
}

TEST_CASE("checker, quantum: contexts of a process take turns by their own quantum, all contexts in xe",
          "[scheduler]") {
  const auto told = [](const SchedulingRules& rules, const char* other, std::uint64_t asked_us) {
    Scene scene(rules);
    Scene::Who who = in(PriorityBand::normal, "a");
    who.quantum_us = 300;
    const auto first = scene.hand_over(scene.context(who), 0);
    who.process = other;
    const auto second = scene.hand_over(scene.context(who), 0);
    if (asked_us < 5000) {
      scene.asks(PreemptionReason::quantum, first, second, asked_us);
      scene.piece(first, 0, asked_us);
      scene.returns(asked_us);
    } else {
      scene.runs(first, 0, 5000);
    }
    return scene.found();
  };
  CHECK(told(wddm(700), "a", 300).empty());
  CHECK_THAT(told(wddm(700), "a", 5000), Contains("asked to stop at 300.000000 us"));
  CHECK_THAT(told(wddm(700), "a", 299), Contains("left alone until its turn is over"));
  CHECK_THAT(told(wddm(700), "b", 5000), Contains("asked to stop at 700.000000 us"));
  CHECK(told(of(SchedulingPolicy::xe), "b", 300).empty());
  CHECK_THAT(told(of(SchedulingPolicy::xe), "b", 5000), Contains("asked to stop at 300.000000 us"));
}

TEST_CASE("checker, quantum: a higher one of the process interrupts a context's turn and does not end it",
          "[scheduler]") {
  // Turns of 1 ms. The first runs 600 us, a higher one 100 us, and the first goes on: its turn is over after 400 more,
  // at 1100. As it was: each interruption was the end of the turn, so that 1100 was too early and 1700 was not late.
  const auto told = [](const SchedulingRules& rules, const Scene::Who& high, std::uint64_t asked_us) {
    Scene scene(rules, 3);
    Scene::Who who = in(PriorityBand::normal, "a");
    who.quantum_us = 1000;
    const auto one = scene.hand_over(scene.context(who), 0);
    const auto two = scene.hand_over(scene.context(who), 0);
    const auto higher = scene.context(high);
    const auto above = scene.ready(higher, 600);
    scene.asks(PreemptionReason::higher_rank, one, above, 600);
    scene.piece(one, 0, 600);
    scene.returns(600);
    for (const auto packet : {above, one, two}) scene.submit(packet, 600);
    scene.runs(above, 600, 700);
    scene.asks(PreemptionReason::quantum, one, two, asked_us);
    scene.piece(one, 700, asked_us);
    scene.returns(asked_us);
    return scene.found();
  };
  Scene::Who higher = in(PriorityBand::normal, "a");
  higher.in_process = 1;
  CHECK(told(wddm(), higher, 1100).empty());
  CHECK_THAT(told(wddm(), higher, 1099), Contains("left alone until its turn is over at 1100.000000 us"));
  CHECK_THAT(told(wddm(), higher, 1700), Contains("asked to stop at 1100.000000 us"));
  higher.process = "b";  // Xe compares all contexts
  CHECK(told(of(SchedulingPolicy::xe), higher, 1100).empty());
  CHECK_THAT(told(of(SchedulingPolicy::xe), higher, 1099), Contains("rule 10"));
  CHECK_THAT(told(of(SchedulingPolicy::xe), higher, 1700), Contains("asked to stop at 1100.000000 us"));
  higher = in(PriorityBand::realtime, "b");
  CHECK(told(wddm(), higher, 1100).empty());
  CHECK_THAT(told(wddm(), higher, 1099), Contains("rule 10"));
}

TEST_CASE("checker, quantum: what the scheduler has not learned when a rank changes is of the new rank's turn",
          "[scheduler]") {
  // Turns of 1 ms. a runs for 600, 100 and more us; the scheduler learns of the first end at `known`. At `moved` a and
  // b have another rank: with the first packet the turn is over at 1000, without it at 1600.
  const auto told = [](PriorityBand band, std::uint64_t moved_us, std::uint64_t known_us, std::uint64_t asked_us) {
    Scene scene(wddm(1000), 3);
    const auto a = scene.context(in(PriorityBand::normal, "a"));
    const auto b = scene.context(in(PriorityBand::normal, "b"));
    const auto one = scene.hand_over(a, 0);
    const auto two = scene.hand_over(a, 0);
    const auto three = scene.hand_over(a, 0);
    const auto waiting = scene.ready(b, 0);
    scene.ends(one, 0, 600, known_us);
    if (known_us < moved_us) scene.known(one, known_us);
    for (const auto context : {a, b}) scene.moves(context, band, 1, moved_us);
    if (known_us >= moved_us) scene.known(one, known_us);
    scene.runs(two, 600, 700);
    scene.asks(PreemptionReason::quantum, three, waiting, asked_us);
    scene.piece(three, 700, asked_us);
    scene.returns(asked_us);
    return scene.found();
  };
  for (const PriorityBand band : {PriorityBand::normal, PriorityBand::focus, PriorityBand::realtime}) {
    CHECK(told(band, 620, 650, 1000).empty());
    CHECK_THAT(told(band, 620, 650, 999), Contains("left alone until its turn is over"));
    CHECK_THAT(told(band, 620, 610, 1000), Contains("left alone until its turn is over at 1600.000000 us"));
  }
}

TEST_CASE("checker, quantum: a rank that changes there and back has its turn still, if nobody had it meanwhile",
          "[scheduler]") {
  // Turns of 1 ms. a runs 600 us and is interrupted; it gets another rank at 650 and its own back at 720, and goes on:
  // over after 400 us more. If another one of its like had the engine meanwhile, or a paused, it begins a turn.
  enum class Between { nothing, other, pause };
  const auto told = [](Between between, PriorityBand band, std::uint64_t asked_us) {
    Scene scene(wddm(1000), 3);
    const auto a = scene.context(in(PriorityBand::normal, "a"));
    const auto b = scene.context(in(PriorityBand::normal, "b"));
    const auto one = scene.hand_over(a, 0);
    const auto high = scene.ready(scene.context(in(PriorityBand::realtime, "c")), 600);
    scene.asks(PreemptionReason::higher_rank, one, high, 600);
    scene.piece(one, 0, 600);
    scene.returns(600);
    scene.submit(high, 600);
    scene.moves(a, band, 1, 650);
    scene.runs(high, 600, 700);
    if (between == Between::other) scene.runs(scene.hand_over(b, 700), 700, 720);
    scene.moves(a, PriorityBand::normal, 0, 720);
    std::uint64_t goes_on = one;
    if (between == Between::pause) {
      scene.submit(one, 720);
      scene.runs(one, 720, 730);
      goes_on = scene.ready(a, 740);
    }
    scene.submit(goes_on, 740);
    const auto waiting = scene.hand_over(b, 750);
    scene.asks(PreemptionReason::quantum, goes_on, waiting, 740 + asked_us);
    scene.piece(goes_on, 740, 740 + asked_us);
    scene.returns(740 + asked_us);
    return scene.found();
  };
  for (const PriorityBand band : {PriorityBand::idle, PriorityBand::normal, PriorityBand::focus}) {
    CHECK(told(Between::nothing, band, 400).empty());
    CHECK_THAT(told(Between::nothing, band, 399), Contains("left alone until its turn is over"));
    CHECK(told(Between::pause, band, 1000).empty());
    CHECK_THAT(told(Between::pause, band, 999), Contains("left alone until its turn is over"));
  }
  CHECK(told(Between::other, PriorityBand::idle, 1000).empty());
  CHECK_THAT(told(Between::other, PriorityBand::idle, 999), Contains("left alone until its turn is over"));
}

// --- grace (rule 9)

TEST_CASE("checker, grace: a normal packet gives way when its grace is over, not before, not later", "[scheduler]") {
  // Ready at 15, 30 us of grace: 45. As it was: at 100, when the packet had run to its end.
  CHECK(realtime_comes(PriorityBand::normal, 30, 45).empty());
  CHECK_THAT(realtime_comes(PriorityBand::normal, 30, 100),
             Contains("asked to stop at 45.000000 us") && Contains("rule 9"));
  CHECK_THAT(realtime_comes(PriorityBand::normal, 30, 46), Contains("that asked at 46.000000 us"));
  CHECK_THAT(realtime_comes(PriorityBand::normal, 30, 44), Contains("grace is over at 45.000000 us (rule 9)"));
  CHECK(realtime_comes(PriorityBand::focus, 60, 75).empty());
  CHECK_THAT(realtime_comes(PriorityBand::focus, 60, 15), Contains("grace is over at 75.000000 us (rule 9)"));
}

TEST_CASE("checker, grace: the idle band's is ignored", "[scheduler]") {
  CHECK(realtime_comes(PriorityBand::idle, 30, 15).empty());
  CHECK_THAT(realtime_comes(PriorityBand::idle, 30, 45), Contains("asked to stop at 15.000000 us"));
}

TEST_CASE("checker, grace: what the scheduler does not know yet it need not act upon", "[scheduler]") {
  // The packet before ended at 20, which the scheduler learns at 32: until then it takes that for the one that runs.
  const auto told = [](std::uint64_t asked_us) {
    Scene scene(wddm());
    const auto low = scene.context(in(PriorityBand::normal, "a"));
    const auto high = scene.context(in(PriorityBand::realtime, "b"));
    const auto one = scene.hand_over(low, 0);
    const auto two = scene.hand_over(low, 0);
    scene.ends(one, 0, 20, 32);
    const auto waiting = scene.ready(high, 25);
    scene.known(one, 32);
    scene.asks(PreemptionReason::higher_rank, two, waiting, asked_us);
    scene.piece(two, 20, asked_us);
    scene.returns(asked_us);
    return scene.found();
  };
  CHECK(told(32).empty());
  CHECK_THAT(told(33), Contains("asked to stop at 32.000000 us"));
}

// --- order (rules 1 to 5)

TEST_CASE("checker, order: the lower rank handed over before the higher one is found", "[scheduler]") {
  const auto told = [](const SchedulingRules& rules, const Scene::Who& low, const Scene::Who& high) {
    Scene scene(rules);
    const auto a = scene.ready(scene.context(low), 0);
    const auto b = scene.ready(scene.context(high), 0);
    scene.submit(a, 0);
    scene.submit(b, 0);
    return scene.found();
  };
  Scene::Who high = in(PriorityBand::realtime, "b");
  Scene::Who low = high;
  high.level = 1;
  CHECK_THAT(told(wddm(), low, high), Contains("higher rank before the lower one (rule 5)"));
  CHECK(told(wddm(), high, low).empty());
  low = high = in(PriorityBand::normal, "a");
  high.in_process = 1;
  CHECK_THAT(told(wddm(), low, high), Contains("rule 5"));
  CHECK_THAT(told(of(SchedulingPolicy::strict_priority), low, high), Contains("rule 5"));
  high.process = "b";  // it counts within its process only
  CHECK(told(wddm(), low, high).empty());
  CHECK_THAT(told(of(SchedulingPolicy::xe), low, high), Contains("rule 5"));  // but not there
  CHECK(told(of(SchedulingPolicy::fifo), low, high).empty());
  Scene scene(of(SchedulingPolicy::fifo));
  const auto one = scene.ready(scene.context(low), 0);
  const auto two = scene.ready(scene.context(high), 0);
  scene.submit(two, 0);
  scene.submit(one, 0);
  CHECK_THAT(scene.found(), Contains("in the order of their submission (fifo)"));
}

TEST_CASE("checker, order: an empty hardware queue goes to the higher rank", "[scheduler]") {
  // As it was: bands meant nothing where there are several hardware queues.
  const auto told = [](bool old) {
    Scene scene(wddm(), 2, 2);
    const auto first = scene.hand_over(scene.context(in(PriorityBand::normal, "a")), 0, 0);
    const auto low = scene.ready(scene.context(in(PriorityBand::normal, "b")), 5);
    const auto high = scene.ready(scene.context(in(PriorityBand::realtime, "c")), 5);
    scene.submit(old ? low : high, 5, 1);
    scene.submit(old ? high : low, 5, 0);
    (void)first;
    return scene.found();
  };
  CHECK(told(false).empty());
  CHECK_THAT(told(true), Contains("rule 5"));
}

TEST_CASE("checker, order: what is queued in front of a higher one that waits does not begin", "[scheduler]") {
  const auto told = [](bool old) {
    Scene scene(wddm(), 2);
    const auto low = scene.context(in(PriorityBand::normal, "a", 1000));
    const auto high = scene.context(in(PriorityBand::realtime, "b"));
    const auto one = scene.hand_over(low, 0);
    const auto two = scene.hand_over(low, 0);
    const auto waiting = scene.ready(high, 10);
    if (old) {
      scene.runs(one, 0, 50);
      scene.runs(two, 50, 100);
      return scene.found();
    }
    scene.asks(PreemptionReason::overtakes_queued, one, waiting, 10, "dma_buffer");
    scene.runs(one, 0, 50);
    scene.returns(50);
    scene.submit(waiting, 50);
    scene.submit(two, 50);
    scene.runs(waiting, 50, 60);
    scene.runs(two, 60, 110);
    return scene.found();
  };
  CHECK(told(false).empty());
  CHECK_THAT(told(true), Contains("it withheld (rule 12)") && Contains("has waited since 10.000000 us"));
}

TEST_CASE("checker, order: processes of one band get their first turns in the order of arrival", "[scheduler]") {
  const auto told = [](bool old) {
    Scene scene(wddm(), 1);
    const auto a = scene.context(in(PriorityBand::normal, "a"));
    const auto b = scene.context(in(PriorityBand::normal, "b"));
    const auto c = scene.context(in(PriorityBand::normal, "c"));
    const auto running = scene.hand_over(a, 0);
    const auto of_c = scene.ready(c, 10);  // created last, there first
    const auto of_b = scene.ready(b, 20);
    scene.runs(running, 0, 50);
    scene.submit(old ? of_b : of_c, 50);
    scene.runs(old ? of_b : of_c, 50, 60);
    scene.submit(old ? of_c : of_b, 60);
    return scene.found();
  };
  CHECK(told(false).empty());
  CHECK_THAT(told(true), Contains("in the order of their arrival (rule 5)") && Contains("since 10.000000 us"));
}

TEST_CASE("checker, order: a turn sends its process to the end of its band and level, however short it was",
          "[scheduler]") {
  // Over after the quantum of 1000 us, at 100 because b had the engine then, or never: it was another band's.
  const auto over = [](std::uint64_t quantum_us, bool old) {
    Scene scene(wddm(quantum_us), 1);
    const auto a = scene.hand_over(scene.context(in(PriorityBand::normal, "a")), 0);
    const auto b = scene.ready(scene.context(in(PriorityBand::normal, "b")), 10);
    const auto c = scene.ready(scene.context(in(PriorityBand::normal, "c")), 20);
    scene.asks(PreemptionReason::quantum, a, b, quantum_us);
    scene.piece(a, 0, quantum_us);
    scene.returns(quantum_us);
    scene.submit(b, quantum_us);
    scene.runs(b, quantum_us, quantum_us + 50);
    scene.submit(old ? a : c, quantum_us + 50);
    return scene.found();
  };
  for (const std::uint64_t quantum_us : {1000, 300}) {
    CHECK(over(quantum_us, false).empty());
    CHECK_THAT(over(quantum_us, true), Contains("rule 5") && Contains("has waited since 20.000000 us"));
  }
  const auto short_one = [](bool old) {
    Scene scene(wddm(1000));
    const auto a = scene.context(in(PriorityBand::normal, "a"));
    const auto one = scene.hand_over(a, 0);
    const auto b = scene.hand_over(scene.context(in(PriorityBand::normal, "b")), 0);
    const auto c = scene.ready(scene.context(in(PriorityBand::normal, "c")), 20);
    scene.ends(one, 0, 100, 110);
    const auto two = scene.ready(a, 105);
    scene.known(one, 110);
    scene.runs(b, 100, 400);
    scene.submit(old ? two : c, 400);
    return scene.found();
  };
  CHECK(short_one(false).empty());
  CHECK_THAT(short_one(true), Contains("rule 5") && Contains("has waited since 20.000000 us"));
  const auto of_another_band = [](bool old) {
    Scene scene(wddm(100), 1);
    const auto high = scene.hand_over(scene.context(in(PriorityBand::realtime, "a")), 0);
    const auto a = scene.ready(scene.context(in(PriorityBand::normal, "a")), 10);
    const auto b = scene.ready(scene.context(in(PriorityBand::normal, "b")), 20);
    scene.runs(high, 0, 500);
    scene.submit(old ? b : a, 500);
    return scene.found();
  };
  CHECK(of_another_band(false).empty());
  CHECK_THAT(of_another_band(true), Contains("rule 5") && Contains("has waited since 10.000000 us"));
}

TEST_CASE("checker, order: packets of equal rank go in the order of submission where there are no turns",
          "[scheduler]") {
  const auto told = [](SchedulingPolicy policy, const char* other, int in_process, bool old) {
    Scene scene(of(policy), 1);
    Scene::Who who = in(PriorityBand::normal, "a");
    const auto first = scene.context(who);
    who.process = other;
    who.in_process = in_process;
    const auto second = scene.context(who);
    const auto one = scene.ready(first, 0);
    const auto two = scene.ready(second, 5);
    scene.submit(old ? two : one, 10);
    return scene.found();
  };
  for (const SchedulingPolicy policy : {SchedulingPolicy::strict_priority, SchedulingPolicy::time_slice}) {
    CHECK(told(policy, "a", 0, false).empty());
    CHECK_THAT(told(policy, "a", 0, true), Contains("in the order of their submission"));
    CHECK(told(policy, "a", 1, true).empty());  // it is the higher one
  }
  CHECK_THAT(told(SchedulingPolicy::fifo, "b", 1, true), Contains("in the order of their submission (fifo)"));
}

TEST_CASE("checker, order: of several packets queued in front of a higher one none begins", "[scheduler]") {
  const auto told = [](const Scene::Who& low, const Scene::Who& high, std::uint64_t begun) {
    Scene scene(wddm(100000), 3);
    const auto lower = scene.context(low);
    const auto one = scene.hand_over(lower, 0);
    const auto two = scene.hand_over(lower, 0);
    const auto three = scene.hand_over(lower, 0);
    const auto waiting = scene.ready(scene.context(high), begun == 1 ? 10 : 60);
    scene.runs(one, 0, 50);
    if (begun >= 1) scene.runs(two, 50, 100);
    if (begun >= 2) scene.runs(three, 100, 150);
    (void)waiting;
    return scene.found();
  };
  Scene::Who low = in(PriorityBand::idle, "a");
  Scene::Who high = in(PriorityBand::normal, "b");
  CHECK(told(low, high, 0).empty());
  CHECK_THAT(told(low, high, 1), Contains("it withheld (rule 12)") && Contains("since 10.000000 us"));
  low = high = in(PriorityBand::focus, "a", 1000);
  high.in_process = 7;
  CHECK_THAT(told(low, high, 2), Contains("it withheld (rule 12)") && Contains("since 60.000000 us"));
  high.process = "b";  // it counts within its process only
  CHECK(told(low, high, 2).empty());
}

// --- who is stopped (rules 11 to 13)

TEST_CASE("checker, victim: a realtime packet stopped so that focus overtakes normal is found", "[scheduler]") {
  const auto told = [](PreemptionReason reason, bool of_running, const char* limit, bool stopped) {
    Scene scene(wddm());
    const auto running = scene.hand_over(scene.context(in(PriorityBand::realtime, "a")), 0);
    const auto queued = scene.hand_over(scene.context(in(PriorityBand::normal, "b")), 0);
    const auto waiting = scene.ready(scene.context(in(PriorityBand::focus, "c")), 10);
    scene.asks(reason, of_running ? running : queued, waiting, 10, limit);
    if (stopped) {
      scene.piece(running, 0, 10);
    } else {
      scene.runs(running, 0, 50);
    }
    return scene.found();
  };
  CHECK(told(PreemptionReason::overtakes_queued, true, "dma_buffer", false).empty());
  CHECK(told(PreemptionReason::overtakes_queued, false, "dma_buffer", false).empty());
  CHECK_THAT(told(PreemptionReason::overtakes_queued, false, "dma_buffer", true), Contains("it left to finish"));
  CHECK_THAT(told(PreemptionReason::overtakes_queued, false, "", true), Contains("what runs left to finish (rule 12)"));
  CHECK_THAT(told(PreemptionReason::higher_rank, true, "", true), Contains("a packet of lower rank to give way"));
  CHECK_THAT(told(PreemptionReason::quantum, true, "", true), Contains("one of equal rank to give way"));
  CHECK_THAT(told(PreemptionReason::floor, true, "", true), Contains("rule 16"));
}

TEST_CASE("checker, victim: a request for a lower or equal one, for nobody or by fifo is found", "[scheduler]") {
  const auto told = [](const SchedulingRules& rules, bool waits, PriorityBand band) {
    Scene scene(rules);
    const auto running = scene.hand_over(scene.context(in(PriorityBand::focus, "a")), 0);
    const auto waiting = scene.ready(scene.context(in(band, "b")), 0);
    scene.asks(PreemptionReason::higher_rank, running, waits ? waiting : 0, 10);
    return scene.found();
  };
  CHECK(told(wddm(), true, PriorityBand::realtime).empty());
  CHECK_THAT(told(wddm(), true, PriorityBand::normal), Contains("a packet of lower rank to give way"));
  CHECK_THAT(told(wddm(), true, PriorityBand::focus), Contains("a packet of lower rank to give way"));
  CHECK_THAT(told(wddm(), false, PriorityBand::realtime), Contains("one that waits for the node"));
  CHECK_THAT(told(of(SchedulingPolicy::fifo), true, PriorityBand::realtime),
             Contains("nothing stopped by this policy"));
}

TEST_CASE("checker, victim: a request that names what is not there, or keeps nothing out of the way, is found",
          "[scheduler]") {
  const auto told = [](PriorityBand queued_band, bool of_returned, bool for_first) {
    Scene scene(wddm());
    const auto running = scene.hand_over(scene.context(in(PriorityBand::realtime, "a")), 0);
    const auto queued = scene.hand_over(scene.context(in(queued_band, "b")), 0);
    const auto waiting = scene.ready(scene.context(in(PriorityBand::focus, "c")), 10);
    scene.asks(PreemptionReason::overtakes_queued, of_returned ? waiting : running, for_first ? running : waiting, 10,
               "dma_buffer");
    (void)queued;
    return scene.found();
  };
  CHECK(told(PriorityBand::normal, false, false).empty());
  CHECK_THAT(told(PriorityBand::realtime, false, false), Contains("something queued that is not of higher rank"));
  CHECK_THAT(told(PriorityBand::normal, true, false), Contains("a packet of this hardware queue to give way"));
  CHECK_THAT(told(PriorityBand::normal, false, true), Contains("one that waits"));
}

TEST_CASE("checker, victim: of several hardware queues the lowest gives way, and none beside an empty one",
          "[scheduler]") {
  const auto told = [](bool has_low, PriorityBand victim_band, PriorityBand other_band) {
    Scene scene(wddm(), 1, 2);
    const auto victim = scene.hand_over(scene.context(in(victim_band, "a")), 0, 0);
    if (has_low) scene.hand_over(scene.context(in(other_band, "b")), 0, 1);
    const auto waiting = scene.ready(scene.context(in(PriorityBand::realtime, "c")), 10);
    scene.asks(PreemptionReason::higher_rank, victim, waiting, 10);
    return scene.found();
  };
  CHECK(told(true, PriorityBand::normal, PriorityBand::normal).empty());
  CHECK(told(true, PriorityBand::idle, PriorityBand::focus).empty());
  CHECK_THAT(told(true, PriorityBand::focus, PriorityBand::idle), Contains("the lowest to give way (rule 13)"));
  CHECK_THAT(told(false, PriorityBand::normal, PriorityBand::normal), Contains("while a hardware queue is empty"));
}

TEST_CASE("checker, victim: a realtime packet that waits beside several running normal ones is found", "[scheduler]") {
  // As it was: a dispatch of a realtime process waited for 20 ms behind those of another process.
  const auto told = [](bool old) {
    Scene scene(wddm(), 1, 2);
    const auto one = scene.hand_over(scene.context(in(PriorityBand::normal, "a")), 0, 0);
    const auto two = scene.hand_over(scene.context(in(PriorityBand::normal, "b")), 0, 1);
    const auto waiting = scene.ready(scene.context(in(PriorityBand::realtime, "c")), 10);
    if (!old) scene.asks(PreemptionReason::higher_rank, one, waiting, 10);
    if (old) {
      scene.runs(one, 0, 20000);
    } else {
      scene.piece(one, 0, 10);
      scene.returns(10, 0);
      scene.submit(waiting, 10, 0);
      scene.runs(waiting, 10, 20);
      scene.runs(two, 0, 20000);
    }
    return scene.found();
  };
  CHECK(told(false).empty());
  CHECK_THAT(told(true), Contains("asked to stop at 10.000000 us"));
}

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
    Scene scene(wddm());
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
    Scene scene(wddm(), 1);
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
    Scene scene(wddm(), 2, queues);
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
    Scene scene(wddm(), 1, queue + 1);
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
    Scene scene(wddm(), 3);
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
    Scene scene(wddm(), 1, 2);
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
    Scene scene(wddm(), 2);
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
