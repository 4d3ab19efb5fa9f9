// SPDX-License-Identifier: Apache-2.0
// Scheduler, the family of functions that hand packets to nodes.
#include "scheduler/scheduler.hpp"
#include "sim/assert.hpp"
#include "sim/kernel/now.hpp"

#include <algorithm>
#include <utility>

namespace fenceline {
/// Judges what waits on the hardware, and fills the node's hardware queues from its ready contexts.
void Scheduler::serve(std::uint32_t index) {
  Node& node = nodes_[index];
  node.retry_ps = never;
  end_turns(node);
  if (node.contexts > 1) {
    count_floor(node);
    judge_queues(index);
    judge_places(index);
  }
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
    holds_others = holds_others || others_may_run(node, wait->context);
    if (!holds_others || node.engine->finest_level(queue) == PreemptionLevel::none) continue;
    count_attempt(node, queue, 0, PreemptionAttempt::success);
    request(index, queue, PreemptionReason::wait_yields, {wait->id, 0});
  }
}

void Scheduler::fill(std::uint32_t index) {
  Node& node = nodes_[index];
  if (node.contexts == 1) {
    fill_from_one(index);
    return;
  }
  std::vector<std::uint32_t> passed_over;  // contexts for which there is no place
  while (!node.ready.empty()) {
    candidates_.clear();
    node.ready.for_each([&] { return named(node); },
                        [&](std::uint32_t one) {
                          if (!may_run(node, contexts_[one])) return;
                          if (std::find(passed_over.begin(), passed_over.end(), one) != passed_over.end()) return;
                          candidates_.push_back(ready_candidate(node, one));
                        });
    if (candidates_.empty()) return;
    const Candidate chosen = candidates_[choose_context(policy_, candidates_)];
    if (!place(index, chosen)) passed_over.push_back(chosen.context);  // an end or an answer brings us back
  }
}

ReadyContext Scheduler::ready_context(const Node& node, std::uint32_t index) const {
  const Context& context = contexts_[index];
  const QueuePacket& packet = context.software_queue.front();
  ReadyContext one;
  one.context = index;
  one.process = static_cast<std::uint32_t>(context.config.process);
  one.rank = context.rank;
  one.waits = is_blocked(packet);
  one.arrival = context.arrival;
  one.process_arrival = node.processes[one.process].of(height_of(one.rank));
  one.packet = packet.id;
  one.last_turn = context.last_turn;
  one.ready_ps = packet.ready_ps;
  return one;
}

/// Of the ready contexts those that no other one can stand for.
RepresentedContexts::Named Scheduler::named(const Node& node) const {
  RepresentedContexts::Named named;
  named.contexts = node.on_hardware;
  for (const std::uint32_t context : node.on_hardware) {
    named.processes.push_back(static_cast<std::uint32_t>(contexts_[context].config.process));
  }
  if (node.runlist != none) named.processes.push_back(runlists_[node.runlist].process);
  named.owners = [&node, turns = policy_.has_turns()](const Peers& peers, std::vector<std::uint32_t>& owners) {
    if (!turns) return;
    for (const HardwareQueue& queue : node.queues) {
      const std::uint32_t owner = queue.turns.of(peers).owner;
      if (owner != Turns::nobody) owners.push_back(owner);
    }
  };
  return named;
}

/// Ready contexts besides this one could go to the node.
bool Scheduler::others_may_run(const Node& node, std::uint32_t index) const {
  const Context& context = contexts_[index];
  const bool itself = context.ready && may_run(node, context);
  std::size_t all = node.ready.size();
  if (node.runlist != none) {
    const Runlist& runlist = runlists_[node.runlist];
    all = runlist.switching ? 0 : node.ready.of_process(runlist.process);
  }
  return all > (itself ? 1 : 0);
}

/// There is nothing to choose.
void Scheduler::fill_from_one(std::uint32_t index) {
  Node& node = nodes_[index];
  Candidate only;
  only.context = node.first_context;
  while (!node.ready.empty() && may_run(node, contexts_[only.context])) {
    const std::size_t queue = queue_for(node, only);
    if (queue == no_queue) return;
    hand_over(index, only.context, static_cast<std::uint32_t>(queue));
  }
}

/// Hands the context's next packet over, if there is a place for it now; else something may have been asked to stop.
bool Scheduler::place(std::uint32_t index, const Candidate& candidate) {
  Node& node = nodes_[index];
  if (kept_out(node, candidate)) return false;
  const std::size_t queue = queue_for(node, candidate);
  if (queue == no_queue) {
    attempt_any(index, candidate);
    return false;
  }
  if (attempt(index, static_cast<std::uint32_t>(queue), candidate)) return false;
  hand_over(index, candidate.context, static_cast<std::uint32_t>(queue));
  return true;
}

void Scheduler::hand_over(std::uint32_t node_of, std::uint32_t context, std::uint32_t queue) {
  nodes_[node_of].ready.remove(context);
  contexts_[context].ready = false;
  submit(node_of, context, queue);
  advance(context);  // its next packet may be ready too
}

