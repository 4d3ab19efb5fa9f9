// SPDX-License-Identifier: Apache-2.0
#include "api/report/turns/turn_waits.hpp"

#include "scheduler/policies/preemption_attempts.hpp"

#include <algorithm>
#include <cstddef>

namespace fenceline {
namespace {

bool is(std::string_view result, PreemptionAttempt attempt) {
  return result == preemption_attempt_names[static_cast<std::size_t>(attempt)];
}

TurnWait of_length(TurnWait wait, std::uint64_t waited_ps) {
  wait.waited_ps = waited_ps;
  return wait;
}

/// Band, level and, within a process, the in-process priority: above 0 where `a` is of a higher rank.
int order_of(const ContextRecord& a, const ContextRecord& b) {
  if (a.band != b.band) return a.band > b.band ? 1 : -1;
  if (a.level != b.level) return a.level > b.level ? 1 : -1;
  return a.process == b.process ? a.in_process - b.in_process : 0;
}

}  // namespace

void add_wait(std::vector<TurnWait>& all, const TurnWait& wait) {
  if (wait.waited_ps == 0) return;
  const auto found = std::find_if(all.begin(), all.end(), [&](const TurnWait& one) { return one.is_of(wait); });
  if (found == all.end()) {
    all.push_back(wait);
  } else {
    found->waited_ps += wait.waited_ps;
  }
}

void TurnWaits::context(const ContextRecord& record) { contexts_.insert_or_assign(record.context, record); }

void TurnWaits::attempt(const AttemptRecord& record, std::string_view result, const Pair& pair) {
  if (record.waiting_packet == 0) return;
  Waiting& waiting = waiting_[record.waiting_packet];
  if (is(result, PreemptionAttempt::miss_already_preempting)) {
    const auto held = waiting.holds.find(record.hardware_queue);
    if (held != waiting.holds.end() && held->second.withheld) return;  // for the same reason as before
  }
  std::optional<Hold> found;
  if (is(result, PreemptionAttempt::miss_remaining_quantum)) found = hold(pair, true);
  if (is(result, PreemptionAttempt::miss_remaining_preemption_quantum)) found = hold(pair, false);
  if (is(result, PreemptionAttempt::miss_less_priority)) found = Hold{{TurnKnob::rank, pair.running, 0, 0}};
  hold(waiting, record.hardware_queue, found, record.at_ps, is(result, PreemptionAttempt::success));
}

/// While what is queued in between is withheld, the one that runs has its turn or grace still.
void TurnWaits::request(const PreemptionRequest& request, const Pair& pair) {
  if (request.reason != PreemptionReason::overtakes_queued || request.beneficiary_packet == 0) return;
  const auto waiting = contexts_.find(pair.waiting);
  const auto running = contexts_.find(pair.running);
  if (waiting == contexts_.end() || running == contexts_.end()) return;
  const int order = order_of(waiting->second, running->second);
  std::optional<Hold> found = order < 0 ? std::nullopt : hold(pair, order == 0);
  if (found) found->withheld = true;
  hold(waiting_[request.beneficiary_packet], request.hardware_queue, found, request.at_ps, false);
}

/// Against one that runs: of its equals, or of a higher rank.
std::optional<TurnWaits::Hold> TurnWaits::hold(const Pair& pair, bool equals) const {
  const auto waiting = contexts_.find(pair.waiting);
  const auto running = contexts_.find(pair.running);
  if (running == contexts_.end()) return {};
  const ContextRecord& runs = running->second;
  const auto wait = [&](TurnKnob knob, std::uint64_t ps) { return TurnWait{knob, runs.context, runs.band, ps}; };
  if (!equals) return Hold{wait(TurnKnob::grace, 0)};
  if (waiting != contexts_.end() && waiting->second.process == runs.process) {
    return Hold{wait(TurnKnob::quantum, 0), wait(TurnKnob::same_priority_grace, runs.grace_same_priority_ps)};
  }
  return Hold{wait(TurnKnob::process_quantum, 0), wait(TurnKnob::process_grace, runs.process_grace_ps)};
}

/// From `at_ps` on this is so of the hardware queue. `stops`: the turn and its grace are over, what runs is to stop.
void TurnWaits::hold(Waiting& waiting, std::uint32_t queue, const std::optional<Hold>& hold, std::uint64_t at_ps,
                     bool stops) {
  waiting.holds.erase(queue);
  if (hold) waiting.holds.emplace(queue, *hold);
  const Hold* const next = waiting.holds.empty() ? nullptr : &waiting.holds.begin()->second;
  const std::optional<Hold>& current = waiting.current;
  if (next != nullptr && current && next->wait.is_of(current->wait)) return;
  if (current) {
    const std::uint64_t whole_ps = at_ps - std::min(waiting.since_ps, at_ps);
    const std::uint64_t grace_ps = stops && current->after ? std::min(whole_ps, current->after->waited_ps) : 0;
    add_wait(waiting.over, of_length(current->wait, whole_ps - grace_ps));
    if (current->after) add_wait(waiting.over, of_length(*current->after, grace_ps));
  }
  waiting.current = next == nullptr ? std::nullopt : std::optional(*next);
  waiting.since_ps = at_ps;
}

std::vector<TurnWait> TurnWaits::of(std::uint64_t packet, std::uint64_t until_ps) const {
  const auto found = waiting_.find(packet);
  if (found == waiting_.end()) return {};
  std::vector<TurnWait> all = found->second.over;
  const std::optional<Hold>& current = found->second.current;
  if (current) add_wait(all, of_length(current->wait, until_ps - std::min(found->second.since_ps, until_ps)));
  return all;
}

}  // namespace fenceline
