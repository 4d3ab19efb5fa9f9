// SPDX-License-Identifier: Apache-2.0
// Scheduler, the family of functions that hand packets to nodes and take them back.
#include "scheduler/scheduler.hpp"
#include "sim/assert.hpp"

#include <algorithm>
#include <utility>

namespace fenceline {

/// Fills the node's hardware queues from its ready contexts.
void Scheduler::serve(std::uint32_t index) {
  Node& node = nodes_[index];
  while (!node.ready.empty()) {
    candidates_.clear();
    candidate_of_.clear();
    for (std::size_t i = 0; i < node.ready.size(); ++i) {
      const Context& context = contexts_[node.ready[i]];
      if (queue_for(node, context) == no_queue) continue;
      const bool has_turn = node.turn_of == node.ready[i];
      candidates_.push_back({context.config.priority, context.last_turn, has_turn, context.turn_used_ps});
      candidate_of_.push_back(static_cast<std::uint32_t>(i));
    }
    if (candidates_.empty()) {
      consider_preemption(node);
      return;
    }
    const std::uint32_t position = candidate_of_[choose_context(candidates_, quantum_ps_)];
    const std::uint32_t context = node.ready[position];
    const auto queue = static_cast<std::uint32_t>(queue_for(node, contexts_[context]));
    if (node.preempting[queue]) return;  // the engine's answer brings us back
    if (make_way(node, queue, contexts_[context].config.priority)) continue;
    node.ready.erase(node.ready.begin() + position);
    contexts_[context].ready = false;
    submit(node, context, queue);
    advance(context);  // its next packet may be ready too
  }
}

std::size_t Scheduler::queue_for(const Node& node, const Context& context) const {
  const Engine& engine = *node.engine;
  const std::uint32_t count = engine.engine_config().hardware_queues;
  if (!context.in_flight.empty()) return engine.has_room(context.hardware_queue) ? context.hardware_queue : no_queue;
  if (count == 1) return engine.has_room(0) ? 0 : no_queue;
  std::vector<HardwareQueueView> views(count);
  for (std::uint32_t i = 0; i < count; ++i) views[i] = {engine.packets_in(i), engine.has_room(i), false};
  return choose_hardware_queue(views);
}

void Scheduler::submit(Node& node, std::uint32_t index, std::uint32_t queue) {
  Context& context = contexts_[index];
  if (node.turn_of != index) {
    node.turn_of = index;
    context.last_turn = ++node.turns;
    context.turn_used_ps = 0;
  } else {
    context.last_turn = ++node.turns;
    if (context.turn_used_ps >= quantum_ps_) context.turn_used_ps = 0;  // nobody else wanted it: a new turn
  }
  QueuePacket& packet = context.software_queue.front();
  packet.submission_fence_id = node.next_fence_id++;
  DmaPacket dma;
  dma.id = packet.id;
  dma.submission_fence_id = packet.submission_fence_id;
  dma.context = index;
  dma.priority = context.config.priority;
  dma.stream = packet.stream;
  dma.cursor = packet.cursor;
  dma.cost = context.cost;
  if (context.labelled != packet.stream.get()) {
    context.labelled = packet.stream.get();
    context.label = log_.name(packet.stream->name);
  }
  dma.label = context.label;
  context.hardware_queue = queue;
  context.in_flight.push_back({std::move(packet), {}});
  context.software_queue.pop_front();
  node.engine->submit(queue, std::move(dma));
}

/// Asks for a hardware queue's waiting packets back when one of them has a lower priority than a packet that wants to
/// go there. True when the queue changed or will: choose again.
bool Scheduler::make_way(Node& node, std::uint32_t queue, int priority) {
  if (node.lowest_priority == node.highest_priority) return false;
  std::vector<int> waiting;
  bool first = true;  // the front packet runs
  node.engine->for_each_packet(queue, [&](const DmaPacket& packet) {
    if (!first) waiting.push_back(packet.priority);
    first = false;
  });
  if (!worth_preempting(priority, waiting)) return false;
  node.preempting[queue] = true;
  const std::size_t before = node.engine->packets_in(queue);
  asking_ = true;
  node.engine->preempt(queue);
  asking_ = false;
  return node.preempting[queue] || node.engine->packets_in(queue) < before;
}

/// Ready contexts found no room: makes some where one of them could go ahead of a packet that waits.
void Scheduler::consider_preemption(Node& node) {
  if (node.lowest_priority == node.highest_priority) return;
  for (std::uint32_t queue = 0; queue < node.preempting.size(); ++queue) {
    if (node.preempting[queue]) continue;
    for (const std::uint32_t index : node.ready) {
      const Context& context = contexts_[index];
      const bool could_use = context.in_flight.empty() || context.hardware_queue == queue;
      if (could_use && make_way(node, queue, context.config.priority)) return;  // what comes back wakes us again
    }
  }
}

void Scheduler::packets_preempted(Engine& engine, std::uint32_t queue, std::vector<DmaPacket> packets) {
  Node& node = nodes_[node_index(engine)];
  node.preempting[queue] = false;
  if (!asking_) schedule_.notify(sc_core::SC_ZERO_TIME);  // ready contexts waited for the answer
  // From the last to the first, so that each context gets its packets back in their order.
  for (auto dma = packets.rbegin(); dma != packets.rend(); ++dma) {
    Context& context = contexts_[dma->context];
    FENCELINE_ASSERT(!context.in_flight.empty() && context.in_flight.back().packet.id == dma->id,
                     std::string(name()) + ": " + context.config.name + " packets came back out of order");
    Context::InFlight returned = std::move(context.in_flight.back());
    context.in_flight.pop_back();
    returned.packet.cursor = dma->cursor;
    ++returned.packet.preemptions;
    for (auto signal = returned.signals.rbegin(); signal != returned.signals.rend(); ++signal) {
      context.software_queue.push_front(std::move(*signal));
    }
    context.software_queue.push_front(std::move(returned.packet));
    wake(dma->context);
  }
}

}  // namespace fenceline
