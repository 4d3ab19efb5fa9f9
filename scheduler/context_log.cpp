// SPDX-License-Identifier: Apache-2.0
#include "scheduler/context_log.hpp"

#include "sim/kernel/now.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fenceline {

LogName ContextLog::log_name_of(const Context& context) const {
  if (context.log_name == LogName{}) context.log_name = s_.log.own_name(s_.name + "." + context.config.name);
  return context.log_name;
}

LogName ContextLog::log_name_of(const Context& context, const QueuePacket& packet) const {
  return log_name_of(packet.queue == QueuePacket::of_context ? context : s_.contexts[packet.queue]);
}

void ContextLog::rank(const Context& context) const {
  if (!s_.log.enabled()) return;
  const Allowance& allowance = context.allowance;
  s_.log.context({log_name_of(context), s_.node_of(context).log_name, s_.process_of(context).name,
                  static_cast<std::uint8_t>(context.rank.band), context.rank.level, context.rank.in_process,
                  allowance.quantum_ps, allowance.grace_ps, allowance.grace_same_priority_ps, now_ps(),
                  allowance.process_quantum_ps, allowance.process_grace_ps});
}

void ContextLog::queued(const Context& context, const QueuePacket& packet, const Broadcast& broadcast) const {
  if (!s_.log.enabled()) return;
  const bool fence = !has_commands(packet.type);
  s_.log.queued({log_name_of(context, packet), s_.node_of(context).log_name, packet.id, packet.type,
                 fence ? s_.fences.log_name_of(packet.fence) : LogName{}, packet.value,
                 fence ? s_.fences.value(packet.fence) : 0, now_ps(),
                 fence || broadcast.copies == 1 ? LogName{} : s_.log.name(packet.stream->name),
                 fence ? 0 : packet.stream->commands.size(), broadcast.first, broadcast.copies,
                 packet.type == PacketType::render ? s_.log.name(packet.stream->name) : LogName{}});
  if (packet.type != PacketType::render || packet.stream->markers.empty()) return;
  const LogName queue = log_name_of(context, packet);
  const LogName list = s_.log.name(packet.stream->name);
  for (const Marker& marker : packet.stream->markers) marked(queue, marker, packet.id, list);
}

void ContextLog::marked(LogName queue, const Marker& marker, std::uint64_t packet, LogName list) const {
  s_.log.marker({queue, marker.kind, s_.log.name(marker.name), marker.color, now_ps(), packet, marker.command, list});
}

void ContextLog::patched(const QueuePacket& packet, std::uint32_t piece, std::size_t from_command,
                         std::size_t end_command) const {
  if (!s_.log.enabled()) return;
  for (const PatchLocation& patch : packet.stream->splits.patches) {
    if (patch.command < from_command || patch.command >= end_command) continue;
    s_.log.patch({packet.id, piece, patch.slot, patch.bound, now_ps()});
  }
}

/// As it ends now, as far as its way through the node does not matter.
PacketRecord ContextLog::record_of(const Context& context, const QueuePacket& packet) const {
  PacketRecord record{};
  record.id = packet.id;
  record.context = log_name_of(context, packet);
  record.type = packet.type;
  record.preemptions = packet.preemptions;
  record.fence_value = packet.value;
  record.submitted_ps = packet.submitted_ps;
  record.head_ps = packet.head_ps;
  record.ready_ps = packet.ready_ps;
  record.hardware_ps = record.started_ps = record.finished_ps = record.completed_ps = now_ps();
  return record;
}

void ContextLog::completed(const Context& context, const QueuePacket& packet, const DmaPacket* dma,
                           bool awaits_others) const {
  if (!s_.log.enabled()) return;
  PacketRecord record = record_of(context, packet);
  record.awaits_others = awaits_others;
  if (dma != nullptr) {
    record.node = s_.node_of(context).log_name;
    record.label = dma->label;
    record.submission_fence_id = dma->submission_fence_id;
    record.hardware_ps = packet.hardware_ps;
    record.started_ps = dma->started_ps;
    record.finished_ps = dma->finished_ps;
    record.preempted_ps = dma->preempted_ps;
    record.pieces = packet.pieces;
  } else {
    record.label = s_.fences.log_name_of(packet.fence);
    record.pieces = 0;
  }
  s_.log.packet(record);
}

