// SPDX-License-Identifier: Apache-2.0
#include "scheduler/policies/policy.hpp"

#include <algorithm>
#include <numeric>

namespace fenceline {
namespace {

/// Bands and levels as one number. While it is its part of the time the normal band goes before the focus band.
std::uint32_t height(SchedulingPolicy policy, const Candidate& one) {
  if (policy != SchedulingPolicy::wddm || !one.floor) return height_of(one.rank);
  constexpr std::uint32_t above_focus = 8;  // more than the levels of either band
  return height_of({PriorityBand::focus, above_focus + one.rank.level, 0});
}

bool keeps(const Standing& turn, std::uint64_t quantum_ps) { return turn.has && turn.used_ps < quantum_ps; }

/// Whose turn it is goes first, then whoever came first, and last whose turn is over: it was, perhaps, before anybody
/// else came.
bool by_turn(const Standing& a, std::uint64_t a_quantum_ps, const Standing& b, std::uint64_t b_quantum_ps) {
  const auto place = [](const Standing& turn, std::uint64_t quantum_ps) {
    return keeps(turn, quantum_ps) ? 0 : turn.has ? 2 : 1;
  };
  const int a_place = place(a, a_quantum_ps);
  const int b_place = place(b, b_quantum_ps);
  return a_place != b_place ? a_place < b_place : a.arrival < b.arrival;
}

bool before_within_process(const Candidate& a, const Candidate& b) {
  if (a.rank.in_process != b.rank.in_process) return a.rank.in_process > b.rank.in_process;
  return by_turn(a.context_turn, a.allowance.quantum_ps, b.context_turn, b.allowance.quantum_ps);
}

/// Of each process the context that is next, and of those the one whose process is. A context's turn, and its
/// process's, are those on the hardware queue where it stands: a process is judged by the queue to which its packet
/// goes, or what it sends there would have to make way at once.
std::size_t choose_wddm(const std::vector<Candidate>& candidates) {
  if (candidates.size() == 1) return 0;
  const auto height_of = [](const Candidate& one) { return height(SchedulingPolicy::wddm, one); };
  std::vector<std::size_t> order(candidates.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    const Candidate& a = candidates[i];
    const Candidate& b = candidates[j];
    if (a.process != b.process) return a.process < b.process;
    return height_of(a) != height_of(b) ? height_of(a) > height_of(b) : before_within_process(a, b);
  });
  const auto first_of_process = std::unique(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    return candidates[i].process == candidates[j].process;
  });
  return *std::min_element(order.begin(), first_of_process, [&](std::size_t i, std::size_t j) {
    const Candidate& a = candidates[i];
    const Candidate& b = candidates[j];
    if (height_of(a) != height_of(b)) return height_of(a) > height_of(b);
    return by_turn(a.process_turn, a.allowance.process_quantum_ps, b.process_turn, b.allowance.process_quantum_ps);
  });
}

bool before_xe(const Candidate& a, const Candidate& b) {
  if (height_of(a.rank) != height_of(b.rank)) return height_of(a.rank) > height_of(b.rank);
  return before_within_process(a, b);  // of any process
}

/// In the order of submission, but that a process's oldest packet gives its place to the process's highest one.
std::size_t choose_strict(const std::vector<Candidate>& candidates) {
  const auto oldest =
      std::min_element(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
        if (height_of(a.rank) != height_of(b.rank)) return height_of(a.rank) > height_of(b.rank);
        return a.packet < b.packet;
      });
  auto first = oldest;
  for (auto one = candidates.begin(); one != candidates.end(); ++one) {
    if (one->process != oldest->process || height_of(one->rank) != height_of(oldest->rank)) continue;
    if (one->rank.in_process < first->rank.in_process) continue;
    if (one->rank.in_process > first->rank.in_process || one->packet < first->packet) first = one;
  }
  return static_cast<std::size_t>(first - candidates.begin());
}

/// The turn is over once the quantum is used up; then there is a grace period, from then or from when the other one
/// came, whichever is later.
Verdict after_turn(const Candidate& waiting, const Standing& turn, std::uint64_t quantum_ps, std::uint64_t grace_ps) {
  const std::uint64_t over_ps = turn.used_ps < quantum_ps ? 0 : std::min(turn.used_ps - quantum_ps, waiting.waiting_ps);
  const std::uint64_t turn_left_ps = turn.used_ps < quantum_ps ? quantum_ps - turn.used_ps : 0;
  const std::uint64_t left_ps = turn_left_ps + (grace_ps - std::min(grace_ps, over_ps));
  if (left_ps > 0) return {PreemptionAttempt::miss_remaining_quantum, left_ps, PreemptionReason::quantum};
  return {PreemptionAttempt::success, 0, PreemptionReason::quantum};
}

/// The parts of normal and focus band beside each other know no grace.
bool by_floor(const Candidate& waiting, const Candidate& running) {
  const auto is = [](const Candidate& one, PriorityBand band) { return one.rank.band == band; };
  if (is(waiting, PriorityBand::normal) && is(running, PriorityBand::focus)) return waiting.floor;
  return is(waiting, PriorityBand::focus) && is(running, PriorityBand::normal) && running.by_floor;
}

