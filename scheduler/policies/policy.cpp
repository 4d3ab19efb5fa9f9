// SPDX-License-Identifier: Apache-2.0
#include "scheduler/policies/policy.hpp"

#include "scheduler/policies/turn_order.hpp"

namespace fenceline {

std::size_t choose_context(const PolicyTraits& policy, const std::vector<Candidate>& candidates) {
  if (candidates.size() == 1) return 0;
  const auto pages =
      std::find_if(candidates.begin(), candidates.end(), [](const Candidate& one) { return is_paging(one.rank); });
  if (pages != candidates.end()) return static_cast<std::size_t>(pages - candidates.begin());
  return policy.choose(policy, candidates);
}

std::uint32_t height(const PolicyTraits& policy, const Candidate& one) {
  if (!policy.bands || !one.floor) return height_of(one.rank);
  constexpr std::uint32_t above_focus = 8;  // more than the levels of either band
  return height_of({PriorityBand::focus, above_focus + one.rank.level, 0});
}

std::size_t choose_oldest_of_highest(const PolicyTraits&, const std::vector<Candidate>& candidates) {
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

bool outranks(const PolicyTraits& policy, const Candidate& a, const Candidate& b) {
  if (is_paging(a.rank) != is_paging(b.rank)) return is_paging(a.rank);
  if (!policy.has_ranks()) return false;
  const std::uint32_t a_height = height(policy, a);
  const std::uint32_t b_height = height(policy, b);
  if (a_height != b_height) return a_height > b_height;
  const bool comparable = policy.ranks == Ranks::everybody || a.process == b.process;
  return comparable && a.rank.in_process > b.rank.in_process;
}

/// The lowest band and level, whose turn began first; of its process, where that counts, the lowest.
std::size_t choose_victim(const PolicyTraits& policy, const std::vector<Candidate>& running) {
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

bool goes_before(const PolicyTraits& policy, const Candidate& waiting, const Candidate& queued,
                 const Candidate& running) {
  if (outranks(policy, waiting, queued)) return true;
  if (is_paging(queued.rank)) return false;
  if (!policy.has_turns() || outranks(policy, queued, waiting) || height(policy, running) != height(policy, waiting))
    return false;
  const bool of_processes = policy.process_turns && waiting.process != queued.process;
  const auto shares = [&](const Candidate& one) {
    return of_processes ? one.process == running.process : one.context == running.context;
  };
  if (shares(waiting) == shares(queued)) return false;
  const bool goes_on = of_processes ? keeps_turn(running.process_turn, running.allowance.process_quantum_ps)
                                    : keeps_turn(running.context_turn, running.allowance.quantum_ps);
  return shares(goes_on ? waiting : queued);
}

PreemptionVerdict judge(const PolicyTraits& policy, const Candidate& waiting, const Candidate& running) {
  if (waiting.context == running.context) return {PreemptionAttempt::miss_already_running, 0};
  if (is_paging(waiting.rank)) return {PreemptionAttempt::success, 0, PreemptionReason::higher_rank};
  if (is_paging(running.rank)) return {};
  return policy.judge(policy, waiting, running);
}

PreemptionVerdict judge_by_rank(const PolicyTraits& policy, const Candidate& waiting, const Candidate& running) {
  if (outranks(policy, waiting, running)) return {PreemptionAttempt::success, 0, PreemptionReason::higher_rank};
  return {};
}

int array_priority(const PolicyTraits& policy, const Rank& rank) {
  const auto height = static_cast<int>(height_of(rank));
  if (policy.ranks != Ranks::everybody) return height;  // in-process priorities count within their process
  constexpr int in_process_priorities = 2 * highest_in_process_priority + 1;
  return height * in_process_priorities + rank.in_process;
}

Peers process_peers(const Rank& rank) { return {height_of(rank), Peers::processes, 0}; }

Peers context_peers(const PolicyTraits& policy, const Rank& rank, std::uint32_t process) {
  return context_peers(policy, height_of(rank), rank.in_process, process);
}

Peers context_peers(const PolicyTraits& policy, std::uint32_t height, int in_process, std::uint32_t process) {
  constexpr std::uint32_t of_any_process = Peers::processes - 1;
  return {height, policy.ranks == Ranks::everybody ? of_any_process : process, in_process};
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
