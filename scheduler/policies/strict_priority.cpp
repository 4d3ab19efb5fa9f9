// SPDX-License-Identifier: Apache-2.0
// The highest rank at once; equal ones in the order submitted.
#include "scheduler/policies/policy.hpp"

namespace fenceline {

const PolicyTraits strict_priority_policy = {SchedulingPolicy::strict_priority, Ranks::own_process,
                                             Equals::oldest_packet, choose_oldest_of_highest, judge_by_rank};

}  // namespace fenceline
