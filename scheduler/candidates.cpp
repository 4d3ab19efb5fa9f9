// SPDX-License-Identifier: Apache-2.0
#include "scheduler/candidates.hpp"

#include "sim/kernel/now.hpp"

#include <algorithm>

namespace fenceline {

Candidate Candidates::of(const Node& node, std::uint32_t index, std::uint64_t packet, std::uint64_t ready_ps) const {
  const Context& context = s_.contexts[index];
  Candidate one;
  one.rank = context.rank;
  one.context = index;
  one.process = SchedulerState::process_index(context);
  one.allowance = context.allowance;
  one.context_turn.arrival = context.arrival;
  one.process_turn.arrival = node.processes[one.process].of(height_of(one.rank));
  one.packet = packet;
  one.last_submission = context.last_submission;
  one.waiting_ps = now_ps() - std::min(now_ps(), ready_ps);
  one.blocked = std::any_of(context.in_flight.begin(), context.in_flight.end(), [&](const Context::InFlight& other) {
    return !other.ended && other.packet.id <= packet && waits_.blocks(other.packet);
  });
  if (one.rank.band == PriorityBand::normal) {
    one.floor = node.floor.normal_first();
    one.by_floor = node.floor_granted;
  }
  return one;
}

Candidate Candidates::ready(const Node& node, std::uint32_t index) const {
  const Context& context = s_.contexts[index];
  const QueuePacket& packet = context.software_queue.front();
  Candidate one = of(node, index, packet.id, packet.ready_ps);
  one.blocked = one.blocked || waits_.blocks(packet);
  const bool was_there = node.queues.size() == 1 || context.last_submission > 0;
  if (was_there) stand(node, node.queues.size() == 1 ? 0 : context.hardware_queue, one);
  return one;
}

Candidate Candidates::queued(const Node& node, std::uint32_t queue, const DmaPacket& packet, bool first) const {
  const Context& context = s_.contexts[packet.context];
  std::uint64_t ready_ps = now_ps();
  for (const Context::InFlight& one : context.in_flight) {
    if (one.packet.id == packet.id) ready_ps = one.packet.ready_ps;
  }
  Candidate one = of(node, packet.context, packet.id, ready_ps);
  if (!first) return one;
  const auto since_ps = node.engine->running_since_ps(queue);
  const auto use = [&](const Peers& peers, std::uint32_t owner, Standing& standing) {
    const Turns::Turn turn = node.queues[queue].turns.of(peers);
    standing.has = true;
    standing.begun_ps = since_ps.value_or(now_ps());
    if (turn.owner == owner) {
      standing.used_ps = turn.used_ps;
      standing.begun_ps = turn.begun_ps;
    }
    if (since_ps) standing.used_ps += node.engine->running_until_ps(queue) - *since_ps;
  };
  use(process_peers(one.rank), one.process, one.process_turn);
  use(context_peers(s_.policy, one.rank, one.process), one.context, one.context_turn);
  return one;
}

/// Whether the turn is the candidate's when what the hardware queue holds has run: it is that of the last one there, or
/// of whoever had it last where none of the candidate's peers is there. Whoever has it, or is to have it, before the
/// last one will have gone to the end by then.
void Candidates::stand(const Node& node, std::uint32_t queue, Candidate& one) const {
  const Turns& turns = node.queues[queue].turns;
  const DmaPacket* first = nullptr;
  const DmaPacket* last = nullptr;
  node.engine->for_each_packet(queue, [&](const DmaPacket& packet) {
    if (first == nullptr) first = &packet;
    last = &packet;
  });
  const auto since_ps = node.engine->running_since_ps(queue);
  const std::uint64_t running_ps = since_ps ? node.engine->running_until_ps(queue) - *since_ps : 0;
  const auto look = [&](const Peers& peers, std::uint32_t owner, Standing& standing, const auto& peers_of,
                        const auto& owner_of) {
    const Turns::Turn turn = turns.of(peers);
    const bool peer_is_last = last != nullptr && peers_of(*last) == peers;
    standing.has = (peer_is_last ? owner_of(*last) : turn.owner) == owner;
    if (standing.has) {
      standing.used_ps = turn.owner == owner ? turn.used_ps : 0;
      if (first != nullptr && peers_of(*first) == peers && owner_of(*first) == owner) standing.used_ps += running_ps;
    } else if (peer_is_last) {
      std::uint64_t place = turn.owner == owner ? 1 : 0;
      std::uint64_t behind = 1;
      node.engine->for_each_packet(queue, [&](const DmaPacket& packet) {
        ++behind;
        if (peers_of(packet) == peers && owner_of(packet) == owner) place = behind;
      });
      if (place > 0) standing.arrival = {now_ps(), Arrival::at_the_end + node.next_order + place};
    }
  };
  const auto process_of = [this](const DmaPacket& packet) {
    return static_cast<std::uint32_t>(s_.contexts[packet.context].config.process);
  };
  look(
      process_peers(one.rank), one.process, one.process_turn,
      [this](const DmaPacket& packet) { return process_peers(s_.contexts[packet.context].rank); }, process_of);
  look(
      context_peers(s_.policy, one.rank, one.process), one.context, one.context_turn,
      [&](const DmaPacket& packet) {
        return context_peers(s_.policy, s_.contexts[packet.context].rank, process_of(packet));
      },
      [](const DmaPacket& packet) { return packet.context; });
}

bool Candidates::may_run(const Node& node, const Context& context) const {
  if (node.runlist == Node::none || is_paging(context.rank)) return true;
  const Runlist& runlist = s_.runlists[node.runlist];
  return !runlist.switching && runlist.process == SchedulerState::process_index(context);
}

bool Candidates::others_may_run(const Node& node, std::uint32_t index) const {
  const Context& context = s_.contexts[index];
  const bool itself = context.ready && may_run(node, context);
  std::size_t all = node.ready.size();
  if (node.runlist != Node::none) {
    const Runlist& runlist = s_.runlists[node.runlist];
    all = runlist.switching ? 0 : node.ready.of_process(runlist.process);
  }
  return all > (itself ? 1 : 0);
}

ReadyContext Candidates::order_of(const Node& node, std::uint32_t index) const {
  const Context& context = s_.contexts[index];
  const QueuePacket& packet = context.software_queue.front();
  ReadyContext one;
  one.context = index;
  one.process = SchedulerState::process_index(context);
  one.rank = context.rank;
  one.waits = waits_.blocks(packet);
  one.arrival = context.arrival;
  one.process_arrival = node.processes[one.process].of(height_of(one.rank));
  one.packet = packet.id;
  one.last_submission = context.last_submission;
  one.ready_ps = packet.ready_ps;
  return one;
}

RepresentedContexts::Named Candidates::named(const Node& node) const {
  RepresentedContexts::Named named;
  named.contexts = node.on_hardware;
  if (node.system_context != Node::none) {
    const auto place = std::lower_bound(named.contexts.begin(), named.contexts.end(), node.system_context);
    if (place == named.contexts.end() || *place != node.system_context)
      named.contexts.insert(place, node.system_context);
  }
  for (const NodeQueue& queue : node.queues) {  // that alone may go there (Windows 7 model)
    if (s_.config.caps.preemption_aware || queue.split_context == NodeQueue::none) continue;
    const auto place = std::lower_bound(named.contexts.begin(), named.contexts.end(), queue.split_context);
    if (place == named.contexts.end() || *place != queue.split_context)
      named.contexts.insert(place, queue.split_context);
  }
  for (const std::uint32_t context : named.contexts) {
    named.processes.push_back(static_cast<std::uint32_t>(s_.contexts[context].config.process));
  }
  if (node.runlist != Node::none) named.processes.push_back(s_.runlists[node.runlist].process);
  named.owners = [&node, turns = s_.policy.has_turns()](const Peers& peers, std::vector<std::uint32_t>& owners) {
    if (!turns) return;
    for (const NodeQueue& queue : node.queues) {
      const std::uint32_t owner = queue.turns.of(peers).owner;
      if (owner != Turns::nobody) owners.push_back(owner);
    }
  };
  return named;
}

}  // namespace fenceline
