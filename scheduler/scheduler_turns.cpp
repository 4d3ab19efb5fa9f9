// SPDX-License-Identifier: Apache-2.0
// Scheduler, the family of functions that say how the policy sees a context: its turn, its wait, the floor of its band.
#include "scheduler/scheduler.hpp"
#include "sim/kernel/now.hpp"

#include <algorithm>

namespace fenceline {

/// `ready_ps` is when its packet became ready.
Candidate Scheduler::candidate(const Node& node, std::uint32_t index, std::uint64_t packet,
                               std::uint64_t ready_ps) const {
  const Context& context = contexts_[index];
  Candidate one;
  one.rank = context.rank;
  one.context = index;
  one.process = static_cast<std::uint32_t>(context.config.process);
  one.allowance = context.allowance;
  one.context_turn.arrival = context.arrival;
  one.process_turn.arrival = node.processes[one.process].of(height_of(one.rank));
  one.packet = packet;
  one.last_turn = context.last_turn;
  one.waiting_ps = now_ps() - std::min(now_ps(), ready_ps);
  one.blocked = std::any_of(context.in_flight.begin(), context.in_flight.end(), [&](const Context::InFlight& other) {
    return !other.ended && other.packet.id <= packet && is_blocked(other.packet);
  });
  if (one.rank.band == PriorityBand::normal) {
    one.floor = node.floor.normal_first();
    one.by_floor = node.floor_granted;
  }
  return one;
}

/// A wait whose fence is not there.
bool Scheduler::is_blocked(const QueuePacket& packet) const {
  return packet.type == PacketType::wait && !waits_[packet.wait_slot].reached;
}

/// The next packet of a ready context.
Candidate Scheduler::ready_candidate(const Node& node, std::uint32_t index) const {
  const Context& context = contexts_[index];
  const QueuePacket& packet = context.software_queue.front();
  Candidate one = candidate(node, index, packet.id, packet.ready_ps);
  one.blocked = one.blocked || is_blocked(packet);
  const bool was_there = node.queues.size() == 1 || context.last_turn > 0;
  if (was_there) stand(node, node.queues.size() == 1 ? 0 : context.hardware_queue, one);
  return one;
}

/// A packet in the hardware queue: the first there, or one behind it.
Candidate Scheduler::queued_candidate(const Node& node, std::uint32_t queue, const DmaPacket& packet,
                                      bool first) const {
  const Context& context = contexts_[packet.context];
  std::uint64_t ready_ps = now_ps();
  for (const Context::InFlight& one : context.in_flight) {
    if (one.packet.id == packet.id) ready_ps = one.packet.ready_ps;
  }
  Candidate one = candidate(node, packet.context, packet.id, ready_ps);
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
    if (since_ps) standing.used_ps += now_ps() - *since_ps;
  };
  use(process_peers(one.rank), one.process, one.process_turn);
  use(context_peers(policy_, one.rank, one.process), one.context, one.context_turn);
  return one;
}

/// Whether the turn is the candidate's when what the hardware queue holds has run: it is that of the last one there, or
/// of whoever had it last where none of the candidate's peers is there.
void Scheduler::stand(const Node& node, std::uint32_t queue, Candidate& one) const {
  const Turns& turns = node.queues[queue].turns;
  const DmaPacket* first = nullptr;
  const DmaPacket* last = nullptr;
  node.engine->for_each_packet(queue, [&](const DmaPacket& packet) {
    if (first == nullptr) first = &packet;
    last = &packet;
  });
  const auto since_ps = node.engine->running_since_ps(queue);
  const std::uint64_t running_ps = since_ps ? now_ps() - *since_ps : 0;
  const auto look = [&](const Peers& peers, std::uint32_t owner, Standing& standing, const auto& peers_of,
                        const auto& owner_of) {
    const Turns::Turn turn = turns.of(peers);
    const bool peer_is_last = last != nullptr && peers_of(*last) == peers;
    standing.has = (peer_is_last ? owner_of(*last) : turn.owner) == owner;
    if (!standing.has) return;
    standing.used_ps = turn.owner == owner ? turn.used_ps : 0;
    if (first != nullptr && peers_of(*first) == peers && owner_of(*first) == owner) standing.used_ps += running_ps;
  };
  const auto process_of = [this](const DmaPacket& packet) {
    return static_cast<std::uint32_t>(contexts_[packet.context].config.process);
  };
  look(
      process_peers(one.rank), one.process, one.process_turn,
      [this](const DmaPacket& packet) { return process_peers(contexts_[packet.context].rank); }, process_of);
  look(
      context_peers(policy_, one.rank, one.process), one.context, one.context_turn,
      [&](const DmaPacket& packet) {
        return context_peers(policy_, contexts_[packet.context].rank, process_of(packet));
      },
      [](const DmaPacket& packet) { return packet.context; });
}

