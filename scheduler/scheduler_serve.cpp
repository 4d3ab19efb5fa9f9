// SPDX-License-Identifier: Apache-2.0
// Scheduler, the family of functions that hand packets to nodes.
#include "scheduler/scheduler.hpp"
#include "sim/assert.hpp"
#include "sim/now.hpp"

#include <algorithm>
#include <utility>

namespace fenceline {
/// Fills the node's hardware queues from its ready contexts.
void Scheduler::serve(std::uint32_t index) {
  fill(index);
  if (config_.hardware_waits && config_.caps.preemption_aware) yield_waits(index);
}

/// A wait on the hardware that holds up other contexts gives way to them, and waits in its software queue from then on:
/// what it waits for may be among them. Source: GPU preemption, hardware-based waits "must support the ability to
/// preempt a wait instruction before the wait condition is satisfied".
void Scheduler::yield_waits(std::uint32_t index) {
  Node& node = nodes_[index];
  for (std::uint32_t queue = 0; queue < node.queues.size(); ++queue) {
    if (node.queues[queue].preempting) continue;
    const DmaPacket* wait = nullptr;
    bool holds_others = false;
    node.engine->for_each_packet(queue, [&](const DmaPacket& packet) {
      if (wait == nullptr) wait = &packet;
      holds_others = holds_others || packet.context != wait->context;
    });
    if (wait == nullptr || wait->stream != nullptr || wait->released) continue;
    holds_others = holds_others || std::any_of(node.ready.begin(), node.ready.end(), [&](std::uint32_t other) {
                     return other != wait->context && may_run(node, contexts_[other]);
                   });
    if (!holds_others || node.engine->finest_level(queue) == PreemptionLevel::none) continue;
    count_attempt(node, queue, 0, PreemptionAttempt::success);
    request(index, queue, PreemptionReason::wait_yields, wait->id);
  }
}

void Scheduler::fill(std::uint32_t index) {
  Node& node = nodes_[index];
  node.retry_ps = never;
  std::vector<std::uint32_t> passed_over;  // contexts for which there is no place
  while (!node.ready.empty()) {
    candidates_.clear();
    candidate_of_.clear();
    for (std::uint32_t i = 0; i < node.ready.size(); ++i) {
      const std::uint32_t one = node.ready[i];
      const Context& context = contexts_[one];
      if (!may_run(node, context)) continue;
      if (std::find(passed_over.begin(), passed_over.end(), one) != passed_over.end()) continue;
      const QueuePacket& packet = context.software_queue.front();
      candidates_.push_back(candidate(node, one, packet.id, packet.ready_ps));
      candidate_of_.push_back(i);
    }
    if (candidates_.empty()) return;
    const std::size_t chosen = choose_context(settings_, candidates_);
    const std::uint32_t position = candidate_of_[chosen];
    const std::uint32_t one = node.ready[position];
    const std::size_t queue = queue_for(node, contexts_[one]);
    if (queue == no_queue) {
      attempt_any(index, candidates_[chosen], contexts_[one]);
      passed_over.push_back(one);
      continue;
    }
    const auto hardware_queue = static_cast<std::uint32_t>(queue);
    if (node.contexts > 1 && attempt(index, hardware_queue, candidates_[chosen])) {
      passed_over.push_back(one);  // the engine's answer brings us back
      continue;
    }
    node.ready.erase(node.ready.begin() + position);
    contexts_[one].ready = false;
    submit(index, one, hardware_queue);
    advance(one);  // its next packet may be ready too
  }
}

bool Scheduler::has_room(const Node& node, std::uint32_t index) const {
  const HardwareQueue& queue = node.queues[index];
  return queue.filling && !queue.preempting && node.engine->has_room(index);
}

std::size_t Scheduler::queue_for(const Node& node, const Context& context) const {
  if (!context.in_flight.empty()) return has_room(node, context.hardware_queue) ? context.hardware_queue : no_queue;
  const auto count = static_cast<std::uint32_t>(node.queues.size());
  if (count == 1) return has_room(node, 0) ? 0 : no_queue;
  std::vector<HardwareQueueView> views(count);
  for (std::uint32_t i = 0; i < count; ++i) views[i] = {node.queues[i].packets, has_room(node, i), false};
  return choose_hardware_queue(views);
}

/// How the policy sees a context; `ready_ps` is when its packet became ready.
Candidate Scheduler::candidate(const Node& node, std::uint32_t index, std::uint64_t packet,
                               std::uint64_t ready_ps) const {
  const Context& context = contexts_[index];
  const auto process = static_cast<std::uint32_t>(context.config.process);
  Candidate one;
  one.rank = context.rank;
  one.context = index;
  one.process = process;
  one.context_turn = context.turn;
  one.context_turn.has = node.turn_of == index;
  one.process_turn = node.process_turns[process];
  one.process_turn.has = node.process_turn_of == process;
  one.packet = packet;
  one.waiting_ps = now_ps() - std::min(now_ps(), ready_ps);
  one.starved = context.rank.band == PriorityBand::normal && starved(node);
  return one;
}

bool Scheduler::normal_waits(const Node& node) const {
  return std::any_of(node.ready.begin(), node.ready.end(),
                     [this](std::uint32_t context) { return contexts_[context].rank.band == PriorityBand::normal; });
}

/// Since one of its contexts waits the normal band has had less than its floor, and the focus band more than a turn.
bool Scheduler::starved(const Node& node) const {
  const auto normal = static_cast<double>(node.band_ps[static_cast<std::size_t>(PriorityBand::normal)]);
  const std::uint64_t focus_ps = node.band_ps[static_cast<std::size_t>(PriorityBand::focus)];
  if (focus_ps < settings_.quantum_ps[static_cast<std::size_t>(PriorityBand::focus)]) return false;
  const double all = normal + static_cast<double>(focus_ps);
  return normal * 100 < all * config_.target_normal_band_percentage;
}

/// The next packets are the context's: its turn begins, or goes on.
void Scheduler::take_turn(Node& node, std::uint32_t index) {
  Context& context = contexts_[index];
  const auto process = static_cast<std::uint32_t>(context.config.process);
  const auto band = static_cast<std::size_t>(context.rank.band);
  // Over, but nobody else wanted it: a new turn.
  const auto begin = [](Turn& turn, bool same, std::uint64_t quantum_ps) {
    if (!same || turn.used_ps >= quantum_ps) turn.used_ps = 0;
  };
  ++node.turns;
  begin(context.turn, node.turn_of == index, settings_.quantum_ps[band]);
  context.turn.last = node.turns;
  node.turn_of = index;
  Turn& turn = node.process_turns[process];
  begin(turn, node.process_turn_of == process, settings_.process_quantum_ps[band]);
  turn.last = node.turns;
  node.process_turn_of = process;
}

void Scheduler::submit(std::uint32_t node_of, std::uint32_t index, std::uint32_t queue) {
  Node& node = nodes_[node_of];
  Context& context = contexts_[index];
  take_turn(node, index);
  QueuePacket& packet = context.software_queue.front();
  packet.submission_fence_id = node.next_fence_id++;
  if (packet.progress.started_ps == Progress::not_started) packet.hardware_ps = now_ps();
  DmaPacket dma;
  static_cast<Progress&>(dma) = std::move(packet.progress);
  dma.id = packet.id;
  dma.submission_fence_id = packet.submission_fence_id;
  dma.context = index;
  dma.priority = context.config.priority;
  if (packet.type == PacketType::wait) {
    const Wait& wait = waits_[packet.wait_slot];
    dma.released = wait.reached && wait.release_ps <= now_ps();
    if (wait.reached && !dma.released) agenda_.at<&Scheduler::release_wait>(wait.release_ps, this, packet.wait_slot);
    dma.label = fences_.log_name_of(packet.fence);
  } else {
    dma.stream = packet.stream;
    dma.cost = context.cost;
    if (context.labelled != packet.stream->name || context.label == LogName{}) {
      context.labelled = packet.stream->name;
      context.label = log_.name(packet.stream->name);
    }
    dma.label = context.label;
  }
  if (log_.enabled()) {
    log_.submission({node.path, queue, context.path, packet.id, packet.submission_fence_id, packet.type,
                     packet.preemptions, now_ps()});
  }
  context.hardware_queue = queue;
  context.in_flight.push_back({std::move(packet), {}});
  context.software_queue.pop_front();
  HardwareQueue& hardware = node.queues[queue];
  ++hardware.packets;
  const EngineConfig& engine = node.engine->engine_config();
  if (!node.engine->submit(queue, std::move(dma))) hardware.filling = !engine.hardware_queue_refill.has_value();
}

}  // namespace fenceline
