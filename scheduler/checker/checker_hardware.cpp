// SPDX-License-Identifier: Apache-2.0
// Checker, the family of rules about hardware queues: what they hold and run, ids, interrupts and preemption.
#include "scheduler/checker/checker.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fenceline {

/// Submissions and requests draw from one sequence of their node.
void Checker::draw(Node& node, std::uint64_t id, std::uint64_t at_ps, const std::string& place) {
  if (id <= node.last_id) {
    violation(at_ps, place, fmt::format("an id above {}", node.last_id), fmt::format("id {}", id));
  }
  node.last_id = std::max(node.last_id, id);
}

void Checker::submission(const EventLog&, const SubmissionRecord& record) {
  moment(record.at_ps);
  if (rules_) rules_->submission(record);
  if (recovery_) recovery_->submission(record);
  pieces_.submission(record);
  Packet* packet = packet_of(record.packet, record.at_ps, "its submission to a node");
  HardwareQueue* queue = queue_of(record.node, record.hardware_queue, record.at_ps);
  if (packet == nullptr || queue == nullptr) return;
  Node& node = *node_of(record.node, record.at_ps);
  const auto wrong = [&](const std::string& expected, const std::string& found) {
    violation(record.at_ps, where(record.packet, *packet) + " to " + where(record.node, record.hardware_queue),
              expected, found);
  };
  if (record.type != packet->type || takes_a_moment(packet->type)) {
    wrong("a render or wait packet, as it was queued", fmt::format("a {} packet", name_of(record.type)));
  }
  if (record.context != contexts_[packet->context].path) wrong("the context it was queued in", text(record.context));
  if (record.node != packet->node) {
    wrong("its context's node " + text(packet->node), "another node");
    return;
  }
  if (packet->place != Place::software) {
    wrong("a packet that is in no hardware queue",
          packet->place == Place::done ? "one that is complete" : "one that is in a hardware queue already");
    return;
  }
  if (contexts_[packet->context].suspended) wrong("a context that runs", "a suspended one");
  if (record.resubmissions != packet->returns) {
    wrong(fmt::format("{} earlier submissions that came back", packet->returns), std::to_string(record.resubmissions));
  }
  if (record.at_ps < packet->known_ps) {
    wrong("nothing before the scheduler learns at " + Violations::time_of(packet->known_ps) + " that it came back",
          "an earlier submission");
  }
  if (queue->request || record.at_ps < queue->returned_ps) {
    wrong("nothing for a hardware queue that is being stopped", "a submission");
  }
  if (queue->packets.size() >= node.depth) {
    wrong(fmt::format("at most {} packets in the hardware queue", node.depth), "one more");
  }
  if (record.type == PacketType::paging && packet->fence_id != 0) {  // paging keeps its id
    if (record.submission_fence_id != packet->fence_id) {
      wrong(fmt::format("the id that it had, {}", packet->fence_id), std::to_string(record.submission_fence_id));
    }
  } else {
    draw(node, record.submission_fence_id, record.at_ps,
         where(record.packet, *packet) + " to " + where(record.node, record.hardware_queue));
  }
  check_ahead(record.packet, *packet, record.hardware_queue, record.at_ps);
  const std::uint32_t piece = packet->dma_pieces + (packet->next_piece ? 1 : 0);
  if (record.piece != piece) {
    wrong(fmt::format("piece {} of its list", piece), fmt::format("piece {}", record.piece));
  }
  packet->dma_pieces = std::max(packet->dma_pieces, record.piece);
  packet->next_piece = packet->restored = false;
  packet->last = record.last;
  if (queue->split_context && contexts_[*queue->split_context].owner != contexts_[packet->context].owner) {
    wrong(fmt::format("nothing of another context before the end of the list of {} that is split (Windows 7 model)",
                      text(contexts_[*queue->split_context].path)),
          "it handed over");
  }
  packet->place = Place::hardware;
  packet->ran = packet->ended = packet->unheard = false;
  packet->queue = record.hardware_queue;
  packet->fence_id = record.submission_fence_id;
  packet->submitted_ps = record.at_ps;
  if (packet->pieces == 0) packet->hardware_ps = record.at_ps;
  queue->packets.push_back(record.packet);
}