/// The context has had so much of the engine. Whose turn is over goes to the end of those who wait.
void Scheduler::use(Node& node, std::uint32_t queue, const DmaPacket& packet, std::uint64_t engine_ps) {
  Context& context = contexts_[packet.context];
  const auto process = static_cast<std::uint32_t>(context.config.process);
  const std::uint64_t end_ps = packet.piece_started_ps + engine_ps;
  const std::uint64_t from_ps = std::max(packet.piece_started_ps, processes_[process].counted_from_ps);
  processes_[process].without_present_ps += end_ps - std::min(end_ps, from_ps);
  Turns& turns = node.queues[queue].turns;
  const Peers processes = process_peers(context.rank);
  const Peers contexts = context_peers(policy_, context.rank, process);
  const bool of_process = turns.use(processes, process, packet.piece_started_ps, engine_ps);
  const bool of_context = turns.use(contexts, packet.context, packet.piece_started_ps, engine_ps);
  if (of_process && turns.of(processes).used_ps >= context.allowance.process_quantum_ps) {
    to_the_end(node, turns, processes);
  }
  if (of_context && turns.of(contexts).used_ps >= context.allowance.quantum_ps) to_the_end(node, turns, contexts);
}

/// Who has the turn among these goes to the end of those who wait.
void Scheduler::to_the_end(Node& node, Turns& turns, const Peers& peers) {
  const std::uint32_t owner = turns.of(peers).owner;
  const Arrival end = {now_ps(), Arrival::at_the_end + ++node.turns};
  turns.leave(peers);
  if (peers.process == Peers::processes) {
    node.processes[owner].set(peers.height, end);
    node.ready.move_process(owner, peers.height, end);
  } else {
    contexts_[owner].arrival = end;
    if (contexts_[owner].ready) node.ready.update(ready_context(node, owner));
  }
}

/// The first packet of the hardware queue begins to run: turns of its like are over, though they may have been short.
void Scheduler::begin_turns(Node& node, std::uint32_t queue) {
  const DmaPacket& first = *node.engine->first_packet(queue);
  const Rank& rank = contexts_[first.context].rank;
  Turns& turns = node.queues[queue].turns;
  const auto begin = [&](const Peers& peers, std::uint32_t owner) {
    const Turns::Turn before = turns.of(peers);
    if (before.owner == owner) return;
    if (before.owner != Turns::nobody && !before.left) to_the_end(node, turns, peers);
    turns.begin(peers, owner, now_ps());
  };
  begin(process_peers(rank), first.process);
  begin(context_peers(policy_, rank, first.process), first.context);
}

void Scheduler::begin_wanting(Context& context, std::uint64_t packet) {
  if (context.wanting) return;
  context.wanting = true;
  context.arrival = {now_ps(), packet};
  Node& node = nodes_[context.config.node];
  ++node.wanting[static_cast<std::size_t>(context.rank.band)];
  node.processes[static_cast<std::uint32_t>(context.config.process)].begin(height_of(context.rank), context.arrival);
}

/// Turns end of those who have nothing left to run.
void Scheduler::end_turns(Node& node) {
  for (const std::uint32_t index : node.leaving) {
    Context& context = contexts_[index];
    if (!context.wanting || context.ready || !context.in_flight.empty()) continue;
    context.wanting = false;
    --node.wanting[static_cast<std::size_t>(context.rank.band)];
    const auto process = static_cast<std::uint32_t>(context.config.process);
    node.processes[process].end(height_of(context.rank));
    for (HardwareQueue& queue : node.queues) {
      queue.turns.end(context_peers(policy_, context.rank, process).process, index);
      if (!node.processes[process].any()) queue.turns.end(Peers::processes, process);
    }
  }
  node.leaving.clear();
}

/// Takes note of who wants the engine and who has it.
void Scheduler::count_floor(Node& node) {
  if (!policy_.bands || !node.floor.enabled()) return;
  const bool normal_wants = node.wanting[static_cast<std::size_t>(PriorityBand::normal)] > 0;
  const bool focus_wants = node.wanting[static_cast<std::size_t>(PriorityBand::focus)] > 0;
  bool realtime = false;
  bool normal_runs = false;
  bool focus_runs = false;
  for (std::uint32_t queue = 0; queue < node.queues.size(); ++queue) {
    const DmaPacket* first = node.engine->first_packet(queue);
    if (first == nullptr) continue;
    const PriorityBand band = contexts_[first->context].rank.band;
    const bool runs = node.engine->running_since_ps(queue).has_value();
    realtime = realtime || band == PriorityBand::realtime;
    normal_runs = normal_runs || (runs && band == PriorityBand::normal);
    focus_runs = focus_runs || (runs && band == PriorityBand::focus);
  }
  node.floor.advance(now_ps(), {normal_wants && focus_wants && !realtime, normal_runs});
  if (focus_runs) node.floor_granted = false;
  if (node.floor.normal_first()) node.floor_granted = true;
  node.retry_ps = std::min(node.retry_ps, node.floor.next_change_ps());
}

}  // namespace fenceline
