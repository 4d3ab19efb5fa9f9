// SPDX-License-Identifier: Apache-2.0
#include "scheduler/policies/policy.hpp"

#include "tests/scheduler/policy_contract.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

constexpr std::uint64_t quantum = 1000;

const PolicyTraits& wddm = wddm_policy;

/// A context of its own process.
Candidate one(std::uint32_t id, PriorityBand band = PriorityBand::normal) {
  Candidate candidate;
  candidate.rank.band = band;
  candidate.context = candidate.process = id;
  candidate.packet = id;
  candidate.allowance.quantum_ps = quantum;
  candidate.allowance.process_quantum_ps = 2 * quantum;
  return candidate;
}

Candidate in_process(std::uint32_t id, std::uint32_t process, int priority, const Standing& turn = {}) {
  Candidate candidate = one(id);
  candidate.process = process;
  candidate.rank.in_process = priority;
  candidate.context_turn = turn;
  return candidate;
}

}  // namespace

TEST_CASE("policy: each keeps the policy contract", "[scheduler]") {
  for (const auto& [policy, name] : enum_names(SchedulingPolicy{})) {
    INFO(name);
    CHECK(traits_of(policy).policy == policy);
    policy_contract(traits_of(policy));
  }
}

TEST_CASE("policy: wddm serves the highest band, and inside one the highest level", "[scheduler]") {
  const Candidate idle = one(1, PriorityBand::idle);
  const Candidate normal = one(2);
  const Candidate focus = one(3, PriorityBand::focus);
  Candidate low = one(4, PriorityBand::realtime);
  Candidate high = one(5, PriorityBand::realtime);
  high.rank.level = highest_realtime_level;
  CHECK(choose_context(wddm, {idle, normal, focus, low, high}) == 4);
  CHECK(choose_context(wddm, {idle, normal, focus, low}) == 3);
  CHECK(choose_context(wddm, {idle, normal, focus}) == 2);
  CHECK(choose_context(wddm, {idle, normal}) == 1);
  CHECK(judge(wddm, high, low).result == PreemptionAttempt::success);
  CHECK(judge(wddm, focus, normal).result == PreemptionAttempt::success);
  CHECK(judge(wddm, normal, focus).result == PreemptionAttempt::miss_less_priority);
  Candidate above_normal = one(6);
  above_normal.rank.level = 2;
  CHECK(choose_context(wddm, {normal, above_normal}) == 1);
  CHECK(judge(wddm, above_normal, normal).reason == PreemptionReason::higher_rank);
  CHECK(judge(wddm, above_normal, focus).result == PreemptionAttempt::miss_less_priority);
}

TEST_CASE("policy: wddm lets a high queue go ahead of its own process's queues only", "[scheduler]") {
  CHECK(choose_context(wddm, {in_process(1, 1, 0), in_process(2, 1, 1)}) == 1);
  CHECK(choose_context(wddm, {in_process(1, 1, 0), in_process(2, 1, -7)}) == 0);
  CHECK(judge(wddm, in_process(2, 1, 1), in_process(1, 1, 0)).result == PreemptionAttempt::success);
  CHECK(judge(wddm, in_process(1, 1, 0), in_process(2, 1, 1)).result == PreemptionAttempt::miss_less_priority);
  // Another process's turn is not shortened by it.
  const PreemptionVerdict other = judge(wddm, in_process(2, 2, 1), in_process(1, 1, 0));
  CHECK(other.result == PreemptionAttempt::miss_remaining_quantum);
  CHECK(other.retry_ps == 2 * quantum);
}

TEST_CASE("policy: wddm keeps a turn until its quantum is used up, then goes in order of arrival", "[scheduler]") {
  const auto turn = [](bool has, std::uint64_t used_ps, std::uint64_t arrived_ps) {
    return Standing{has, used_ps, 0, {arrived_ps, 0}};
  };
  const Candidate other = in_process(1, 1, 0, turn(false, 0, 3));
  CHECK(choose_context(wddm, {other, in_process(2, 1, 0, turn(true, quantum - 1, 8))}) == 1);
  CHECK(choose_context(wddm, {other, in_process(2, 1, 0, turn(true, quantum, 8))}) == 0);
  const PreemptionVerdict early = judge(wddm, other, in_process(2, 1, 0, turn(true, quantum - 1, 8)));
  CHECK(early.result == PreemptionAttempt::miss_remaining_quantum);
  CHECK(early.retry_ps == 1);
  CHECK(judge(wddm, other, in_process(2, 1, 0, turn(true, quantum, 8))).result == PreemptionAttempt::success);
  CHECK(choose_context(wddm, {in_process(1, 1, 0, turn(false, 0, 5)), in_process(2, 1, 0, turn(false, 0, 2))}) == 1);
}

