// SPDX-License-Identifier: Apache-2.0
// The checker's rules about turns: quantum and grace. For each a run as it should be, which passes, and the same run as
// schedulers have had it, which is found.
#include "tests/scheduler/rule_scene.hpp"
#include "tests/support/units.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <string>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Matchers::Contains;

namespace {

/// Two processes with a packet of 5 ms each and a quantum; both are in the hardware queue. The first one stops when it
/// is asked to, `never`: runs to its end.
std::string two_packets(std::uint64_t quantum_us, std::uint64_t grace_us, std::uint64_t second_comes_us,
                        std::uint64_t asked_us) {
  Scene scene(wddm_rules(quantum_us, grace_us));
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
  Scene scene(wddm_rules());
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
    Scene scene(wddm_rules(1000), 3);
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
    Scene scene(wddm_rules(1000), 1);
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
  CHECK(told(wddm_rules(700), "a", 300).empty());
  CHECK_THAT(told(wddm_rules(700), "a", 5000), Contains("asked to stop at 300.000000 us"));
  CHECK_THAT(told(wddm_rules(700), "a", 299), Contains("left alone until its turn is over"));
  CHECK_THAT(told(wddm_rules(700), "b", 5000), Contains("asked to stop at 700.000000 us"));
  CHECK(told(rules_under(SchedulingPolicy::xe), "b", 300).empty());
  CHECK_THAT(told(rules_under(SchedulingPolicy::xe), "b", 5000), Contains("asked to stop at 300.000000 us"));
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
  CHECK(told(wddm_rules(), higher, 1100).empty());
  CHECK_THAT(told(wddm_rules(), higher, 1099), Contains("left alone until its turn is over at 1100.000000 us"));
  CHECK_THAT(told(wddm_rules(), higher, 1700), Contains("asked to stop at 1100.000000 us"));
  higher.process = "b";  // Xe compares all contexts
  CHECK(told(rules_under(SchedulingPolicy::xe), higher, 1100).empty());
  CHECK_THAT(told(rules_under(SchedulingPolicy::xe), higher, 1099), Contains("rule 10"));
  CHECK_THAT(told(rules_under(SchedulingPolicy::xe), higher, 1700), Contains("asked to stop at 1100.000000 us"));
  higher = in(PriorityBand::realtime, "b");
  CHECK(told(wddm_rules(), higher, 1100).empty());
  CHECK_THAT(told(wddm_rules(), higher, 1099), Contains("rule 10"));
}

TEST_CASE("checker, quantum: what the scheduler has not learned when a rank changes is of the new rank's turn",
          "[scheduler]") {
  // Turns of 1 ms. a runs for 600, 100 and more us; the scheduler learns of the first end at `known`. At `moved` a and
  // b have another rank: with the first packet the turn is over at 1000, without it at 1600.
  const auto told = [](PriorityBand band, std::uint64_t moved_us, std::uint64_t known_us, std::uint64_t asked_us) {
    Scene scene(wddm_rules(1000), 3);
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
    Scene scene(wddm_rules(1000), 3);
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
    Scene scene(wddm_rules());
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
