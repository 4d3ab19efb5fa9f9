// SPDX-License-Identifier: Apache-2.0
// RuleChecker, the family of rules about grace, quanta and turns.
#include "scheduler/checker/rule_checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fenceline {

std::uint64_t RuleChecker::quantum_of(const Context& context, bool of_process) const {
  return of_process ? model_.rules.process_quantum_ps[context.band] : context.quantum_ps;
}

std::uint64_t RuleChecker::turn_grace_of(const Context& context, bool of_process) const {
  if (!model_.rules.policy->bands) return 0;
  return of_process ? model_.rules.process_grace_ps[context.band] : context.grace_same_priority_ps;
}

RuleChecker::Party& RuleChecker::party_of(Node& node, const Context& context, bool of_process) {
  const LogName owner = of_process ? context.process : context.path;
  const auto found = std::find_if(node.parties.begin(), node.parties.end(), [&](const Party& party) {
    return party.is_process == of_process && party.owner == owner && party.band == context.band &&
           party.level == context.level && (of_process || party.in_process == context.in_process);
  });
  if (found != node.parties.end()) return *found;
  Party party;
  party.owner = owner;
  party.process = context.process;
  party.is_process = of_process;
  party.band = context.band;
  party.level = context.level;
  party.in_process = of_process ? 0 : context.in_process;
  party.used.resize(node.queues.size());
  party.came_early_ps = party.came_late_ps = model_.now_ps;
  node.parties.push_back(std::move(party));
  return node.parties.back();
}

/// What has run is known: requests because a turn was over came when it was. `start_ps` is that of the piece that the
/// hardware queue has run, or when it came back without one.
void RuleChecker::check_turn_over(Node& node, std::uint32_t index, const Packet& packet, std::uint64_t start_ps) {
  Queue& queue = node.queues[index];
  const Context& context = model_.contexts[packet.context];
  for (const PreemptionRequest& request : std::exchange(queue.turns_over, {})) {
    const Packet* waiting = model_.packet_of(request.beneficiary_packet);
    if (waiting == nullptr || model_.packet_of(request.victim_packet) != &packet || context.changed_ps > start_ps)
      continue;
    const Context& ours = model_.contexts[waiting->context];
    if (!model_.takes_turns_with(ours, context)) continue;
    const bool of_process = model_.rules.policy->process_turns && ours.process != context.process;
    // A turn may count what its owner runs in several hardware queues.
    std::uint64_t used_ps = 0;
    for (const Used& used : party_of(node, context, of_process).used) used_ps += used.most_ps;
    const std::uint64_t quantum_ps = quantum_of(context, of_process);
    const std::uint64_t ran_ps = request.at_ps - std::min(request.at_ps, start_ps);
    const std::uint64_t over_ps = start_ps + (quantum_ps - std::min(quantum_ps, used_ps));
    const bool was_over = used_ps >= quantum_ps;
    if (was_over || (used_ps + ran_ps >= quantum_ps && request.at_ps >= over_ps + turn_grace_of(context, of_process))) {
      continue;
    }
    violations_.add(
        request.at_ps,
        fmt::format("{} queue {}, request {} (quantum)", model_.text(node.path), index, request.preemption_fence_id),
        fmt::format("{} left alone until its turn is over at {} and {} of grace more (rule 10)",
                    model_.label(request.victim_packet), Violations::time_of(over_ps),
                    Violations::time_of(turn_grace_of(context, of_process))),
        fmt::format("it asked to stop for {}", model_.label(request.beneficiary_packet)));
  }
}

/// The piece went on beyond what rank and turns allow beside those that waited, and nobody asked it to stop.
void RuleChecker::check_still_running(Node& node, std::uint32_t index, std::uint64_t id, const Packet& packet,
                                      const Span& span) {
  const Context& context = model_.contexts[packet.context];
  Queue& queue = node.queues[index];
  if (!node.stops_inside || packet.type == PacketType::wait || context.changed_ps > span.start_ps) return;
  const std::uint64_t asked_ps = std::min(node.held_ps, queue.request ? queue.request->stops_ps : never);
  // Until the scheduler has learned of what ended before it takes that for the one that runs.
  const std::uint64_t known_ps = std::max(span.start_ps, queue.known_ps);
  bool found = false;
  model_.each_waiting(node, [&](const Context& other, std::uint64_t waiting, const Packet& its) {
    if (found || &other == &context) return;
    if (model_.rules.policy->process_slices && other.process != context.process) return;
    const bool above = model_.standing(other, context) == Standing::above;
    const std::uint64_t since_ps = std::max(its.ready_ps, other.changed_ps);
    std::uint64_t due_ps = since_ps + model_.grace_of(context);
    if (node.queues.size() > 1) {
      if (!above || another_takes(node, other, since_ps, span.end_ps)) return;
      for (const Queue& one : node.queues) due_ps = std::max(due_ps, one.known_ps);
    } else if (!above) {
      if (!model_.takes_turns_with(other, context)) return;
      const bool of_process = model_.rules.policy->process_turns && other.process != context.process;
      const Used& used = party_of(node, context, of_process).used[index];
      const std::uint64_t quantum_ps = quantum_of(context, of_process);
      const std::uint64_t used_ps = used.has ? std::min(quantum_ps, used.least_ps) : 0;
      due_ps = std::max(span.start_ps + (quantum_ps - used_ps), since_ps) + turn_grace_of(context, of_process);
    }
    due_ps = std::max(due_ps, known_ps);
    if (span.end_ps <= due_ps || asked_ps <= due_ps) return;
    found = true;
    violations_.add(
        span.end_ps, model_.label(id) + " on " + model_.text(node.path),
        fmt::format("it asked to stop at {} for {} ({})", Violations::time_of(due_ps), model_.label(waiting),
                    above ? "rule 9: higher rank, and its grace is over" : "rule 10: equal rank, and its turn is over"),
        asked_ps == never ? "it running on" : "that asked at " + Violations::time_of(asked_ps));
  });
}