TEST_CASE("policy: after its turn a process has its grace period, from when somebody else came", "[scheduler]") {
  Candidate running = one(1);
  running.allowance.process_grace_ps = 70;
  running.process_turn = {true, 2 * quantum, 0, {}};
  Candidate waiting = one(2);
  waiting.waiting_ps = 3 * quantum;
  CHECK(judge(wddm, waiting, running).retry_ps == 70);  // the turn has just ended
  running.process_turn.used_ps = 2 * quantum + 69;
  CHECK(judge(wddm, waiting, running).retry_ps == 1);
  running.process_turn.used_ps = 2 * quantum + 70;
  CHECK(judge(wddm, waiting, running).result == PreemptionAttempt::success);
  waiting.waiting_ps = 10;  // it came later
  CHECK(judge(wddm, waiting, running).retry_ps == 60);
}

TEST_CASE("policy: wddm gives a lower band its grace period, but not the idle band", "[scheduler]") {
  Candidate normal = one(2);
  normal.allowance.grace_ps = 70;
  Candidate focus = one(1, PriorityBand::focus);
  focus.waiting_ps = 69;
  const PreemptionVerdict early = judge(wddm, focus, normal);
  CHECK(early.result == PreemptionAttempt::miss_remaining_preemption_quantum);
  CHECK(early.retry_ps == 1);
  focus.waiting_ps = 70;
  CHECK(judge(wddm, focus, normal).result == PreemptionAttempt::success);
  Candidate idle = one(3, PriorityBand::idle);
  idle.allowance.grace_ps = 70;
  focus.waiting_ps = 0;
  CHECK(judge(wddm, focus, idle).result == PreemptionAttempt::success);
}

TEST_CASE("policy: wddm serves the normal band before the focus in its part of the time", "[scheduler]") {
  Candidate normal = one(1);
  normal.floor = true;
  Candidate focus = one(2, PriorityBand::focus);
  focus.allowance.grace_ps = 1000;
  const Candidate realtime = one(3, PriorityBand::realtime);
  CHECK(choose_context(wddm, {focus, normal}) == 1);
  CHECK(choose_context(wddm, {focus, normal, realtime}) == 2);
  CHECK(judge(wddm, normal, focus).result == PreemptionAttempt::success);  // no grace
  CHECK(judge(wddm, normal, focus).reason == PreemptionReason::floor);
  normal.floor = false;
  normal.by_floor = true;  // it has had its part
  normal.allowance.grace_ps = 1000;
  CHECK(judge(wddm, focus, normal).reason == PreemptionReason::floor);
  normal.by_floor = false;
  CHECK(judge(wddm, focus, normal).result == PreemptionAttempt::miss_remaining_preemption_quantum);
}

TEST_CASE("policy: the others' orders", "[scheduler]") {
  Candidate early = in_process(1, 1, 0);
  early.last_submission = 7;
  Candidate late = in_process(2, 1, 1);
  late.last_submission = 3;
  CHECK(choose_context(fifo_policy, {late, early}) == 1);
  CHECK(choose_context(round_robin_policy, {early, late}) == 1);
  for (const PolicyTraits* policy : {&strict_priority_policy, &time_slice_policy, &xe_policy}) {
    CHECK(choose_context(*policy, {early, late}) == 1);
    CHECK(judge(*policy, late, early).result == PreemptionAttempt::success);
    CHECK(judge(*policy, early, late).result == PreemptionAttempt::miss_less_priority);
  }
  for (const PolicyTraits* policy : {&fifo_policy, &round_robin_policy}) {
    CHECK(judge(*policy, late, early).result == PreemptionAttempt::miss_less_priority);
  }
  const Candidate running = in_process(3, 1, 0, {true, quantum, 0, {}});
  CHECK(judge(xe_policy, early, running).result == PreemptionAttempt::success);
  CHECK(judge(strict_priority_policy, early, running).result == PreemptionAttempt::miss_less_priority);
  CHECK(judge(fifo_policy, early, early).result == PreemptionAttempt::miss_already_running);
}

TEST_CASE("policy: strict priority boosts a process's own packets only", "[scheduler]") {
  const Candidate mine = in_process(1, 1, 0);
  const Candidate other = in_process(2, 2, 0);
  const Candidate boosted = in_process(3, 1, 1);
  const Candidate foreign = in_process(4, 2, 5);
  const PolicyTraits& strict = strict_priority_policy;
  CHECK(choose_context(strict, {mine, other, boosted}) == 2);  // takes the place of `mine`, which came first
  CHECK(choose_context(strict, {other, boosted}) == 0);
  CHECK(judge(strict, foreign, mine).result == PreemptionAttempt::miss_less_priority);
  CHECK(choose_context(xe_policy, {mine, foreign}) == 1);  // there it counts against everybody
}

