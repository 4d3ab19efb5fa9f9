// SPDX-License-Identifier: Apache-2.0
#include "scheduler/splitting/splitter.hpp"

namespace fenceline {

Splitter::Splitter(const SchedulerConfig& config)
    : looks_for_leaks_(!config.caps.no_dma_patching), back_to_back_(!config.caps.preemption_aware) {
  constexpr std::size_t kib = 1024;
  if (!config.dma_buffer_kib) return;
  most_commands_ = std::max<std::size_t>(1, *config.dma_buffer_kib * kib / config.dma_command_bytes);
}

void Splitter::take_piece(QueuePacket& packet, DmaPacket& dma, std::size_t fitting) const {
  const std::size_t from = dma.cursor.command;
  const bool goes_on = packet.pieces > 0 && (from != dma.piece_end || !dma.halted.empty());
  if (goes_on) return;
  ++packet.pieces;
  const bool bounded = packet.pieces > 1 || most_commands_ != any_number || fitting != any_number;
  if (!bounded || is_of_system(packet.type)) return;  // paging buffers have a size of their own
  const std::size_t end = end_of(*packet.stream, from, fitting);
  // One that is not split is whole, whatever is said of pieces.
  dma.piece_end = packet.pieces == 1 && end == packet.stream->commands.size() ? Progress::whole : end;
}

std::vector<std::uint32_t> Splitter::leaks(const QueuePacket& packet, std::size_t end) const {
  if (!looks_for_leaks_) return {};
  return leaking_slots(*packet.stream, packet.progress->cursor.command, end);
}

bool Splitter::kept_from(const NodeQueue& queue, std::uint32_t context) const {
  return back_to_back_ && queue.split_context != NodeQueue::none && queue.split_context != context;
}

bool Splitter::goes_back(const Context& context, const NodeQueue& queue) {
  return queue.packets == 0 && !context.software_queue.empty() && context.software_queue.front().between_pieces();
}

}  // namespace fenceline
