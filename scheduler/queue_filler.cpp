// SPDX-License-Identifier: Apache-2.0
#include "scheduler/queue_filler.hpp"

#include "scheduler/policies/jitter.hpp"
#include "sim/kernel/now.hpp"

#include <algorithm>
#include <utility>

namespace fenceline {

void QueueFiller::fill(Node& node) {
  if (node.contexts == 1) {
    fill_from_one(node);
    return;
  }
  std::vector<std::uint32_t> passed_over;  // contexts for which there is no place
  bool kept_out = false;                   // one of them waits for the end of a list that is split (Windows 7 model)
  while (!node.ready.empty()) {
    choice_.clear();
    node.ready.for_each([&] { return candidates_.named(node); },
                        [&](std::uint32_t one) {
                          if (!candidates_.may_run(node, s_.contexts[one])) return;
                          if (std::find(passed_over.begin(), passed_over.end(), one) != passed_over.end()) return;
                          choice_.push_back(candidates_.ready(node, one));
                        });
    if (choice_.empty()) return;
    const Candidate chosen = choice_[choose_context(s_.policy, choice_)];
    const bool waits_with_it = kept_out && follows_split(node, chosen);
    if (!waits_with_it && try_hand_over(node, chosen)) continue;
    passed_over.push_back(chosen.context);  // an end or an answer brings us back
    kept_out = kept_out || std::any_of(node.queues.begin(), node.queues.end(), [&](const NodeQueue& queue) {
                 return splitter_.kept_from(queue, chosen.context);
               });
  }
}

/// It is behind the last piece of a list of its own context, and would go before one that waits for that list's end.
bool QueueFiller::follows_split(const Node& node, const Candidate& candidate) const {
  const Context& context = s_.contexts[candidate.context];
  const bool is_its = node.queues[context.hardware_queue].split_context == candidate.context;
  return is_its && !context.in_flight.empty();
}

/// There is nothing to choose.
void QueueFiller::fill_from_one(Node& node) {
  Candidate only;
  only.context = node.first_context;
  while (!node.ready.empty() && candidates_.may_run(node, s_.contexts[only.context])) {
    const std::size_t queue = queue_for(node, only);
    if (queue == no_queue) return;
    hand_over(node, only.context, static_cast<std::uint32_t>(queue));
  }
}

/// Hands the context's next packet over, if there is a place for it now; else something may have been asked to stop.
bool QueueFiller::try_hand_over(Node& node, const Candidate& candidate) {
  if (kept_out(node, candidate)) return false;
  const std::size_t queue = queue_for(node, candidate);
  if (queue == no_queue) {
    // The next piece of a list that is kept together goes nowhere else.
    const std::uint32_t own = s_.contexts[candidate.context].hardware_queue;
    if (splitter_.keeps(node.queues[own], candidate.context)) {
      preemptor_.attempt(node, own, candidate);
    } else {
      preemptor_.attempt_any(node, candidate);
    }
    return false;
  }
  if (preemptor_.attempt(node, static_cast<std::uint32_t>(queue), candidate)) return false;
  hand_over(node, candidate.context, static_cast<std::uint32_t>(queue));
  return true;
}

void QueueFiller::hand_over(Node& node, std::uint32_t context, std::uint32_t queue) {
  node.ready.remove(context);
  s_.contexts[context].ready = false;
  submit(node, context, queue);
  queues_.advance(context);  // its next packet may be ready too
}

std::size_t QueueFiller::queue_for(const Node& node, const Candidate& candidate) const {
  const Context& context = s_.contexts[candidate.context];
  const auto has_room = [&](std::uint32_t queue) {
    return node.has_room(queue) && !splitter_.kept_from(node.queues[queue], candidate.context);
  };
  const std::uint32_t own = context.hardware_queue;
  if (!context.in_flight.empty()) return has_room(own) ? own : no_queue;
  const bool stays = splitter_.keeps(node.queues[own], candidate.context);
  if (stays || (Splitter::goes_back(context, node.queues[own]) && has_room(own))) return has_room(own) ? own : no_queue;
  const auto count = static_cast<std::uint32_t>(node.queues.size());
  if (count == 1) return has_room(0) ? 0 : no_queue;
  std::vector<HardwareQueueView> views(count);
  const bool keeps =
      candidate.process_turn.has && candidate.process_turn.used_ps < candidate.allowance.process_quantum_ps;
  for (std::uint32_t i = 0; i < count; ++i) {
    views[i] = {node.queues[i].packets, has_room(i), keeps && i == context.hardware_queue};
  }
  return choose_hardware_queue(views);
}

/// While a higher one on the node waits for places on the shader array, no lower one comes; nor before the end of one
/// that waited for places again and again: each of its dispatches would stop the lower one anew.
bool QueueFiller::kept_out(const Node& node, const Candidate& candidate) const {
  if (s_.policy.process_slices) return false;
  for (std::uint32_t queue = 0; queue < node.queues.size(); ++queue) {
    const NodeQueue& hardware = node.queues[queue];
    if (!hardware.short_of_places && !hardware.short_again) continue;
    const DmaPacket* first = node.engine->first_packet(queue);
    if (first == nullptr || first->context == candidate.context) continue;
    if (!hardware.short_of_places && first->id != hardware.short_packet) continue;
    if (outranks(s_.policy, candidates_.queued(node, queue, *first, true), candidate)) return true;
  }
  return false;
}

void QueueFiller::submit(Node& node, std::uint32_t index, std::uint32_t queue) {
  Context& context = s_.contexts[index];
  context.last_submission = ++node.next_order;
  QueuePacket& packet = context.software_queue.front();
  // Paging packets keep theirs (DxgkDdiPreemptCommand: paging buffers that come back).
  const bool keeps_id = packet.type == PacketType::paging && packet.submission_fence_id != 0;
  if (!keeps_id) packet.submission_fence_id = node.next_fence_id++;
  if (residency_.hears_of(packet)) residency_.handed_over(index, packet);
  if (packet.progress == nullptr || packet.progress->started_ps == Progress::not_started) packet.hardware_ps = now_ps();
  const std::uint32_t pieces = packet.pieces;
  DmaPacket dma = dma_packet_of(context, index, packet);
  if (s_.log.enabled()) {
    const std::size_t end = dma.stream != nullptr ? dma.end() : 0;
    if (packet.pieces > pieces && splitter_.patches()) {
      log_.patched(packet, packet.pieces, dma.cursor.command, end);
    }
    s_.log.submission({node.log_name, queue, log_.log_name_of(context, packet), packet.id, packet.submission_fence_id,
                       packet.type, packet.preemptions, now_ps(), std::max(packet.pieces, 1u), !dma.has_more(),
                       std::min(dma.cursor.command, end), end});
  }
  if (context.in_flight.empty()) {
    node.on_hardware.insert(std::lower_bound(node.on_hardware.begin(), node.on_hardware.end(), index), index);
  }
  log_.touch(index);
  if (dma.begun() && queue != context.hardware_queue) node.engine->drop(context.hardware_queue, dma.id);
  context.hardware_queue = queue;
  context.in_flight.push_back({std::move(packet), {}, dma.has_more()});
  context.software_queue.pop_front();
  NodeQueue& hardware = node.queues[queue];
  hardware.last_submitted = dma.submission_fence_id;
  if (dma.has_more()) hardware.split_context = index;
  const EngineConfig& engine = node.engine->engine_config();
  if (++hardware.packets == engine.hardware_queue_depth) hardware.filling = !engine.hardware_queue_refill.has_value();
  node.engine->submit(queue, std::move(dma));
}

/// What the node gets of a queue packet: with what it resumes from, if it has been stopped.
DmaPacket QueueFiller::dma_packet_of(Context& context, std::uint32_t index, QueuePacket& packet) {
  DmaPacket dma;
  if (packet.progress != nullptr) static_cast<Progress&>(dma) = std::move(*packet.progress);
  packet.progress.reset();
  dma.id = packet.id;
  dma.submission_fence_id = packet.submission_fence_id;
  dma.context = index;
  dma.priority = array_priority(s_.policy, context.rank);
  dma.in_process_priority = context.rank.in_process;
  dma.process = SchedulerState::process_index(context);
  if (packet.type == PacketType::wait) {
    dma.released = waits_.released_on_hardware(packet);
    if (s_.log.enabled()) dma.label = s_.fences.log_name_of(packet.fence);
    return dma;
  }
  dma.effects = packet.effects.get();
  dma.stream = residency_.active() ? residency_.stream_of(context, packet, dma) : packet.stream;
  splitter_.take_piece(packet, dma, residency_.commands_that_fit(index, packet, dma.cursor.command));
  dma.cost = context.cost;
  dma.cost.launch_ps +=
      jitter_ps(context.config.launch_jitter_ns, s_.config.seed, JitterSite::launch, index, packet.id);
  if (context.labelled != packet.stream->name || context.label == LogName{}) {
    context.labelled = packet.stream->name;
    context.label = s_.log.name(packet.stream->name);
  }
  dma.label = context.label;
  return dma;
}

}  // namespace fenceline