TEST_CASE("policy: of several hardware queues each holds one context's packets", "[scheduler]") {
  using View = HardwareQueueView;
  CHECK(choose_hardware_queue({}) == no_queue);
  CHECK(choose_hardware_queue({View{2, false}, View{2, false}}) == no_queue);
  CHECK(choose_hardware_queue({View{1, true}, View{0, true}, View{0, true}}) == 1);
  CHECK(choose_hardware_queue({View{0, false}, View{3, true}}) == no_queue);
  CHECK(choose_hardware_queue({View{0, true}, View{0, true, true}}) == 1);  // its turn there goes on
}

TEST_CASE("policy: wddm's choice does not depend on the order in which it is asked", "[scheduler]") {
  // With several hardware queues a process has a turn on each: 2 and 3 are of one process, 3 has its turn, 2 goes
  // before 3 for its in-process priority, 1 came before both. By pairs: 3 before 1 before 2 before 3. Where 2 goes it
  // is not its process's turn: 1 is first; with the turn there 2 is.
  const auto arrived = [](std::uint64_t at_ps, bool has) { return Standing{has, 0, 0, {at_ps, 0}}; };
  Candidate other = in_process(1, 1, 0);
  other.process_turn = arrived(1, false);
  Candidate higher = in_process(2, 2, 0);
  higher.process_turn = arrived(2, false);
  Candidate lower = in_process(3, 2, -4);
  lower.process_turn = arrived(2, true);
  std::vector<Candidate> candidates = {other, higher, lower};
  do {
    CHECK(candidates[choose_context(wddm, candidates)].context == 1);
  } while (std::next_permutation(candidates.begin(), candidates.end(),
                                 [](const Candidate& a, const Candidate& b) { return a.context < b.context; }));
  higher.process_turn = arrived(2, true);
  candidates = {other, higher, lower};
  do {
    CHECK(candidates[choose_context(wddm, candidates)].context == 2);
  } while (std::next_permutation(candidates.begin(), candidates.end(),
                                 [](const Candidate& a, const Candidate& b) { return a.context < b.context; }));
  // Of those that run, 3 began last, but is the lowest of its process, whose 2 began first.
  other.process_turn.begun_ps = 5;
  higher.process_turn.begun_ps = 1;
  lower.process_turn.begun_ps = 9;
  candidates = {other, higher, lower};
  do {
    CHECK(candidates[choose_victim(wddm, candidates)].context == 3);
  } while (std::next_permutation(candidates.begin(), candidates.end(),
                                 [](const Candidate& a, const Candidate& b) { return a.context < b.context; }));
  other.rank.band = PriorityBand::idle;  // the band decides first
  CHECK(choose_victim(wddm, {higher, other, lower}) == 1);
}

TEST_CASE("policy: whose turn is over goes behind those that came later, as it would be stopped for them at once",
          "[scheduler]") {
  // 1 came at 1 and has used its turn up, when it was alone; 2 came at 9. Quanta: 1000 of a context, 2000 of a process.
  const auto turn = [](std::uint64_t used_ps, std::uint64_t at_ps) {
    return Standing{used_ps > 0, used_ps, 0, {at_ps, 0}};
  };
  for (const std::uint64_t used_ps : {quantum, 3 * quantum}) {
    const Candidate old = in_process(1, 1, 0, turn(used_ps, 1));
    const Candidate late = in_process(2, 1, 0, turn(0, 9));
    CHECK(choose_context(wddm, {old, late}) == 1);
    CHECK(choose_context(xe_policy, {old, late}) == 1);
    CHECK(judge(wddm, late, old).result == PreemptionAttempt::success);
  }
  Candidate old = one(1);
  Candidate late = one(2);
  old.process_turn = turn(2 * quantum, 1);
  late.process_turn = turn(0, 9);
  CHECK(choose_context(wddm, {old, late}) == 1);
  CHECK(judge(wddm, late, old).result == PreemptionAttempt::success);
  old.process_turn = turn(2 * quantum - 1, 1);  // a picosecond is left
  CHECK(choose_context(wddm, {old, late}) == 0);
  CHECK(choose_context(wddm, {in_process(1, 1, 0, turn(quantum, 1))}) == 0);  // nobody else wants it
}