/// What was queued before it in its context is complete or ahead of it in the same hardware queue: nothing passes a
/// wait, and command lists run in their order.
void Checker::check_ahead(std::uint64_t id, const Packet& packet, std::uint32_t queue, std::uint64_t at_ps) {
  for (const PacketType type : {PacketType::render, PacketType::wait, PacketType::paging, PacketType::context_switch}) {
    for (const std::uint64_t earlier : contexts_[packet.context].left[static_cast<std::size_t>(type)]) {
      if (earlier >= id) break;
      const Packet& other = packets_.at(earlier);
      if (other.place == Place::done || (other.place == Place::hardware && other.queue == queue)) continue;
      violation(at_ps, where(id, packet),
                fmt::format("{} packet {}, queued before it, to be complete or ahead of it in the hardware queue",
                            name_of(type), earlier),
                other.place == Place::software ? "it in the software queue" : "it in another hardware queue");
      return;
    }
  }
}

void Checker::span(const EventLog&, const Span& span) {
  if (rules_) rules_->span(span);
  if (span.kind == SpanKind::restore) {
    if (const auto restored = packets_.find(span.id); restored != packets_.end()) restored->second.restored = true;
  }
  if (span.kind != SpanKind::packet) return;
  moment(span.end_ps);
  Packet* packet = packet_of(span.id, span.end_ps, "it running");
  if (packet == nullptr) return;
  const auto wrong = [&](const std::string& expected, const std::string& found) {
    violation(span.end_ps, where(span.id, *packet) + " on " + text(span.track), expected, found);
  };
  if (packet->place != Place::hardware || span.track != packet->node) {
    wrong("a packet in a hardware queue of the node", "it running");
    return;
  }
  HardwareQueue& queue = *queue_of(packet->node, packet->queue, span.end_ps);
  if (queue.packets.front() != span.id) {
    wrong(fmt::format("packet {} to run, the first of hardware queue {}", queue.packets.front(), packet->queue),
          "another");
  }
  if (packet->ran) wrong("one piece for each submission", "another");
  const std::uint64_t earliest_ps = std::max(packet->submitted_ps, queue.free_ps);
  if (span.start_ps < earliest_ps) {
    wrong(fmt::format("nothing before {}, when {}", Violations::time_of(earliest_ps),
                      queue.free_ps > packet->submitted_ps ? "the hardware queue is done with what ran before"
                                                           : "it is submitted"),
          "it running from " + Violations::time_of(span.start_ps) + " on");
  }
  const bool others_ran = queue.ran != span.id || packet->ran_on != packet->queue;
  if (packet->between && packet->restored != others_ran) {
    wrong(others_ran ? "its state restored: something else has run since the piece before"
                     : "its state left where it is: nothing else has run since the piece before",
          others_ran ? "none" : "a restore");
  }
  if (queue.split_context && contexts_[*queue.split_context].owner != contexts_[packet->context].owner) {
    wrong(fmt::format("nothing of another context between the pieces of the list of {} (Windows 7 model)",
                      text(contexts_[*queue.split_context].path)),
          "it running");
  }
  queue.ran = span.id;
  packet->ran_on = packet->queue;
  packet->between = false;
  if (back_to_back_ && !packet->last) queue.split_context = packet->context;
  if (packet->pieces == 0) {
    packet->first_ps = span.start_ps;
  } else {
    packet->gaps_ps += span.start_ps - std::min(span.start_ps, packet->last_ps);
  }
  ++packet->pieces;
  packet->ran = true;
  packet->ended = !span.stopped;
  packet->last_ps = span.end_ps;
  queue.free_ps = std::max(queue.free_ps, span.end_ps);
}

