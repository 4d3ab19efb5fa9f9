// SPDX-License-Identifier: Apache-2.0
// Processes take turns inside their packets (runlist.cpp); within a process as strict_priority.
#include "scheduler/policies/policy.hpp"

namespace fenceline {
namespace {

constexpr PolicyTraits time_slice_traits() {
  PolicyTraits policy = {SchedulingPolicy::time_slice, Ranks::own_process, Equals::oldest_packet,
                         choose_oldest_of_highest, judge_by_rank};
  policy.process_slices = true;
  return policy;
}

}  // namespace

const PolicyTraits time_slice_policy = time_slice_traits();

}  // namespace fenceline
