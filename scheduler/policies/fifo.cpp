// SPDX-License-Identifier: Apache-2.0
// First in, first out.
#include "scheduler/policies/policy.hpp"

namespace fenceline {
namespace {

std::size_t choose_fifo(const PolicyTraits&, const std::vector<Candidate>& candidates) {
  return first_of(candidates, [](const Candidate& a, const Candidate& b) { return a.packet < b.packet; });
}

}  // namespace

const PolicyTraits fifo_policy = {SchedulingPolicy::fifo, Ranks::ignored, Equals::oldest_packet, choose_fifo,
                                  judge_by_rank};

}  // namespace fenceline