void Checker::interrupt(const EventLog&, const InterruptRecord& record) {
  moment(record.at_ps);
  if (rules_) rules_->interrupt(record);
  if (recovery_) recovery_->interrupt(record);
  if (record.type != InterruptType::dma_completed && record.type != InterruptType::dma_preempted) {
    if (node_of(record.node, record.at_ps) != nullptr && record.dpc_ps < record.at_ps) {
      violation(record.at_ps, text(record.node),
                fmt::format("{} to be handled after it was raised", name_of(record.type)),
                Violations::time_of(record.dpc_ps));
    }
    return;
  }
  HardwareQueue* queue = queue_of(record.node, record.hardware_queue, record.at_ps);
  if (queue == nullptr) return;
  const std::uint64_t earliest_ps = std::max(record.at_ps, queue->known_ps);
  if (record.dpc_ps < earliest_ps) {
    violation(
        record.at_ps, where(record.node, record.hardware_queue),
        "the scheduler to learn of interrupts in their order, at " + Violations::time_of(earliest_ps) + " or later",
        "at " + Violations::time_of(record.dpc_ps));
  }
  queue->known_ps = std::max(earliest_ps, record.dpc_ps);
  if (record.type == InterruptType::dma_completed) {
    completed(record, *queue);
  } else {
    preempted(record, *queue);
  }
}

void Checker::completed(const InterruptRecord& record, HardwareQueue& queue) {
  const auto wrong = [&](const std::string& expected) {
    violation(record.at_ps, where(record.node, record.hardware_queue), expected,
              fmt::format("DMA_COMPLETED of submission {}", record.fence_id));
  };
  if (record.last_completed_fence_id != record.fence_id) wrong("it to be the last that completed");
  const auto done = std::find_if(queue.packets.begin(), queue.packets.end(),
                                 [&](std::uint64_t packet) { return packets_.at(packet).fence_id == record.fence_id; });
  if (done == queue.packets.end()) {
    wrong("a submission that is in the hardware queue");
    return;
  }
  if (done != queue.packets.begin()) {
    wrong(fmt::format("submission {} to end first", packets_.at(queue.packets.front()).fence_id));
  }
  Packet& packet = packets_.at(*done);
  if (!packet.ran || !packet.ended) wrong(fmt::format("packet {} to run to its end before it is complete", *done));
  packet.place = packet.last ? Place::done : Place::software;
  packet.between = packet.next_piece = !packet.last;
  packet.known_ps = record.dpc_ps;
  if (packet.last && queue.split_context == packet.context) queue.split_context.reset();
  queue.packets.erase(done);
  queue.last_completed = record.fence_id;
  queue.free_ps = std::max(queue.free_ps, record.at_ps);
}

/// All that the hardware queue still holds comes back.
void Checker::preempted(const InterruptRecord& record, HardwareQueue& queue) {
  const auto wrong = [&](const std::string& expected, const std::string& found) {
    violation(record.at_ps, where(record.node, record.hardware_queue), expected, found);
  };
  if (!queue.request || queue.request->preemption_fence_id != record.fence_id) {
    wrong(queue.request ? fmt::format("DMA_PREEMPTED of request {}", queue.request->preemption_fence_id)
                        : "no DMA_PREEMPTED without a request",
          fmt::format("DMA_PREEMPTED of request {}", record.fence_id));
  }
  if (record.last_completed_fence_id != queue.last_completed) {
    wrong(fmt::format("LastCompletedFenceId {}", queue.last_completed), std::to_string(record.last_completed_fence_id));
  }
  Return back{};
  back.fence_id = record.fence_id;
  back.requested_ps = queue.request ? queue.request->at_ps : record.at_ps;
  back.at_ps = record.at_ps;
  back.packets = static_cast<std::uint32_t>(queue.packets.size());
  for (const std::uint64_t id : queue.packets) {
    Packet& packet = packets_.at(id);
    if (packet.ran && packet.ended) wrong(fmt::format("packet {} to complete, as it ran to its end", id), "it back");
    if (packet.ran) back.stopped_ps = packet.last_ps;
    packet.place = Place::software;
    packet.ran = packet.ended = false;
    packet.known_ps = record.dpc_ps;
    packet.unheard = node_of(record.node, record.at_ps)->held;
    ++packet.returns;
  }
  queue.packets.clear();
  queue.request.reset();
  queue.free_ps = std::max(queue.free_ps, record.at_ps);
  queue.returned_ps = record.dpc_ps;
  queue.returns.push_back(back);
}

