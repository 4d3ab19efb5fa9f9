// SPDX-License-Identifier: Apache-2.0
// RuleChecker, the family of rules about who is next.
#include "scheduler/checker/rule_checker.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fenceline {

/// The ready packet of `waiting` could have been handed to the hardware queue in the place of one of `instead`.
bool RuleChecker::could_go(const Node& node, const Context& waiting, std::uint32_t queue,
                           const Context& instead) const {
  if (!model_.rules.has_contexts) return false;  // queues of a process are in each other's way
  if (waiting.ready_packet == 0 || waiting.suspended || &waiting == &instead) return false;
  if (model_.rules.policy->process_slices && waiting.process != instead.process) return false;
  const Packet& packet = model_.packets.at(waiting.ready_packet);
  if (packet.type == PacketType::wait) return false;  // it may be passed by: its fence may not be there
  if (model_.rules.back_to_back && !packet.last && packet.queue != queue) return false;  // its list stays where it is
  if (!waiting.on_node.empty()) return node.queues.size() == 1;
  // With several hardware queues what matters is who gets the engine: what follows its own packets is behind them.
  return node.queues.size() == 1 || node.queues[queue].packets.empty();
}

void RuleChecker::check_handed_over(const SubmissionRecord& record, const Packet& packet) {
  if (is_of_system(packet.type)) return;  // it goes before all others (rule 19 of residency.md)
  const Node& node = model_.node_of(packet);
  const Context& context = model_.contexts[packet.context];
  if (packet.type == PacketType::wait || !context.on_node.empty()) {
    if (node.queues.size() > 1 || packet.type == PacketType::wait) return;
  }
  const bool in_order = model_.rules.policy->equals == Equals::oldest_packet;
  for (const std::uint32_t index : node.contexts) {
    const Context& other = model_.contexts[index];
    if (!could_go(node, other, record.hardware_queue, context)) continue;
    const std::uint64_t left = other.ready_packet;
    const auto wrong = [&](const char* expected) {
      violations_.add(record.at_ps, model_.label(record.packet) + " to " + model_.text(node.path),
                      fmt::format("{}: {} goes first", expected, model_.label(left)), "it handed over");
    };
    if (model_.standing(other, context) == Standing::above) {
      wrong("the higher rank before the lower one (rule 5)");
      return;
    }
    if (!model_.rules.policy->has_ranks() && in_order && left < record.packet) {
      wrong("packets in the order of their submission (fifo)");
      return;
    }
    const bool same_process = other.process == context.process;
    if (in_order && same_process && model_.standing(other, context) == Standing::equal && left < record.packet) {
      wrong("packets of equal rank in the order of their submission");
      return;
    }
  }
  check_arrival(node, record, packet);
}

/// Of the processes of a band and level that have not had a turn since they came the first goes first.
void RuleChecker::check_arrival(const Node& node, const SubmissionRecord& record, const Packet& packet) {
  if (!model_.rules.policy->process_turns || node.queues.size() > 1) return;
  const Context& context = model_.contexts[packet.context];
  const auto process_of = [&](const Context& one) {
    return std::find_if(node.parties.begin(), node.parties.end(), [&](const Party& party) {
      return party.is_process && party.owner == one.process && party.band == one.band && party.level == one.level;
    });
  };
  const auto ours = process_of(context);
  if (ours == node.parties.end() || ours->served) return;
  for (const std::uint32_t index : node.contexts) {
    const Context& other = model_.contexts[index];
    if (other.process == context.process || model_.standing(other, context) != Standing::equal) continue;
    if (!could_go(node, other, record.hardware_queue, context)) continue;
    const auto theirs = process_of(other);
    if (theirs == node.parties.end() || theirs->served || theirs->came_late_ps >= ours->came_early_ps) continue;
    violations_.add(record.at_ps, model_.label(record.packet) + " to " + model_.text(node.path),
                    fmt::format("processes in the order of their arrival (rule 5): {} has waited since {}",
                                model_.label(other.ready_packet), Violations::time_of(theirs->came_late_ps)),
                    "one handed over whose process came at " + Violations::time_of(ours->came_early_ps));
    return;
  }
}

/// It has begun: nothing higher had waited while it was still behind another one.
void RuleChecker::check_begun(const Node& node, std::uint64_t id, const Packet& packet, const Span& span) {
  if (node.queues.size() > 1 || !node.withholds || packet.type == PacketType::wait) return;
  const Queue& queue = node.queues[packet.queue];
  const Context& context = model_.contexts[packet.context];
  const std::uint64_t front_ps = std::max(packet.submitted_ps, queue.free_ps);
  if (context.changed_ps > packet.submitted_ps) return;
  bool found = false;
  model_.each_waiting(node, [&](const Context& other, std::uint64_t waiting, const Packet& its) {
    if (found || &other == &context || model_.standing(other, context) != Standing::above) return;
    if (model_.rules.policy->process_slices && other.process != context.process) return;
    // While an interrupt is on its way the scheduler takes the one that has ended for the one that runs.
    std::uint64_t since_ps = std::max(its.ready_ps, other.changed_ps);
    since_ps = std::max({since_ps, packet.submitted_ps, queue.known_before_ps});
    if (since_ps >= front_ps) return;
    found = true;
    violations_.add(span.start_ps, model_.label(id) + " on " + model_.text(node.path),
                    fmt::format("it withheld (rule 12): {} is higher and has waited since {}", model_.label(waiting),
                                Violations::time_of(since_ps)),
                    fmt::format("it running from {} on", Violations::time_of(span.start_ps)));
  });
}

}  // namespace fenceline
