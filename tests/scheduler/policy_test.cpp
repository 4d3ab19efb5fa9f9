// SPDX-License-Identifier: Apache-2.0
#include "scheduler/policy.hpp"

#include "tests/scheduler/policy_contract.hpp"

#include <catch2/catch.hpp>

using namespace fenceline;

namespace {

constexpr std::uint64_t quantum = 1000;

PolicySettings with(SchedulingPolicy policy) {
  PolicySettings settings;
  settings.policy = policy;
  settings.quantum_ps.fill(quantum);
  settings.process_quantum_ps.fill(2 * quantum);
  return settings;
}

/// A context of its own process.
Candidate one(std::uint32_t id, PriorityBand band = PriorityBand::normal) {
  Candidate candidate;
  candidate.rank.band = band;
  candidate.context = candidate.process = id;
  candidate.packet = id;
  return candidate;
}

Candidate in_process(std::uint32_t id, std::uint32_t process, std::uint32_t priority, Turn turn = {}) {
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
    testing::policy_contract(policy);
  }
}

TEST_CASE("policy: wddm serves the highest band, and inside realtime the highest level", "[scheduler]") {
  const PolicySettings wddm = with(SchedulingPolicy::wddm);
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
}

TEST_CASE("policy: wddm lets a high queue go ahead of its own process's queues only", "[scheduler]") {
  const PolicySettings wddm = with(SchedulingPolicy::wddm);
  CHECK(choose_context(wddm, {in_process(1, 1, 0), in_process(2, 1, 1)}) == 1);
  CHECK(judge(wddm, in_process(2, 1, 1), in_process(1, 1, 0)).result == PreemptionAttempt::success);
  CHECK(judge(wddm, in_process(1, 1, 0), in_process(2, 1, 1)).result == PreemptionAttempt::miss_less_priority);
  // Another process's turn is not shortened by it.
  const Verdict other = judge(wddm, in_process(2, 2, 1), in_process(1, 1, 0));
  CHECK(other.result == PreemptionAttempt::miss_remaining_quantum);
  CHECK(other.retry_ps == 2 * quantum);
}

TEST_CASE("policy: wddm keeps a turn until its quantum is used up", "[scheduler]") {
  const PolicySettings wddm = with(SchedulingPolicy::wddm);
  const Candidate other = in_process(1, 1, 0, {3, false, 0});
  CHECK(choose_context(wddm, {other, in_process(2, 1, 0, {8, true, quantum - 1})}) == 1);
  CHECK(choose_context(wddm, {other, in_process(2, 1, 0, {8, true, quantum})}) == 0);
  const Verdict early = judge(wddm, other, in_process(2, 1, 0, {8, true, quantum - 1}));
  CHECK(early.result == PreemptionAttempt::miss_remaining_quantum);
  CHECK(early.retry_ps == 1);
  CHECK(judge(wddm, other, in_process(2, 1, 0, {8, true, quantum})).result == PreemptionAttempt::success);
  // Without a turn whose last one is longest ago comes next.
  CHECK(choose_context(wddm, {in_process(1, 1, 0, {5, false, 0}), in_process(2, 1, 0, {2, false, 0})}) == 1);
}

TEST_CASE("policy: wddm gives a lower band its grace period", "[scheduler]") {
  PolicySettings wddm = with(SchedulingPolicy::wddm);
  wddm.grace_ps[static_cast<std::size_t>(PriorityBand::normal)] = 70;
  Candidate focus = one(1, PriorityBand::focus);
  focus.waiting_ps = 69;
  const Verdict early = judge(wddm, focus, one(2));
  CHECK(early.result == PreemptionAttempt::miss_remaining_preemption_quantum);
  CHECK(early.retry_ps == 1);
  focus.waiting_ps = 70;
  CHECK(judge(wddm, focus, one(2)).result == PreemptionAttempt::success);
}

TEST_CASE("policy: wddm serves a starved normal context before the focus, not before realtime", "[scheduler]") {
  const PolicySettings wddm = with(SchedulingPolicy::wddm);
  Candidate normal = one(1);
  normal.starved = true;
  const Candidate focus = one(2, PriorityBand::focus);
  const Candidate realtime = one(3, PriorityBand::realtime);
  CHECK(choose_context(wddm, {focus, normal}) == 1);
  CHECK(choose_context(wddm, {focus, normal, realtime}) == 2);
  CHECK(judge(wddm, normal, focus).result == PreemptionAttempt::success);
}

TEST_CASE("policy: the others' orders", "[scheduler]") {
  const Candidate early = in_process(1, 1, 0, {7, false, 0});
  const Candidate late = in_process(2, 1, 1, {3, false, 0});
  CHECK(choose_context(with(SchedulingPolicy::fifo), {late, early}) == 1);
  CHECK(choose_context(with(SchedulingPolicy::round_robin), {early, late}) == 1);
  for (const auto policy : {SchedulingPolicy::strict_priority, SchedulingPolicy::time_slice, SchedulingPolicy::xe}) {
    CHECK(choose_context(with(policy), {early, late}) == 1);
    CHECK(judge(with(policy), late, early).result == PreemptionAttempt::success);
    CHECK(judge(with(policy), early, late).result == PreemptionAttempt::miss_less_priority);
  }
  for (const auto policy : {SchedulingPolicy::fifo, SchedulingPolicy::round_robin}) {
    CHECK(judge(with(policy), late, early).result == PreemptionAttempt::miss_less_priority);
  }
  const Candidate running = in_process(3, 1, 0, {9, true, quantum});
  CHECK(judge(with(SchedulingPolicy::xe), early, running).result == PreemptionAttempt::success);
  CHECK(judge(with(SchedulingPolicy::strict_priority), early, running).result == PreemptionAttempt::miss_less_priority);
  CHECK(judge(with(SchedulingPolicy::fifo), early, early).result == PreemptionAttempt::miss_already_running);
}

TEST_CASE("policy: the hardware queue is the context's own, else the emptiest with room", "[scheduler]") {
  using View = HardwareQueueView;
  CHECK(choose_hardware_queue({}) == no_queue);
  CHECK(choose_hardware_queue({View{2, false, false}, View{2, false, false}}) == no_queue);
  CHECK(choose_hardware_queue({View{1, true, false}, View{0, true, false}, View{0, true, false}}) == 1);
  CHECK(choose_hardware_queue({View{0, false, false}, View{3, true, false}}) == 1);
  CHECK(choose_hardware_queue({View{0, true, false}, View{1, true, true}}) == 1);
  // Its next packet must follow the ones in flight, so a full queue of its own means waiting.
  CHECK(choose_hardware_queue({View{0, true, false}, View{2, false, true}}) == no_queue);
}