void Checker::request(const EventLog&, const PreemptionRequest& request) {
  moment(request.at_ps);
  if (rules_) rules_->request(request);
  if (recovery_) recovery_->request(request);
  HardwareQueue* queue = queue_of(request.node, request.hardware_queue, request.at_ps);
  if (queue == nullptr) return;
  // A request that is under way comes again without its limit: it may be stopped finer now.
  if (queue->request && queue->request->preemption_fence_id == request.preemption_fence_id &&
      queue->request->level_limit != LogName{} && request.level_limit == LogName{}) {
    queue->request->level_limit = {};
    return;
  }
  if (queue->request) {
    violation(request.at_ps, where(request.node, request.hardware_queue),
              fmt::format("request {} to be answered first", queue->request->preemption_fence_id),
              fmt::format("request {}", request.preemption_fence_id));
  }
  const auto victim = packets_.find(request.victim_packet);
  const bool pages = victim != packets_.end() && is_of_system(victim->second.type);
  const bool by_policy = request.reason != PreemptionReason::asked && request.reason != PreemptionReason::reset &&
                         request.reason != PreemptionReason::suspended &&
                         request.reason != PreemptionReason::overtakes_queued;  // what is behind it, alone
  const bool hangs = pages && victim->second.stuck && request.reason == PreemptionReason::watchdog;
  if (pages && by_policy && !hangs) {
    violation(request.at_ps, where(request.node, request.hardware_queue),
              "nobody to have a packet of the system stopped",
              fmt::format("a request to stop packet {} ({})", request.victim_packet, name_of(request.reason)));
  }
  draw(*node_of(request.node, request.at_ps), request.preemption_fence_id, request.at_ps,
       where(request.node, request.hardware_queue) + ", request to preempt");
  queue->request = request;
}

void Checker::preemption(const EventLog&, const PreemptionRecord& record) {
  moment(now_ps_);
  if (rules_) rules_->preemption(record);
  HardwareQueue* queue = queue_of(record.node, record.hardware_queue, now_ps_);
  if (queue == nullptr) return;
  const auto wrong = [&](const std::string& expected, const std::string& found) {
    violation(now_ps_,
              fmt::format("{}, request {}", where(record.node, record.hardware_queue), record.preemption_fence_id),
              expected, found);
  };
  if (queue->returns.empty() || queue->returns.front().fence_id != record.preemption_fence_id) {
    wrong("the record of a DMA_PREEMPTED that has no record yet", "another");
    return;
  }
  const Return back = queue->returns.front();
  queue->returns.pop_front();
  if (record.requested_ps != back.requested_ps) {
    wrong("requested at " + Violations::time_of(back.requested_ps), Violations::time_of(record.requested_ps));
  }
  if (record.stopped_ps < record.requested_ps || record.stopped_ps > record.free_ps) {
    wrong("stopped between the request and the end of the save",
          "stopped at " + Violations::time_of(record.stopped_ps));
  }
  if (back.stopped_ps && record.stopped_ps != *back.stopped_ps) {
    wrong("stopped at " + Violations::time_of(*back.stopped_ps) + ", when the packet was",
          Violations::time_of(record.stopped_ps));
  }
  if (record.free_ps != back.at_ps) {
    wrong("the engine free at " + Violations::time_of(back.at_ps) + ", when it raised DMA_PREEMPTED",
          Violations::time_of(record.free_ps));
  }
  if (record.saved_bytes > 0 && !back.stopped_ps) wrong("nothing saved where nothing ran", "saved bytes");
  if (record.packets != back.packets) {
    wrong(fmt::format("{} packets to come back", back.packets), std::to_string(record.packets));
  }
}

}  // namespace fenceline