Verdict judge_wddm(const Candidate& waiting, const Candidate& running) {
  if (outranks(SchedulingPolicy::wddm, waiting, running)) {
    if (by_floor(waiting, running)) return {PreemptionAttempt::success, 0, PreemptionReason::floor};
    const bool idle = running.rank.band == PriorityBand::idle;
    const std::uint64_t grace_ps = idle ? 0 : running.allowance.grace_ps;
    if (waiting.waiting_ps >= grace_ps) return {PreemptionAttempt::success, 0, PreemptionReason::higher_rank};
    return {PreemptionAttempt::miss_remaining_preemption_quantum, grace_ps - waiting.waiting_ps};
  }
  if (outranks(SchedulingPolicy::wddm, running, waiting)) return {};
  const Allowance& allowance = running.allowance;
  return waiting.process == running.process
             ? after_turn(waiting, running.context_turn, allowance.quantum_ps, allowance.grace_same_priority_ps)
             : after_turn(waiting, running.process_turn, allowance.process_quantum_ps, allowance.process_grace_ps);
}

}  // namespace

std::size_t choose_context(SchedulingPolicy policy, const std::vector<Candidate>& candidates) {
  const auto first = [&](auto before) {
    return static_cast<std::size_t>(std::min_element(candidates.begin(), candidates.end(), before) -
                                    candidates.begin());
  };
  switch (policy) {
    case SchedulingPolicy::wddm: return choose_wddm(candidates);
    case SchedulingPolicy::fifo:
      return first([](const Candidate& a, const Candidate& b) { return a.packet < b.packet; });
    case SchedulingPolicy::round_robin:
      return first([](const Candidate& a, const Candidate& b) { return a.last_turn < b.last_turn; });
    case SchedulingPolicy::strict_priority:
    case SchedulingPolicy::time_slice: return choose_strict(candidates);
    case SchedulingPolicy::xe: return first(before_xe);
  }
  return 0;
}

bool outranks(SchedulingPolicy policy, const Candidate& a, const Candidate& b) {
  if (policy == SchedulingPolicy::fifo || policy == SchedulingPolicy::round_robin) return false;
  const std::uint32_t a_height = height(policy, a);
  const std::uint32_t b_height = height(policy, b);
  if (a_height != b_height) return a_height > b_height;
  const bool comparable = policy == SchedulingPolicy::xe || a.process == b.process;
  return comparable && a.rank.in_process > b.rank.in_process;
}

/// The lowest band and level, whose turn began first; of its process, where that counts, the lowest.
std::size_t choose_victim(SchedulingPolicy policy, const std::vector<Candidate>& running) {
  const auto earlier = std::min_element(running.begin(), running.end(), [](const Candidate& a, const Candidate& b) {
    if (height_of(a.rank) != height_of(b.rank)) return height_of(a.rank) < height_of(b.rank);
    return a.process_turn.begun_ps < b.process_turn.begun_ps;
  });
  auto lowest = earlier;
  for (auto one = running.begin(); one != running.end(); ++one) {
    if (height_of(one->rank) == height_of(lowest->rank) && outranks(policy, *lowest, *one)) lowest = one;
  }
  return static_cast<std::size_t>(lowest - running.begin());
}

bool goes_before(SchedulingPolicy policy, const Candidate& waiting, const Candidate& queued, const Candidate& running) {
  if (outranks(policy, waiting, queued)) return true;
  if (!takes_turns(policy) || outranks(policy, queued, waiting) || height(policy, running) != height(policy, waiting))
    return false;
  const bool of_processes = policy == SchedulingPolicy::wddm && waiting.process != queued.process;
  const auto shares = [&](const Candidate& one) {
    return of_processes ? one.process == running.process : one.context == running.context;
  };
  if (shares(waiting) == shares(queued)) return false;
  const bool goes_on = of_processes ? keeps(running.process_turn, running.allowance.process_quantum_ps)
                                    : keeps(running.context_turn, running.allowance.quantum_ps);
  return shares(goes_on ? waiting : queued);
}

Verdict judge(SchedulingPolicy policy, const Candidate& waiting, const Candidate& running) {
  if (waiting.context == running.context) return {PreemptionAttempt::miss_already_running, 0};
  if (policy == SchedulingPolicy::wddm) return judge_wddm(waiting, running);
  if (outranks(policy, waiting, running)) return {PreemptionAttempt::success, 0, PreemptionReason::higher_rank};
  if (policy != SchedulingPolicy::xe || outranks(policy, running, waiting)) return {};
  return after_turn(waiting, running.context_turn, running.allowance.quantum_ps, 0);
}

int array_priority(SchedulingPolicy policy, const Rank& rank) {
  const auto height = static_cast<int>(height_of(rank));
  if (policy != SchedulingPolicy::xe) return height;  // in-process priorities count within their process
  constexpr int in_process_priorities = 2 * highest_in_process_priority + 1;
  return height * in_process_priorities + rank.in_process;
}

Peers process_peers(const Rank& rank) { return {height_of(rank), Peers::processes, 0}; }

Peers context_peers(SchedulingPolicy policy, const Rank& rank, std::uint32_t process) {
  return context_peers(policy, height_of(rank), rank.in_process, process);
}

Peers context_peers(SchedulingPolicy policy, std::uint32_t height, int in_process, std::uint32_t process) {
  constexpr std::uint32_t of_any_process = Peers::processes - 1;
  return {height, policy == SchedulingPolicy::xe ? of_any_process : process, in_process};
}

std::size_t choose_hardware_queue(const std::vector<HardwareQueueView>& queues) {
  std::size_t best = no_queue;
  for (std::size_t i = 0; i < queues.size(); ++i) {
    const HardwareQueueView& queue = queues[i];
    if (!queue.has_room || queue.packets > 0) continue;
    if (queue.kept) return i;
    if (best == no_queue) best = i;
  }
  return best;
}

}  // namespace fenceline
