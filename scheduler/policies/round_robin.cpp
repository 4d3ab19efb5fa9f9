// SPDX-License-Identifier: Apache-2.0
// Contexts in turn, a packet each.
#include "scheduler/policies/policy.hpp"

namespace fenceline {
namespace {

std::size_t choose_round_robin(const PolicyTraits&, const std::vector<Candidate>& candidates) {
  return first_of(candidates,
                  [](const Candidate& a, const Candidate& b) { return a.last_submission < b.last_submission; });
}

}  // namespace

const PolicyTraits round_robin_policy = {SchedulingPolicy::round_robin, Ranks::ignored, Equals::longest_idle,
                                         choose_round_robin, judge_by_rank};

}  // namespace fenceline
