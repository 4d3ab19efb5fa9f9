// SPDX-License-Identifier: Apache-2.0
#include "scheduler/policies/turn_order.hpp"

#include <algorithm>

namespace fenceline {

bool before_by_turn(const Standing& a, std::uint64_t a_quantum_ps, const Standing& b, std::uint64_t b_quantum_ps) {
  const auto place = [](const Standing& turn, std::uint64_t quantum_ps) {
    return keeps_turn(turn, quantum_ps) ? 0 : turn.has ? 2 : 1;
  };
  const int a_place = place(a, a_quantum_ps);
  const int b_place = place(b, b_quantum_ps);
  return a_place != b_place ? a_place < b_place : a.arrival < b.arrival;
}

bool before_in_process(const Candidate& a, const Candidate& b) {
  if (a.rank.in_process != b.rank.in_process) return a.rank.in_process > b.rank.in_process;
  return before_by_turn(a.context_turn, a.allowance.quantum_ps, b.context_turn, b.allowance.quantum_ps);
}

PreemptionVerdict after_turn(const Candidate& waiting, const Standing& turn, std::uint64_t quantum_ps,
                             std::uint64_t grace_ps) {
  const std::uint64_t over_ps = turn.used_ps < quantum_ps ? 0 : std::min(turn.used_ps - quantum_ps, waiting.waiting_ps);
  const std::uint64_t turn_left_ps = turn.used_ps < quantum_ps ? quantum_ps - turn.used_ps : 0;
  const std::uint64_t left_ps = turn_left_ps + (grace_ps - std::min(grace_ps, over_ps));
  if (left_ps > 0) return {PreemptionAttempt::miss_remaining_quantum, left_ps, PreemptionReason::quantum};
  return {PreemptionAttempt::success, 0, PreemptionReason::quantum};
}

}  // namespace fenceline
