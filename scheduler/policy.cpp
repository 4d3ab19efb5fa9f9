// SPDX-License-Identifier: Apache-2.0
#include "scheduler/policy.hpp"

#include <algorithm>

namespace fenceline {

std::size_t choose_context(const std::vector<Candidate>& candidates, std::uint64_t quantum_ps) {
  const auto before = [&](const Candidate& a, const Candidate& b) {
    if (a.priority != b.priority) return a.priority > b.priority;
    const bool a_keeps = a.has_turn && a.turn_used_ps < quantum_ps;
    const bool b_keeps = b.has_turn && b.turn_used_ps < quantum_ps;
    if (a_keeps != b_keeps) return a_keeps;
    return a.last_turn < b.last_turn;
  };
  return static_cast<std::size_t>(std::min_element(candidates.begin(), candidates.end(), before) - candidates.begin());
}

bool worth_preempting(int ready_priority, const std::vector<int>& waiting_priorities) {
  return std::any_of(waiting_priorities.begin(), waiting_priorities.end(),
                     [=](int waiting) { return waiting < ready_priority; });
}

std::size_t choose_hardware_queue(const std::vector<HardwareQueueView>& queues) {
  std::size_t best = no_queue;
  for (std::size_t i = 0; i < queues.size(); ++i) {
    if (queues[i].holds_context) return queues[i].has_room ? i : no_queue;
    if (queues[i].has_room && (best == no_queue || queues[i].packets < queues[best].packets)) best = i;
  }
  return best;
}

}  // namespace fenceline
