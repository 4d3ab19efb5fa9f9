// SPDX-License-Identifier: Apache-2.0
// The checker's rules about who goes first and who gives way: for each a run as it should be, which passes, and the
// same run as schedulers have had it, which is found.
#include "tests/scheduler/rule_scene.hpp"
#include "tests/support/units.hpp"

#include <catch2/catch.hpp>

#include <cstdint>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Matchers::Contains;

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
  CHECK_THAT(told(wddm_rules(), low, high), Contains("higher rank before the lower one (rule 5)"));
  CHECK(told(wddm_rules(), high, low).empty());
  low = high = in(PriorityBand::normal, "a");
  high.in_process = 1;
  CHECK_THAT(told(wddm_rules(), low, high), Contains("rule 5"));
  CHECK_THAT(told(rules_under(SchedulingPolicy::strict_priority), low, high), Contains("rule 5"));
  high.process = "b";  // it counts within its process only
  CHECK(told(wddm_rules(), low, high).empty());
  CHECK_THAT(told(rules_under(SchedulingPolicy::xe), low, high), Contains("rule 5"));  // but not there
  CHECK(told(rules_under(SchedulingPolicy::fifo), low, high).empty());
  Scene scene(rules_under(SchedulingPolicy::fifo));
  const auto one = scene.ready(scene.context(low), 0);
  const auto two = scene.ready(scene.context(high), 0);
  scene.submit(two, 0);
  scene.submit(one, 0);
  CHECK_THAT(scene.found(), Contains("in the order of their submission (fifo)"));
}

TEST_CASE("checker, order: an empty hardware queue goes to the higher rank", "[scheduler]") {
  // As it was: bands meant nothing where there are several hardware queues.
  const auto told = [](bool old) {
    Scene scene(wddm_rules(), 2, 2);
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
    Scene scene(wddm_rules(), 2);
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
    Scene scene(wddm_rules(), 1);
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
    Scene scene(wddm_rules(quantum_us), 1);
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
    Scene scene(wddm_rules(1000));
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
    Scene scene(wddm_rules(100), 1);
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
    Scene scene(rules_under(policy), 1);
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
    Scene scene(wddm_rules(100000), 3);
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
    Scene scene(wddm_rules());
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
  CHECK(told(wddm_rules(), true, PriorityBand::realtime).empty());
  CHECK_THAT(told(wddm_rules(), true, PriorityBand::normal), Contains("a packet of lower rank to give way"));
  CHECK_THAT(told(wddm_rules(), true, PriorityBand::focus), Contains("a packet of lower rank to give way"));
  CHECK_THAT(told(wddm_rules(), false, PriorityBand::realtime), Contains("one that waits for the node"));
  CHECK_THAT(told(rules_under(SchedulingPolicy::fifo), true, PriorityBand::realtime),
             Contains("nothing stopped by this policy"));
}

TEST_CASE("checker, victim: a request that names what is not there, or keeps nothing out of the way, is found",
          "[scheduler]") {
  const auto told = [](PriorityBand queued_band, bool of_returned, bool for_first) {
    Scene scene(wddm_rules());
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
    Scene scene(wddm_rules(), 1, 2);
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
    Scene scene(wddm_rules(), 1, 2);
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
