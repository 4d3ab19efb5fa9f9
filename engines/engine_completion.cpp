// SPDX-License-Identifier: Apache-2.0
// Engine, the family of functions that end commands and packets.
#include "engines/engine.hpp"
#include "sim/kernel/now.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace fenceline {
namespace {

/// Place of a command in the packet's stream; nothing for what an ExecuteIndirect runs.
std::optional<std::size_t> index_in(const CommandStream& stream, const Command* command) {
  const Command* first = stream.commands.data();
  if (std::less<>{}(command, first) || !std::less<>{}(command, first + stream.commands.size())) return {};
  return static_cast<std::size_t>(command - first);
}

void add_timestamp(DmaPacket& packet, std::uint32_t slot, std::uint64_t at_ps) {
  packet.timestamps.emplace_back(slot, at_ps);
  if (packet.stream->effects) packet.stream->effects->timestamp(slot, at_ps);
}

}  // namespace

void Engine::command_done(std::uint64_t id) {
  const InFlight done = in_flight_[id];
  in_flight_.remove(id);
  HardwareQueue& queue = queues_[done.queue];
  DmaPacket& packet = queue.packets.front();
  tell_piece(packet, done, false);
  leave(queue, static_cast<std::uint32_t>(id));
  queue.owes = false;
  if (CommandEffects* effects = packet.stream->effects.get()) {
    if (const auto index = index_in(*packet.stream, done.command)) effects->complete(*index);
  }
  queue.complete_ps = now_ps() + packet.cost.completion_ps;
  auto& waiting = packet.pending_timestamps;
  for (PendingTimestamp& timestamp : waiting) {
    if (done.sequence >= timestamp.sequence) continue;
    if (--timestamp.outstanding == 0) add_timestamp(packet, timestamp.slot, queue.complete_ps);
  }
  while (!waiting.empty() && waiting.front().outstanding == 0) waiting.erase(waiting.begin());
  if (queue.stop) {
    const bool halting = queue.stop->halting;
    if (!halting) try_stop(done.queue);  // what still runs may stop at a finer level
    if (halting && queue.running.empty()) commands_stopped(done.queue);
    if (halting || !queue.stop || queue.stop->halting) return;
  }
  go_on(done.queue);
  issue(done.queue);
}

/// The command has run since it began or went on.
void Engine::tell_piece(const DmaPacket& packet, const InFlight& command, bool stopped) {
  if (packet.stream->effects) packet.stream->effects->ran(command.index, command.start_ps, now_ps());
  if (!log_.enabled(EventLog::Detail::commands)) return;
  const LogName label = log_.name(label_of(*packet.stream, *command.command));
  log_.span({log_track_, command_category_, label, command.start_ps, now_ps(), packet.id, stopped});
}

void Engine::leave(HardwareQueue& queue, std::uint32_t id) {
  if (queue.placing == id) queue.placing = no_command;
  queue.running.erase(std::find(queue.running.begin(), queue.running.end(), id));
}

void Engine::take_timestamp(HardwareQueue& queue, std::uint32_t slot) {
  DmaPacket& packet = queue.packets.front();
  if (queue.running.empty()) {
    add_timestamp(packet, slot, std::max(now_ps(), queue.complete_ps));
  } else {
    packet.pending_timestamps.push_back({slot, static_cast<std::uint32_t>(queue.running.size()), next_sequence_++});
  }
}

void Engine::finish(std::uint32_t index) {
  HardwareQueue& queue = queues_[index];
  DmaPacket& packet = queue.packets.front();
  queue.issuing = false;
  queue.ending = true;
  packet.finished_ps = now_ps();
  if (packet.stream != nullptr && packet.stream->effects) packet.stream->effects->finish();
  log_piece(packet, false);
  agenda_.at<&Engine::retire>(now_ps() + packet.cost.retire_ps, this, token(index));
}

void Engine::log_piece(const DmaPacket& packet, bool stopped) {
  if (!log_.enabled()) return;
  log_.span({log_track_, packet_category_, packet.label, packet.piece_started_ps, now_ps(), packet.id, stopped});
}

void Engine::retire(std::uint64_t token) {
  const std::uint32_t index = *live(token);
  HardwareQueue& queue = queues_[index];
  DmaPacket packet = std::move(queue.packets.front());
  queue.packets.pop_front();
  queue.ending = false;
  queue.last_completed = packet.submission_fence_id;
  if (queue.stop) queue.stop->report.reached = PreemptionLevel::dma_buffer;
  if (!queue.packets.empty()) begin(index, true);
  listener_->packet_completed(*this, index, std::move(packet));
  if (queue.stop) try_stop(index);
}

}  // namespace fenceline