/// Of several hardware queues another one may be the one to give way, or may take the packet.
bool RuleChecker::another_takes(const Node& node, const Context& waiting, std::uint64_t since_ps,
                                std::uint64_t end_ps) const {
  if (!waiting.on_node.empty() || node.requested_ps >= since_ps) return true;
  return std::any_of(node.queues.begin(), node.queues.end(), [&](const Queue& queue) {
    if (queue.request || queue.packets.empty() || queue.known_ps >= end_ps) return true;
    const Packet& runs = model_.packets.at(queue.packets.front());
    const Context& context = model_.contexts[runs.context];
    if (runs.type == PacketType::wait || runs.place != Place::hardware) return true;
    if (model_.standing(waiting, context) != Standing::above) return true;
    const std::uint64_t begun_ps = std::max(runs.submitted_ps, queue.free_ps);
    return std::max(since_ps + model_.grace_of(context), begun_ps) >= end_ps;
  });
}

/// The context's rank has changed. A change counts for what has not ended (rule 4), and what has the scheduler learns
/// later (rule 17): those pieces may be of the turn with the new rank.
void RuleChecker::take_turns_along(const Context& context) {
  Node& node = model_.nodes[context.node];
  for (std::size_t index = 0; index < node.queues.size(); ++index) {
    for (const Piece& piece : node.queues[index].pieces) {
      if (&model_.contexts[piece.context] != &context || piece.known_ps <= model_.now_ps) continue;
      for (const bool of_process : {true, false}) {
        Used& used = party_of(node, context, of_process).used[index];
        used.has = true;
        used.most_ps += piece.ran_ps;
      }
    }
  }
}

/// The engine's time is the turn's of its owner; those of his like are over.
void RuleChecker::use(Node& node, std::uint32_t index, const Packet& packet, const Span& span) {
  const Context& context = model_.contexts[packet.context];
  const std::uint64_t ran_ps = span.end_ps - span.start_ps;
  const std::uint64_t sure_ps = context.changed_ps > span.start_ps ? 0 : ran_ps;
  node.queues[index].pieces.push_back({packet.context, ran_ps});
  party_of(node, context, true);
  party_of(node, context, false);
  for (Party& party : node.parties) {
    Used& used = party.used[index];
    const bool in_process = party.process == context.process;
    const bool same_level = party.band == context.band && party.level == context.level;
    const bool is_owner = party.is_process ? in_process : party.owner == context.path;
    // A higher or lower one of the process, with Xe of any, interrupts a context's turn and does not end it.
    const bool equal = same_level && (party.is_process || party.in_process == context.in_process);
    if (is_owner && equal) {
      if (!used.has) used = {true, 0, 0};
      used.least_ps += sure_ps;
      used.most_ps += ran_ps;
      party.last_ps = span.end_ps;
    } else if (is_owner) {
      used.most_ps += ran_ps;  // the rules do not say whether it counts there, too
    } else if (equal && (party.is_process || model_.rules.policy->ranks == Ranks::everybody)) {
      used = {};
      const bool leaves = party.served && party.wants;
      if (!party.is_process || !leaves) continue;
      const bool queued = std::any_of(node.contexts.begin(), node.contexts.end(), [&](std::uint32_t one) {
        return model_.contexts[one].process == party.owner && !model_.contexts[one].on_node.empty();
      });
      if (queued || node.queues.size() > 1) continue;
      party.served = false;  // at the end of the line from now on, or from when it stopped
      party.came_early_ps = party.last_ps;
      party.came_late_ps = span.end_ps;
    } else if (equal && in_process) {
      used = {};
    } else if (model_.rules.policy->process_turns && same_level && !party.is_process && !in_process) {
      used.least_ps = 0;  // another process had the engine: this one's contexts may begin anew
    }
  }
}

}  // namespace fenceline
