// SPDX-License-Identifier: Apache-2.0
// RuleChecker, the family of rules about who is asked to stop for whom.
#include "scheduler/checker/rule_checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace fenceline {

void RuleChecker::request(const PreemptionRequest& request) {
  model_.tick(request.at_ps);
  Queue* queue = model_.queue_of(request.node, request.hardware_queue);
  if (queue == nullptr) return;
  Node& node = *model_.node_of(request.node);
  round(node, "requests to preempt");
  const bool whole = request.level_limit == LogName{};
  if (queue->request) {  // it was for what is queued, and is for what runs from now on
    if (whole) queue->request->stops_ps = std::min(queue->request->stops_ps, request.at_ps);
  } else {
    queue->request = Request{request, whole ? request.at_ps : never};
  }
  check_request(node, *queue, request);
}

/// The request is not what the rules have it be.
void RuleChecker::wrong(const Node& node, const PreemptionRequest& request, const std::string& expected,
                        const std::string& found) {
  violations_.add(request.at_ps,
                  fmt::format("{} queue {}, request {} ({})", model_.text(node.path), request.hardware_queue,
                              request.preemption_fence_id, fenceline::name_of(request.reason)),
                  expected, found);
}

/// A request for a reason of rank names who waits for whom, and both are what it says.
void RuleChecker::check_request(Node& node, Queue& queue, const PreemptionRequest& request) {
  const PreemptionReason reason = request.reason;
  const bool of_rank = reason == PreemptionReason::higher_rank || reason == PreemptionReason::quantum ||
                       reason == PreemptionReason::floor || reason == PreemptionReason::overtakes_queued;
  if (!of_rank) return;
  const Packet* pages = model_.packet_of(request.beneficiary_packet);
  if (pages != nullptr && is_of_system(pages->type)) return;  // it goes before all others, without a grace
  if (!model_.rules.policy->has_ranks()) {
    wrong(node, request, "nothing stopped by this policy", "a request");
    return;
  }
  const Packet* victim = model_.packet_of(request.victim_packet);
  const Packet* waiting = model_.packet_of(request.beneficiary_packet);
  const bool there = victim != nullptr && (victim->place == Place::hardware || victim->place == Place::done) &&
                     victim->queue == request.hardware_queue;
  if (!there) {
    wrong(node, request, "a packet of this hardware queue to give way",
          fmt::format("packet {}", request.victim_packet));
    return;
  }
  const bool waits = waiting != nullptr && waiting != victim && waiting->ready_first_ps <= request.at_ps &&
                     &model_.node_of(*waiting) == &node &&
                     (waiting->place == Place::hardware ||
                      model_.contexts[waiting->context].ready_packet == request.beneficiary_packet);
  if (!waits) {
    wrong(node, request, "one that waits for the node", fmt::format("packet {}", request.beneficiary_packet));
    return;
  }
  if (!queue.packets.empty() && queue.packets.front() == request.beneficiary_packet) {
    wrong(node, request, "one that waits, not the first of the same hardware queue",
          model_.label(request.beneficiary_packet));
    return;
  }
  node.requested_ps = request.at_ps;
  check_ranks(node, request, *victim, *waiting);
  check_lowest(node, request, *victim, *waiting);
  if (reason == PreemptionReason::quantum) queue.turns_over.push_back(request);
}

void RuleChecker::check_ranks(const Node& node, const PreemptionRequest& request, const Packet& victim,
                              const Packet& waiting) {
  const Context& ours = model_.contexts[waiting.context];
  const Context& theirs = model_.contexts[victim.context];
  const Standing rank = model_.standing(ours, theirs);
  const std::string pair = model_.label(request.victim_packet) + " for " + model_.label(request.beneficiary_packet);
  switch (request.reason) {
    case PreemptionReason::higher_rank: {
      const bool above = rank == Standing::above || (rank == Standing::open && ours.band > theirs.band);
      if (!above) {
        wrong(node, request, "a packet of lower rank to give way (rules 11, 12)", pair);
        return;
      }
      const std::uint64_t until_ps = waiting.ready_first_ps + model_.grace_of(theirs);
      if (request.at_ps < until_ps) {
        wrong(node, request,
              fmt::format("nothing before its grace is over at {} (rule 9)", Violations::time_of(until_ps)), pair);
      }
      return;
    }
    case PreemptionReason::quantum:
      if (rank != Standing::equal || !model_.takes_turns_with(ours, theirs)) {
        wrong(node, request, "one of equal rank to give way when its turn is over (rules 10, 12)", pair);
      }
      return;
    case PreemptionReason::floor:
      if (rank != Standing::open) {
        wrong(node, request, "one of the normal band and one of the focus band (rule 16)", pair);
      }
      return;
    default: {
      // What is in the way is queued behind the one that runs.
      if (request.level_limit == LogName{}) {
        wrong(node, request, "what runs left to finish (rule 12)", "no limit to the level");
      }
      const auto& packets = node.queues[request.hardware_queue].packets;
      const bool any = std::any_of(packets.begin(), packets.end(), [&](std::uint64_t id) {
        if (id == packets.front() || id == request.beneficiary_packet) return false;
        return model_.standing(model_.contexts[model_.packets.at(id).context], ours) != Standing::above;
      });
      if (!any) wrong(node, request, "something queued that is not of higher rank (rule 12)", pair);
    }
  }
}

/// Nothing is stopped while a hardware queue is empty, nor a higher one than need be.
void RuleChecker::check_lowest(const Node& node, const PreemptionRequest& request, const Packet& victim,
                               const Packet& waiting) {
  const Context& ours = model_.contexts[waiting.context];
  if (node.queues.size() == 1 || waiting.place == Place::hardware || !ours.on_node.empty()) return;
  // The next piece of a list stays where the one before was, and nothing else goes there (Windows 7 model).
  const auto is_kept = [&](std::uint32_t index) {
    return model_.rules.back_to_back && std::any_of(node.contexts.begin(), node.contexts.end(), [&](std::uint32_t one) {
             const auto next = model_.packets.find(model_.contexts[one].ready_packet);
             return next != model_.packets.end() && !next->second.last && next->second.queue == index;
           });
  };
  for (std::uint32_t other = 0; other < node.queues.size(); ++other) {
    const Queue& queue = node.queues[other];
    if (other == request.hardware_queue || queue.request || queue.known_ps > model_.now_ps) continue;
    if (queue.packets.empty() && is_kept(other)) continue;
    if (queue.packets.empty()) {
      wrong(node, request, "nothing stopped while a hardware queue is empty (rule 13)",
            fmt::format("queue {} empty, and {} waiting", other, model_.label(request.beneficiary_packet)));
      return;
    }
    const Packet& runs = model_.packets.at(queue.packets.front());
    const Context& theirs = model_.contexts[runs.context];
    if (!node.stops_inside || runs.type == PacketType::wait || runs.submitted_ps == model_.now_ps) continue;
    if (model_.standing(model_.contexts[victim.context], theirs) != Standing::above) continue;
    if (model_.standing(ours, theirs) != Standing::above) continue;
    if (waiting.ready_ps + model_.grace_of(theirs) > model_.now_ps) continue;
    wrong(node, request, "the lowest to give way (rule 13): " + model_.label(queue.packets.front()),
          model_.label(request.victim_packet));
    return;
  }
}

}  // namespace fenceline
