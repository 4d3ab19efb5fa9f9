// SPDX-License-Identifier: Apache-2.0
#include "scheduler/policy.hpp"

#include <algorithm>

namespace fenceline {
namespace {

constexpr std::uint32_t below_realtime = static_cast<std::uint32_t>(PriorityBand::realtime);

/// Bands and levels as one number. A starved context of the normal band goes before the focus.
std::uint32_t height(const Candidate& one, bool with_floor) {
  if (one.rank.band == PriorityBand::realtime) return below_realtime + 1 + one.rank.level;
  if (with_floor && one.starved) return below_realtime;
  return static_cast<std::uint32_t>(one.rank.band);
}

bool keeps(const Turn& turn, std::uint64_t quantum_ps) { return turn.has && turn.used_ps < quantum_ps; }

/// -1: a first; 1: b first; 0: no difference.
int by_turn(const Turn& a, const Turn& b, std::uint64_t quantum_ps) {
  const bool a_keeps = keeps(a, quantum_ps);
  const bool b_keeps = keeps(b, quantum_ps);
  if (a_keeps != b_keeps) return a_keeps ? -1 : 1;
  if (a.last != b.last) return a.last < b.last ? -1 : 1;
  return 0;
}

/// Higher bands first. Within one, processes take turns, and the contexts of each by their in-process priority.
bool before_wddm(const PolicySettings& settings, const Candidate& a, const Candidate& b) {
  const std::uint32_t a_height = height(a, true);
  const std::uint32_t b_height = height(b, true);
  if (a_height != b_height) return a_height > b_height;
  const auto band = static_cast<std::size_t>(a.rank.band);
  if (a.process != b.process) {
    const int turn = by_turn(a.process_turn, b.process_turn, settings.process_quantum_ps[band]);
    return turn != 0 ? turn < 0 : a.process < b.process;
  }
  if (a.rank.in_process != b.rank.in_process) return a.rank.in_process > b.rank.in_process;
  const int turn = by_turn(a.context_turn, b.context_turn, settings.quantum_ps[band]);
  return turn < 0;
}

bool higher_rank(const Candidate& a, const Candidate& b) {
  const std::uint32_t a_height = height(a, false);
  const std::uint32_t b_height = height(b, false);
  return a_height != b_height ? a_height > b_height : a.rank.in_process > b.rank.in_process;
}

bool before(const PolicySettings& settings, const Candidate& a, const Candidate& b) {
  switch (settings.policy) {
    case SchedulingPolicy::wddm: return before_wddm(settings, a, b);
    case SchedulingPolicy::fifo: return a.packet < b.packet;
    case SchedulingPolicy::round_robin: return a.context_turn.last < b.context_turn.last;
    case SchedulingPolicy::strict_priority:
    case SchedulingPolicy::time_slice:
      if (higher_rank(a, b) || higher_rank(b, a)) return higher_rank(a, b);
      return a.packet < b.packet;
    case SchedulingPolicy::xe: {
      if (higher_rank(a, b) || higher_rank(b, a)) return higher_rank(a, b);
      const auto band = static_cast<std::size_t>(a.rank.band);
      return by_turn(a.context_turn, b.context_turn, settings.quantum_ps[band]) < 0;
    }
  }
  return false;
}

Verdict after_quantum(std::uint64_t used_ps, std::uint64_t quantum_ps) {
  if (used_ps >= quantum_ps) return {PreemptionAttempt::success, 0};
  return {PreemptionAttempt::miss_remaining_quantum, quantum_ps - used_ps};
}

Verdict judge_wddm(const PolicySettings& settings, const Candidate& waiting, const Candidate& running) {
  const auto band = static_cast<std::size_t>(running.rank.band);
  const std::uint32_t ours = height(waiting, true);
  const std::uint32_t theirs = height(running, true);
  const bool same_process = waiting.process == running.process;
  const bool higher =
      ours > theirs || (ours == theirs && same_process && waiting.rank.in_process > running.rank.in_process);
  if (higher) {
    if (waiting.waiting_ps >= settings.grace_ps[band]) return {PreemptionAttempt::success, 0};
    return {PreemptionAttempt::miss_remaining_preemption_quantum, settings.grace_ps[band] - waiting.waiting_ps};
  }
  if (ours < theirs || (same_process && waiting.rank.in_process < running.rank.in_process)) {
    return {PreemptionAttempt::miss_less_priority, 0};
  }
  return same_process ? after_quantum(running.context_turn.used_ps, settings.quantum_ps[band])
                      : after_quantum(running.process_turn.used_ps, settings.process_quantum_ps[band]);
}

}  // namespace

std::size_t choose_context(const PolicySettings& settings, const std::vector<Candidate>& candidates) {
  const auto first = std::min_element(candidates.begin(), candidates.end(),
                                      [&](const Candidate& a, const Candidate& b) { return before(settings, a, b); });
  return static_cast<std::size_t>(first - candidates.begin());
}

Verdict judge(const PolicySettings& settings, const Candidate& waiting, const Candidate& running) {
  if (waiting.context == running.context) return {PreemptionAttempt::miss_already_running, 0};
  switch (settings.policy) {
    case SchedulingPolicy::wddm: return judge_wddm(settings, waiting, running);
    case SchedulingPolicy::fifo:
    case SchedulingPolicy::round_robin: return {PreemptionAttempt::miss_less_priority, 0};
    case SchedulingPolicy::strict_priority:
    case SchedulingPolicy::time_slice:
      return {higher_rank(waiting, running) ? PreemptionAttempt::success : PreemptionAttempt::miss_less_priority, 0};
    case SchedulingPolicy::xe:
      if (higher_rank(waiting, running)) return {PreemptionAttempt::success, 0};
      if (higher_rank(running, waiting)) return {PreemptionAttempt::miss_less_priority, 0};
      return after_quantum(running.context_turn.used_ps,
                           settings.quantum_ps[static_cast<std::size_t>(running.rank.band)]);
  }
  return {};
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
