// SPDX-License-Identifier: Apache-2.0
// The rules of docs/scheduling.md before, during and after a reset: a RuleChecker goes on judging.
#include "tests/scheduler/rule_scene.hpp"

#include <catch2/catch.hpp>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

using Kind = RecoveryRecord::Step;

/// A normal packet hangs from 0 on, a second one is behind it, and at 50 the node is reset until 60.
struct Reset {
  Reset() : scene(wddm_rules()), low(scene.context(in(PriorityBand::normal, "a"))) {
    high = scene.context(in(PriorityBand::realtime, "b"));
    hangs = scene.hand_over(low, 0);
    behind = scene.hand_over(low, 0);
  }
  void reset() {
    scene.recovers(Kind::held, 50);
    scene.recovers(Kind::engine_reset, 50);
    scene.piece(hangs, 0, 50);
    scene.recovers(Kind::returned, 60, behind);
    scene.aborted(hangs, 60);
    scene.recovers(Kind::working, 60);
    scene.wants(behind, 60);
  }
  Scene scene;
  std::size_t low;
  std::size_t high;
  std::uint64_t hangs;
  std::uint64_t behind;
};

bool tells_of(const Reset& reset, const char* text) { return reset.scene.found().find(text) != std::string::npos; }

}  // namespace

TEST_CASE("rule checker: what a reset takes back runs again", "[scheduler]") {
  Reset one;
  one.reset();
  one.scene.submit(one.behind, 60);
  one.scene.runs(one.behind, 60, 70);
  CHECK(one.scene.found().empty());
}

TEST_CASE("rule checker: nobody is asked to stop while a node is being reset", "[scheduler]") {
  Reset one;
  const std::uint64_t waits = one.scene.ready(one.high, 49);
  one.scene.asks(PreemptionReason::higher_rank, one.hangs, waits, 49);
  one.reset();
  CHECK(one.scene.found().empty());
}

TEST_CASE("rule checker: after a reset the higher rank still goes first", "[scheduler]") {
  Reset one;
  one.reset();
  one.scene.ready(one.high, 60);
  one.scene.submit(one.behind, 60);
  CHECK(tells_of(one, "(rule 5)"));
}

TEST_CASE("rule checker: after a reset what runs is still asked to stop for a higher rank", "[scheduler]") {
  Reset one;
  one.reset();
  one.scene.submit(one.behind, 60);
  one.scene.ready(one.high, 65);
  one.scene.piece(one.behind, 60, 70, false);
  CHECK(tells_of(one, "rule 9"));
}

TEST_CASE("rule checker: before a reset a request that the rules do not allow is told of", "[scheduler]") {
  Reset one;
  const std::uint64_t waits = one.scene.ready(one.low, 40);
  one.scene.asks(PreemptionReason::higher_rank, one.hangs, waits, 40);
  one.reset();
  CHECK(tells_of(one, "lower rank to give way"));
}
