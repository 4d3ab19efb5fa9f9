// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/policies/candidate.hpp"
#include "scheduler/policies/scheduling_policy.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fenceline {

/// What ranks are for.
enum class Ranks : std::uint8_t {
  ignored,      ///< nothing: nobody is stopped for a higher one
  own_process,  ///< bands and levels count against everybody, in-process priorities against the own process
  everybody,    ///< in-process priorities count against everybody, too
};

/// Who goes first among equals.
enum class Equals : std::uint8_t {
  oldest_packet,  ///< the packet that was submitted first
  longest_idle,   ///< the context whose last submission to the node is longest ago
  turns,          ///< they take turns of so much engine time
};

/// What a policy is made of: what the scheduler, the checker of its rules and those who represent many contexts by a
/// few ask about it. All pure: state in, choice out.
struct PolicyTraits {
  SchedulingPolicy policy;  ///< which it is
  Ranks ranks;              ///< what ranks are for
  Equals equals;            ///< who goes first among equals
  /// As choose_context, of two or more.
  std::size_t (*choose)(const PolicyTraits& policy, const std::vector<Candidate>& candidates);
  /// As judge, of two contexts.
  PreemptionVerdict (*judge)(const PolicyTraits& policy, const Candidate& waiting, const Candidate& running);
  bool process_turns = false;  ///< with turns: processes take them, and within each its contexts; else contexts alone
  bool bands = false;  ///< quanta, grace periods, the normal band's floor and the focus are those of WDDM's bands
  bool process_slices = false;  ///< processes take turns on a runlist's engines, inside their packets
  bool stop_timeout = false;    ///< a request to preempt that is not answered in preemption_timeout_us is told of

  bool has_ranks() const { return ranks != Ranks::ignored; }  ///< somebody outranks somebody
  bool has_turns() const { return equals == Equals::turns; }  ///< equals take turns
  /// Turns of contexts are as long as the policy's time slice.
  bool context_slices() const { return has_turns() && !bands; }
};

}  // namespace fenceline