void ContextLog::ended(const Context& context, const QueuePacket& packet, const DmaPacket* dma,
                       PacketStatus status) const {
  if (!s_.log.enabled()) return;
  const Progress* progress = dma != nullptr ? dma : packet.progress.get();
  const bool began = progress != nullptr && progress->started_ps != Progress::not_started;
  PacketRecord record = record_of(context, packet);
  record.status = status;
  record.pieces = packet.pieces;
  record.rejected = packet.rejected;
  record.head_ps = std::min(packet.head_ps, now_ps());  // no_time is later than any
  record.ready_ps = std::min(packet.ready_ps, now_ps());
  if (has_commands(packet.type)) {
    record.label = s_.log.name(packet.stream->name);
  } else {
    record.label = s_.fences.log_name_of(packet.fence);
  }
  if (packet.submission_fence_id != 0) {
    record.node = s_.node_of(context).log_name;
    record.submission_fence_id = packet.submission_fence_id;
  }
  if (dma != nullptr && !began) record.hardware_ps = packet.hardware_ps;
  if (began) {
    record.hardware_ps = packet.hardware_ps;
    record.started_ps = progress->started_ps;
    const bool stopped = progress->stopped_ps >= progress->started_ps && progress->stopped_ps > 0;
    record.finished_ps = dma != nullptr && dma->finished_ps > 0 ? dma->finished_ps
                         : dma != nullptr && stopped            ? dma->stopped_ps
                                                                : now_ps();
    record.preempted_ps = progress->preempted_ps + (dma == nullptr && stopped ? now_ps() - progress->stopped_ps : 0);
  }
  s_.log.packet(record);
}

void ContextLog::stuck(const Context& context, std::uint64_t packet) const {
  if (!s_.log.enabled()) return;
  s_.log.instant({log_name_of(context), s_.log.name("stuck in packet"), now_ps(), packet, InstantKind::stuck});
}

void ContextLog::rejected(const Context& context, const QueuePacket& packet,
                          const std::vector<std::uint32_t>& slots) const {
  if (!s_.log.enabled()) return;
  s_.log.message(
      {Severity::warning, s_.node_of(context).log_name, now_ps(),
       fmt::format("piece {} of list \"{}\" (packet {} of {}) is rejected: it neither programs again nor "
                   "unbinds slot{} {}",
                   packet.pieces + 1, packet.stream->name, packet.id, s_.log.text(log_name_of(context, packet)),
                   slots.size() > 1 ? "s" : "", fmt::join(slots, ", "))});
}

/// With hardware scheduling STATUS_PENDING was the answer where something of it was on the node: an interrupt follows.
void ContextLog::suspended(const Context& context, bool was_on_node) {
  ++suspensions_;
  if (!s_.log.enabled()) return;
  if (was_on_node && s_.config.hardware_scheduling) {
    s_.log.interrupt({s_.node_of(context).log_name, context.hardware_queue, InterruptType::suspend_context_completed,
                      suspensions_, 0, now_ps(), now_ps() + s_.interrupts.latency_ps(), log_name_of(context)});
  }
  s_.log.instant({log_name_of(context), s_.log.name("suspended"), now_ps(), suspensions_, InstantKind::suspended});
}

void ContextLog::waits_for_memory(const Context& context) const {
  if (!s_.log.enabled()) return;
  const std::uint64_t packet = context.software_queue.front().id;
  s_.log.instant({log_name_of(context), s_.log.name("waits for video memory"), now_ps(), packet});
}

void ContextLog::resumed(const Context& context) const {
  if (s_.log.enabled()) {
    s_.log.instant({log_name_of(context), s_.log.name("resumed"), now_ps(), 0, InstantKind::resumed});
  }
}

void ContextLog::touch(std::uint32_t context) {
  if (s_.config.hardware_scheduling && s_.log.enabled()) touched_.push_back(context);
}

void ContextLog::end_round() {
  if (!s_.config.hardware_scheduling) return;
  if (!s_.log.enabled()) {
    touched_.clear();  // they may be freed before somebody listens
    return;
  }
  for (Node& node : s_.nodes) {
    for (std::uint32_t queue = 0; queue < node.queues.size(); ++queue) tell_list(node, queue);
  }
  std::sort(touched_.begin(), touched_.end());
  for (const std::uint32_t index : touched_) {
    Context& context = s_.contexts[index];
    const HwContextState state = state_of(index);
    if (state == context.state) continue;
    context.state = state;
    s_.log.instant({log_name_of(context), s_.log.name(name_of(state)), now_ps(), 0});
  }
  touched_.clear();
}

void ContextLog::tell_list(Node& node, std::uint32_t queue) {
  NodeQueue& hardware = node.queues[queue];
  const DmaPacket* packet = node.engine->first_packet(queue);
  if (packet == nullptr || packet->context == hardware.first) return;
  if (hardware.first != NodeQueue::none && s_.contexts.contains(hardware.first)) touch(hardware.first);
  touch(packet->context);
  hardware.first = packet->context;
  s_.log.interrupt({node.log_name, queue, InterruptType::hwcontextlist_switch_completed, ++node.list_switches, 0,
                    now_ps(), now_ps() + s_.interrupts.latency_ps(), log_name_of(s_.contexts[packet->context])});
}

HwContextState ContextLog::state_of(std::uint32_t index) const {
  const Context& context = s_.contexts[index];
  if (context.in_flight.empty()) return context.ready ? HwContextState::ready : HwContextState::idle;
  const NodeQueue& hardware = s_.node_of(context).queues[context.hardware_queue];
  return hardware.first == index ? HwContextState::running : HwContextState::ready_standby;
}

}  // namespace fenceline
