// SPDX-License-Identifier: Apache-2.0
// Linux's Xe: the highest rank at once, equal ones in time slices.
#include "scheduler/policies/policy.hpp"
#include "scheduler/policies/turn_order.hpp"

namespace fenceline {
namespace {

bool before(const Candidate& a, const Candidate& b) {
  if (height_of(a.rank) != height_of(b.rank)) return height_of(a.rank) > height_of(b.rank);
  return before_in_process(a, b);  // of any process
}

std::size_t choose_xe(const PolicyTraits&, const std::vector<Candidate>& candidates) {
  return first_of(candidates, before);
}

PreemptionVerdict judge_xe(const PolicyTraits& policy, const Candidate& waiting, const Candidate& running) {
  const PreemptionVerdict by_rank = judge_by_rank(policy, waiting, running);
  if (by_rank.result == PreemptionAttempt::success || outranks(policy, running, waiting)) return by_rank;
  return after_turn(waiting, running.context_turn, running.allowance.quantum_ps, 0);
}

constexpr PolicyTraits xe_traits() {
  PolicyTraits policy = {SchedulingPolicy::xe, Ranks::everybody, Equals::turns, choose_xe, judge_xe};
  policy.stop_timeout = true;
  return policy;
}

}  // namespace

const PolicyTraits xe_policy = xe_traits();

}  // namespace fenceline
