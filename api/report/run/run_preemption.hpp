// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/preemption_stats.hpp"
#include "scheduler/policies/preemption_attempts.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace fenceline {

class Machine;
class PreemptionSink;
class StatsSink;

/// Preemption on one node, or on all: what was attempted, what was done and what it cost.
struct NodePreemption : PreemptionStats {
  std::array<std::uint64_t, preemption_attempt_results> attempts{};  ///< by PreemptionAttempt
  std::uint64_t attempted() const;                                   ///< of all results
  std::uint64_t missed() const;                                      ///< without success
};

/// Preemption of a run.
struct RunPreemption {
  std::vector<NodePreemption> nodes;  ///< those with anything to tell, in the machine's order
  NodePreemption total;               ///< all nodes together
};

/// Of a machine that ran with these sinks.
RunPreemption preemption_of(const Machine& machine, const PreemptionSink& sink, const StatsSink& stats);

}  // namespace fenceline
