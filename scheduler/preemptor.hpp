// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/candidates.hpp"
#include "scheduler/context_log.hpp"
#include "scheduler/policies/policy.hpp"
#include "scheduler/state/scheduler_state.hpp"

#include <cstdint>

namespace fenceline {

/// Asks engines to stop what has to give way, as the policy judges it, and counts the attempts.
///
/// A request comes from one of six: in each round of a node judge_queues (what waits behind the running packet),
/// judge_places (what waits for places on the shader array), QueueFiller (attempt and attempt_any, for what waits in a
/// software queue) and yield_waits; RunlistTurns, when a process's turn is over; and Scheduler, for a context that is
/// suspended or that a program wants stopped.
class Preemptor {
 public:
  Preemptor(SchedulerState& state, const Candidates& candidates, const ContextLog& log);

  /// What waits in the node's hardware queues, and what waits for places on the shader array, may have others stopped.
  void judge_queues(Node& node);
  void judge_places(Node& node);
  /// A packet wants to go where there is no room: of those that may be stopped for it the lowest is.
  void attempt_any(Node& node, const Candidate& waiting);
  /// Whether something in the hardware queue has to give way to the packet; if so the engine is asked to stop. True:
  /// the packet is not handed over now. `has_place`: it could be, behind what runs.
  bool attempt(Node& node, std::uint32_t queue, const Candidate& waiting, bool has_place = true);
  /// A wait on the hardware gives way to other contexts that could run.
  void yield_waits(Node& node);

  /// Of a request: who has to give way, and for whom. 0: nobody in particular.
  struct Parties {
    std::uint64_t victim = 0;  ///< id of the queue packet
    std::uint64_t beneficiary = 0;
  };
  /// Asks the engine to stop what the hardware queue holds, not finer than `finest`. Not while an answer is
  /// outstanding.
  void request(Node& node, std::uint32_t queue, PreemptionReason reason, const Parties& parties,
               PreemptionLevel finest = finest_preemption_level);
  /// An answer is outstanding for which what runs there goes on, though it could be stopped.
  bool only_withholds(const Node& node, std::uint32_t queue) const;
  /// It is to be stopped, too.
  void deepen(Node& node, std::uint32_t queue, PreemptionReason reason, const Parties& parties);
  /// Counts an attempt of the packet `waiting`, 0: of none in particular.
  void count_attempt(Node& node, std::uint32_t queue, std::uint64_t waiting, PreemptionAttempt result);
  /// Who has not answered for too long is told of, and no more happens.
  bool warns() const { return timeout_ps_ != Node::never && !s_.tdr.watches(); }
  void warn_overdue(Node& node);

 private:
  PreemptionVerdict verdict(const Node& node, std::uint32_t queue, const Candidate& waiting) const;
  bool has_to_withhold(const Node& node, std::uint32_t queue, const Candidate& waiting) const;
  PreemptionAttempt miss_of(const Node& node, std::uint32_t queue, PreemptionAttempt miss) const;
  void count(Node& node, std::uint32_t queue, const Candidate& waiting, PreemptionAttempt result);
  void log_request(const Node& node, std::uint32_t queue, PreemptionReason reason, const Parties& parties);

  SchedulerState& s_;
  const Candidates& candidates_;
  const ContextLog& log_;
  std::uint64_t timeout_ps_;  // Node::never: the policy has none
};

}  // namespace fenceline