/// The last of the context's packets has ended there, or come back.
void Scheduler::left_hardware(Node& node, std::uint32_t context) {
  node.on_hardware.erase(std::lower_bound(node.on_hardware.begin(), node.on_hardware.end(), context));
  touch(context);
}

/// As the scheduler was told by interrupts; the engine may have more.
bool Scheduler::has_room(const Node& node, std::uint32_t index) const {
  const HardwareQueue& queue = node.queues[index];
  return queue.filling && !queue.preempting && queue.packets < node.engine->engine_config().hardware_queue_depth;
}

std::size_t Scheduler::queue_for(const Node& node, const Candidate& candidate) const {
  const Context& context = contexts_[candidate.context];
  if (!context.in_flight.empty()) return has_room(node, context.hardware_queue) ? context.hardware_queue : no_queue;
  const auto count = static_cast<std::uint32_t>(node.queues.size());
  if (count == 1) return has_room(node, 0) ? 0 : no_queue;
  std::vector<HardwareQueueView> views(count);
  const bool keeps =
      candidate.process_turn.has && candidate.process_turn.used_ps < candidate.allowance.process_quantum_ps;
  for (std::uint32_t i = 0; i < count; ++i) {
    views[i] = {node.queues[i].packets, has_room(node, i), keeps && i == context.hardware_queue};
  }
  return choose_hardware_queue(views);
}

/// While a higher one on the node waits for places on the shader array, no lower one comes; nor before the end of one
/// that waited for places again and again: each of its dispatches would stop the lower one anew.
bool Scheduler::kept_out(const Node& node, const Candidate& candidate) const {
  if (policy_.process_slices) return false;
  for (std::uint32_t queue = 0; queue < node.queues.size(); ++queue) {
    const HardwareQueue& hardware = node.queues[queue];
    if (!hardware.short_of_places && !hardware.short_again) continue;
    const DmaPacket* first = node.engine->first_packet(queue);
    if (first == nullptr || first->context == candidate.context) continue;
    if (!hardware.short_of_places && first->id != hardware.short_packet) continue;
    if (outranks(policy_, queued_candidate(node, queue, *first, true), candidate)) return true;
  }
  return false;
}

/// A turn begins, or goes on: who waits for its end is told when that is.
void Scheduler::packet_launched(Engine& engine, std::uint32_t queue) {
  Node& node = nodes_[node_index(engine)];
  if (node.contexts < 2) return;
  begin_turns(node, queue);
  schedule_.request();
}

void Scheduler::places_wanted(Engine& engine, std::uint32_t queue, bool wanted) {
  Node& node = nodes_[node_index(engine)];
  if (node.queues.size() == 1 || node.queues[queue].short_of_places == wanted) return;
  HardwareQueue& hardware = node.queues[queue];
  hardware.short_of_places = wanted;
  const DmaPacket* first = wanted ? engine.first_packet(queue) : nullptr;
  if (first != nullptr) {
    hardware.short_again = first->id == hardware.short_packet;
    hardware.short_packet = first->id;
  }
  if (node.contexts > 1) schedule_.request();
}

void Scheduler::submit(std::uint32_t node_of, std::uint32_t index, std::uint32_t queue) {
  Node& node = nodes_[node_of];
  Context& context = contexts_[index];
  context.last_turn = ++node.turns;
  QueuePacket& packet = context.software_queue.front();
  packet.submission_fence_id = node.next_fence_id++;
  if (packet.progress == nullptr || packet.progress->started_ps == Progress::not_started) packet.hardware_ps = now_ps();
  DmaPacket dma;
  if (packet.progress != nullptr) static_cast<Progress&>(dma) = std::move(*packet.progress);
  packet.progress.reset();
  dma.id = packet.id;
  dma.submission_fence_id = packet.submission_fence_id;
  dma.context = index;
  dma.priority = array_priority(policy_, context.rank);
  dma.in_process_priority = context.rank.in_process;
  dma.process = static_cast<std::uint32_t>(context.config.process);
  if (packet.type == PacketType::wait) {
    const Wait& wait = waits_[packet.wait_slot];
    dma.released = wait.reached && wait.release_ps <= now_ps();
    if (wait.reached && !dma.released) agenda_.at<&Scheduler::release_wait>(wait.release_ps, this, packet.wait_slot);
    if (log_.enabled()) dma.label = fences_.log_name_of(packet.fence);
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
    log_.submission({node.path, queue, path_of(context), packet.id, packet.submission_fence_id, packet.type,
                     packet.preemptions, now_ps()});
  }
  if (context.in_flight.empty()) {
    node.on_hardware.insert(std::lower_bound(node.on_hardware.begin(), node.on_hardware.end(), index), index);
  }
  touch(index);
  context.hardware_queue = queue;
  context.in_flight.push_back({std::move(packet), {}});
  context.software_queue.pop_front();
  HardwareQueue& hardware = node.queues[queue];
  const EngineConfig& engine = node.engine->engine_config();
  if (++hardware.packets == engine.hardware_queue_depth) hardware.filling = !engine.hardware_queue_refill.has_value();
  node.engine->submit(queue, std::move(dma));
}

}  // namespace fenceline
