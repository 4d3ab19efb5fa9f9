// SPDX-License-Identifier: Apache-2.0
#include "scheduler/turn_keeper.hpp"

#include "sim/kernel/now.hpp"

#include <algorithm>
#include <cstddef>

namespace fenceline {

void TurnKeeper::use(Node& node, std::uint32_t queue, const DmaPacket& packet, std::uint64_t engine_ps) {
  Context& context = s_.contexts[packet.context];
  const auto process = SchedulerState::process_index(context);
  const std::uint64_t end_ps = packet.piece_started_ps + engine_ps;
  const std::uint64_t from_ps = std::max(packet.piece_started_ps, s_.processes[process].counted_from_ps);
  s_.processes[process].without_present_ps += end_ps - std::min(end_ps, from_ps);
  Turns& turns = node.queues[queue].turns;
  const auto use = [&](const Peers& peers, std::uint32_t owner, std::uint64_t quantum_ps) {
    const std::uint32_t before = turns.of(peers).owner;
    if (!turns.use(peers, owner, packet.piece_started_ps, engine_ps)) return;
    // Its rank has changed while it ran: it has got the engine among these.
    if (before != owner && before != Turns::nobody) to_the_end(node, before, peers);
    // Whose turns in several hardware queues are over would else give way to each other for ever.
    if (node.queues.size() > 1 && turns.of(peers).used_ps >= quantum_ps) to_the_end(node, owner, peers);
  };
  use(process_peers(context.rank), process, context.allowance.process_quantum_ps);
  use(context_peers(s_.policy, context.rank, process), packet.context, context.allowance.quantum_ps);
}

/// Who had the turn among these goes to the end of those who wait.
void TurnKeeper::to_the_end(Node& node, std::uint32_t owner, const Peers& peers) {
  const Arrival end = {now_ps(), Arrival::at_the_end + ++node.next_order};
  if (peers.process == Peers::processes) {
    node.processes[owner].set(peers.height, end);
    node.ready.move_process(owner, peers.height, end);
  } else {
    s_.contexts[owner].arrival = end;
    if (s_.contexts[owner].ready) node.ready.update(candidates_.order_of(node, owner));
  }
}

void TurnKeeper::begin_turns(Node& node, std::uint32_t queue) {
  const DmaPacket& first = *node.engine->first_packet(queue);
  const Rank& rank = s_.contexts[first.context].rank;
  Turns& turns = node.queues[queue].turns;
  const auto begin = [&](const Peers& peers, std::uint32_t owner) {
    const std::uint32_t before = turns.of(peers).owner;
    if (before == owner) return;
    if (before != Turns::nobody) to_the_end(node, before, peers);
    turns.begin(peers, owner, now_ps());
  };
  begin(process_peers(rank), first.process);
  begin(context_peers(s_.policy, rank, first.process), first.context);
}

void TurnKeeper::begin_wanting(Context& context, std::uint64_t packet) {
  if (context.wanting) return;
  context.wanting = true;
  context.arrival = {now_ps(), packet};
  Node& node = s_.node_of(context);
  ++node.wanting[static_cast<std::size_t>(context.rank.band)];
  node.processes[SchedulerState::process_index(context)].begin(height_of(context.rank), context.arrival);
}

void TurnKeeper::moved(const Context& context, std::uint32_t index, const Rank& before) {
  Node& node = s_.node_of(context);
  if (context.wanting) {
    --node.wanting[static_cast<std::size_t>(before.band)];
    ++node.wanting[static_cast<std::size_t>(context.rank.band)];
    node.processes[SchedulerState::process_index(context)].move(height_of(before), height_of(context.rank));
  }
  if (context.ready) node.ready.update(candidates_.order_of(node, index));
}

void TurnKeeper::forget(const Context& context, std::uint32_t index) {
  const std::uint32_t peers = context_peers(s_.policy, context.rank, SchedulerState::process_index(context)).process;
  for (NodeQueue& queue : s_.node_of(context).queues) {
    queue.turns.end(peers, index);
    queue.judged.erase(index);
  }
}

void TurnKeeper::end_turns(Node& node) {
  for (const std::uint32_t index : node.leaving) {
    Context& context = s_.contexts[index];
    if (!context.wanting || context.ready || !context.in_flight.empty()) continue;
    context.wanting = false;
    --node.wanting[static_cast<std::size_t>(context.rank.band)];
    const auto process = SchedulerState::process_index(context);
    node.processes[process].end(height_of(context.rank));
    for (NodeQueue& queue : node.queues) {
      queue.turns.end(context_peers(s_.policy, context.rank, process).process, index);
      if (!node.processes[process].any()) queue.turns.end(Peers::processes, process);
    }
  }
  node.leaving.clear();
}

void TurnKeeper::count_floor(Node& node) {
  if (!s_.policy.bands || !node.floor.enabled()) return;
  const bool normal_wants = node.wanting[static_cast<std::size_t>(PriorityBand::normal)] > 0;
  const bool focus_wants = node.wanting[static_cast<std::size_t>(PriorityBand::focus)] > 0;
  bool realtime = false;
  bool normal_runs = false;
  bool focus_runs = false;
  for (std::uint32_t queue = 0; queue < node.queues.size(); ++queue) {
    const DmaPacket* first = node.engine->first_packet(queue);
    if (first == nullptr) continue;
    const PriorityBand band = s_.contexts[first->context].rank.band;
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
