// SPDX-License-Identifier: Apache-2.0
// WDDM: bands, quanta and grace periods, focus, a floor for the normal band. docs/scheduling.md has its rules.
#include "scheduler/policies/policy.hpp"
#include "scheduler/policies/turn_order.hpp"

#include <algorithm>
#include <numeric>

namespace fenceline {
namespace {

/// Of each process the context that is next, and of those the one whose process is. A context's turn, and its
/// process's, are those on the hardware queue where it stands: a process is judged by the queue to which its packet
/// goes, or what it sends there would have to make way at once.
std::size_t choose_wddm(const PolicyTraits& policy, const std::vector<Candidate>& candidates) {
  const auto height_of = [&policy](const Candidate& one) { return height(policy, one); };
  std::vector<std::size_t> order(candidates.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    const Candidate& a = candidates[i];
    const Candidate& b = candidates[j];
    if (a.process != b.process) return a.process < b.process;
    return height_of(a) != height_of(b) ? height_of(a) > height_of(b) : before_in_process(a, b);
  });
  const auto first_of_process = std::unique(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    return candidates[i].process == candidates[j].process;
  });
  return *std::min_element(order.begin(), first_of_process, [&](std::size_t i, std::size_t j) {
    const Candidate& a = candidates[i];
    const Candidate& b = candidates[j];
    if (height_of(a) != height_of(b)) return height_of(a) > height_of(b);
    return before_by_turn(a.process_turn, a.allowance.process_quantum_ps, b.process_turn,
                          b.allowance.process_quantum_ps);
  });
}

/// The parts of normal and focus band beside each other know no grace.
bool by_floor(const Candidate& waiting, const Candidate& running) {
  const auto is = [](const Candidate& one, PriorityBand band) { return one.rank.band == band; };
  if (is(waiting, PriorityBand::normal) && is(running, PriorityBand::focus)) return waiting.floor;
  return is(waiting, PriorityBand::focus) && is(running, PriorityBand::normal) && running.by_floor;
}

PreemptionVerdict judge_wddm(const PolicyTraits& policy, const Candidate& waiting, const Candidate& running) {
  if (outranks(policy, waiting, running)) {
    if (by_floor(waiting, running)) return {PreemptionAttempt::success, 0, PreemptionReason::floor};
    const bool idle = running.rank.band == PriorityBand::idle;
    const std::uint64_t grace_ps = idle ? 0 : running.allowance.grace_ps;
    if (waiting.waiting_ps >= grace_ps) return {PreemptionAttempt::success, 0, PreemptionReason::higher_rank};
    return {PreemptionAttempt::miss_remaining_preemption_quantum, grace_ps - waiting.waiting_ps};
  }
  if (outranks(policy, running, waiting)) return {};
  const Allowance& allowance = running.allowance;
  return waiting.process == running.process
             ? after_turn(waiting, running.context_turn, allowance.quantum_ps, allowance.grace_same_priority_ps)
             : after_turn(waiting, running.process_turn, allowance.process_quantum_ps, allowance.process_grace_ps);
}

constexpr PolicyTraits wddm_traits() {
  PolicyTraits policy = {SchedulingPolicy::wddm, Ranks::own_process, Equals::turns, choose_wddm, judge_wddm};
  policy.process_turns = true;
  policy.bands = true;
  return policy;
}

}  // namespace

const PolicyTraits wddm_policy = wddm_traits();

}  // namespace fenceline
