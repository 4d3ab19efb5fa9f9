// SPDX-License-Identifier: Apache-2.0
#include "engines/engine.hpp"

#include "sim/assert.hpp"
#include "sim/duration.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fenceline {
namespace {

std::uint64_t now_ps() { return sc_core::sc_time_stamp().value(); }

/// Begins only when every earlier command is complete.
bool waits_for_all(const Command& command) {
  if (const auto* end = std::get_if<EndRenderPass>(&command)) return end->resolve_bytes > 0;
  return std::holds_alternative<Barrier>(command) || std::holds_alternative<ResolveQueryData>(command);
}

/// Done when the front end is done with it.
bool is_front_end_only(const Command& command) {
  if (const auto* begin = std::get_if<BeginRenderPass>(&command)) return begin->clear_bytes == 0;
  if (const auto* end = std::get_if<EndRenderPass>(&command)) return end->resolve_bytes == 0;
  return std::holds_alternative<Barrier>(command) || std::holds_alternative<BeginQuery>(command) ||
         std::holds_alternative<EndQuery>(command) || std::holds_alternative<SetPredication>(command);
}

bool is_skipped(const DmaPacket& packet, const Command& command) {
  return packet.cursor.skip && is_predicated(command);
}

}  // namespace

void describe(Fields& f, EngineConfig& c) {
  f.optional("name", c.name, "name of the node; empty: its kind and a number, such as copy0");
  f.optional("source", c.source, "where the numbers are from");
  f.optional("clock_mhz", c.clock_mhz, "core clock of the node, MHz", between(1e-3, 1e6));
  f.optional("hardware_queues", c.hardware_queues, "hardware queues worked on side by side", between(1, 1024));
  f.optional("hardware_queue_depth", c.hardware_queue_depth,
             "DMA packets one hardware queue holds: one running, the others waiting (HwQueuePacketCap)",
             between(1, 15));
  f.optional("command_cycles", c.command_cycles, "front-end cycles of every command", between(0, 1e9));
  f.optional("barrier_cycles", c.barrier_cycles, "cycles of a full barrier once earlier commands are complete",
             between(0, 1e9));
  f.optional("commands_in_flight", c.commands_in_flight, "commands of one packet that run at once", between(1, 65536));
  f.optional("dispatches_overlap", c.dispatches_overlap,
             "a dispatch of a list may begin while the one before it still runs, unless a barrier is between them");
  f.optional("indirect_fetch_ns", c.indirect_fetch_ns,
             "the front end's wait for the arguments of an ExecuteIndirect or for a predicate: one access to memory, "
             "nanoseconds",
             between(0, 1e9));
  f.optional("preemption_granularity", c.preemption_granularity, "finest boundary at which the engine stops");
}

Engine::Engine(sc_core::sc_module_name module_name, const EngineConfig& config, EventLog& log)
    : sc_module(module_name),
      config_(config),
      clock_(static_cast<std::uint64_t>(std::llround(config.clock_mhz * 1e3))),
      indirect_fetch_ps_(ps_of_ns(config.indirect_fetch_ns)),
      log_(log),
      log_track_(log.name(name())),
      packet_category_(log.name("packet")),
      command_category_(log.name("command")),
      agenda_("agenda"),
      queues_(config.hardware_queues) {}

void Engine::submit(std::uint32_t queue, DmaPacket packet) {
  FENCELINE_ASSERT(has_room(queue), std::string(name()) + ": packet for a full hardware queue");
  packet.hardware_ps = now_ps();
  queues_[queue].packets.push_back(std::move(packet));
  if (queues_[queue].packets.size() == 1) begin(queue, false);
}

void Engine::preempt(std::uint32_t index) {
  HardwareQueue& queue = queues_[index];
  std::vector<DmaPacket> withheld;
  if (config_.preemption_granularity >= PreemptionGranularity::dma_buffer_boundary && queue.packets.size() > 1) {
    withheld.assign(std::make_move_iterator(queue.packets.begin() + 1), std::make_move_iterator(queue.packets.end()));
    queue.packets.erase(queue.packets.begin() + 1, queue.packets.end());
  }
  listener_->packets_preempted(*this, index, std::move(withheld));
}

void Engine::begin(std::uint32_t index, bool follows) {
  const SubmissionCost& cost = queues_[index].packets.front().cost;
  const std::uint64_t launch_ps = cost.launch_ps + (follows ? cost.follow_ps : 0);
  agenda_.at<&Engine::launched>(now_ps() + launch_ps, this, index);
}

void Engine::launched(std::uint64_t index) {
  HardwareQueue& queue = queues_[index];
  queue.issuing = true;
  queue.fetched = false;
  queue.indirect = false;
  queue.previous = nullptr;
  queue.packets.front().started_ps = now_ps();
  issue(static_cast<std::uint32_t>(index));
}

/// Goes on with the front packet as far as it can at this moment.
void Engine::issue(std::uint32_t index) {
  HardwareQueue& queue = queues_[index];
  while (queue.issuing && !queue.fetching) {
    DmaPacket& packet = queue.packets.front();
    if (packet.cursor.command == packet.stream->commands.size()) {
      if (drained(index)) finish(index);
      return;
    }
    const Command& next = next_of(queue);
    if (const auto* timestamp = std::get_if<Timestamp>(&next)) {
      advance(queue);
      take_timestamp(queue, timestamp->slot);
      continue;
    }
    const bool barrier = std::holds_alternative<Barrier>(next);
    if (queue.in_flight >= config_.commands_in_flight) return;  // command_done comes back here
    const bool switches = queue.previous != nullptr && !is_skipped(packet, next) && must_drain(*queue.previous, next);
    if ((waits_for_all(next) || switches) && !drained(index)) return;
    const std::uint64_t end_ps = fetch_end_ps(queue, next);
    queue.fetched = barrier && packet.cost.barrier_ps.has_value();
    if (end_ps > now_ps()) {
      queue.fetching = true;
      agenda_.at<&Engine::fetched>(end_ps, this, index);
      return;
    }
    if (must_hold(queue)) {
      queue.held = queue.fetching = true;
      return;
    }
    execute_next(index);
  }
}

/// The command at the cursor, or the one that an ExecuteIndirect there repeats.
const Command& Engine::next_of(const HardwareQueue& queue) {
  const DmaPacket& packet = queue.packets.front();
  const Command& command = packet.stream->commands[packet.cursor.command];
  if (!queue.indirect) return command;
  return packet.stream->indirect_calls[std::get<ExecuteIndirect>(command).call].command;
}

/// Moves the cursor behind the command that next_of names.
void Engine::advance(HardwareQueue& queue) {
  const CommandStream& stream = *queue.packets.front().stream;
  Cursor& cursor = queue.packets.front().cursor;
  if (queue.indirect) {
    const auto& indirect = std::get<ExecuteIndirect>(stream.commands[cursor.command]);
    if (++cursor.inner < stream.indirect_calls[indirect.call].count) return;
    queue.indirect = false;
    cursor.inner = 0;
  }
  ++cursor.command;
}

/// The arguments are on their way; the front end goes on when the first are there. The others come beside the commands.
void Engine::begin_indirect(std::uint32_t index) {
  HardwareQueue& queue = queues_[index];
  const DmaPacket& packet = queue.packets.front();
  const auto& indirect = std::get<ExecuteIndirect>(packet.stream->commands[packet.cursor.command]);
  queue.indirect = packet.cursor.inner < packet.stream->indirect_calls[indirect.call].count;
  if (!queue.indirect) advance(queue);
  read_memory(index);
}

/// The front end waits for one access.
void Engine::read_memory(std::uint32_t index) {
  queues_[index].fetching = true;
  agenda_.at<&Engine::memory_read>(now_ps() + indirect_fetch_ps_, this, index);
}

void Engine::memory_read(std::uint64_t index) {
  queues_[index].fetching = false;
  issue(static_cast<std::uint32_t>(index));
}

/// When the front end is done with the next command, if it begins now.
std::uint64_t Engine::fetch_end_ps(const HardwareQueue& queue, const Command& next) const {
  const bool barrier = std::holds_alternative<Barrier>(next);
  const SubmissionCost& cost = queue.packets.front().cost;
  if (barrier && cost.barrier_ps) return now_ps() + *cost.barrier_ps;
  if (barrier) return clock_.after(now_ps(), config_.barrier_cycles);
  return queue.fetched ? now_ps() : clock_.after(now_ps(), front_end_cycles(queue.previous, next));
}

/// Everything started is complete. Otherwise the queue goes on by itself once it is.
bool Engine::drained(std::uint32_t index) {
  HardwareQueue& queue = queues_[index];
  if (queue.in_flight > 0) return false;  // command_done comes back
  if (queue.complete_ps <= now_ps()) return true;
  queue.fetching = true;
  agenda_.at<&Engine::drained_at>(queue.complete_ps, this, index);
  return false;
}

void Engine::drained_at(std::uint64_t index) {
  queues_[index].fetching = false;
  issue(static_cast<std::uint32_t>(index));
}

bool Engine::must_drain(const Command&, const Command&) const { return false; }

void Engine::fetched(std::uint64_t index) {
  HardwareQueue& queue = queues_[index];
  if (must_hold(queue)) {
    queue.held = true;
    return;
  }
  queue.fetching = false;
  execute_next(static_cast<std::uint32_t>(index));
  issue(static_cast<std::uint32_t>(index));
}

/// The next command is a dispatch behind one that has not ended, on an engine that runs them one after another.
bool Engine::must_hold(const HardwareQueue& queue) const {
  if (config_.dispatches_overlap || queue.in_flight == 0 || queue.previous == nullptr ||
      !std::holds_alternative<Dispatch>(*queue.previous)) {
    return false;
  }
  const Command& next = next_of(queue);
  return std::holds_alternative<Dispatch>(next) && !is_skipped(queue.packets.front(), next);
}

void Engine::execute_next(std::uint32_t index) {
  HardwareQueue& queue = queues_[index];
  DmaPacket& packet = queue.packets.front();
  const Command& command = next_of(queue);
  if (is_front_end_only(command) || is_skipped(packet, command)) {  // its cycles have passed
    advance(queue);
    const auto* predication = std::get_if<SetPredication>(&command);
    if (predication == nullptr) return;
    packet.cursor.skip = predication->skip;
    if (predication->reads) read_memory(index);
    return;
  }
  ++queue.in_flight;
  const std::uint32_t slot = in_flight_.add({index, &command, next_sequence_++, now_ps()});
  start(packet, command, Callback::to<&Engine::command_done>(this, slot));
  if (std::holds_alternative<ExecuteIndirect>(command)) {
    begin_indirect(index);
  } else {
    queue.previous = &command;
    advance(queue);
  }
}

std::uint64_t Engine::front_end_cycles(const Command*, const Command&) const { return config_.command_cycles; }

void Engine::command_done(std::uint64_t slot) {
  const InFlight done = in_flight_[slot];
  in_flight_.remove(slot);
  HardwareQueue& queue = queues_[done.queue];
  DmaPacket& packet = queue.packets.front();
  if (log_.enabled(EventLog::Detail::commands)) {
    const LogName label = log_.name(label_of(*packet.stream, *done.command));
    log_.span({log_track_, command_category_, label, done.start_ps, now_ps(), packet.id});
  }
  --queue.in_flight;
  queue.complete_ps = now_ps() + packet.cost.completion_ps;
  for (PendingTimestamp& timestamp : queue.timestamps) {
    if (done.sequence >= timestamp.sequence) continue;
    if (--timestamp.outstanding == 0) packet.timestamps.emplace_back(timestamp.slot, queue.complete_ps);
  }
  while (!queue.timestamps.empty() && queue.timestamps.front().outstanding == 0) {
    queue.timestamps.erase(queue.timestamps.begin());
  }
  if (queue.held && queue.in_flight == 0) {
    queue.held = queue.fetching = false;
    execute_next(done.queue);
  }
  issue(done.queue);
}

void Engine::take_timestamp(HardwareQueue& queue, std::uint32_t slot) {
  if (queue.in_flight == 0) {
    queue.packets.front().timestamps.emplace_back(slot, std::max(now_ps(), queue.complete_ps));
  } else {
    queue.timestamps.push_back({slot, queue.in_flight, next_sequence_++});
  }
}

void Engine::finish(std::uint32_t index) {
  HardwareQueue& queue = queues_[index];
  DmaPacket& packet = queue.packets.front();
  queue.issuing = false;
  packet.finished_ps = now_ps();
  if (log_.enabled()) {
    log_.span({log_track_, packet_category_, packet.label, packet.started_ps, packet.finished_ps, packet.id});
  }
  agenda_.at<&Engine::retire>(now_ps() + packet.cost.retire_ps, this, index);
}

void Engine::retire(std::uint64_t index) {
  HardwareQueue& queue = queues_[index];
  DmaPacket packet = std::move(queue.packets.front());
  queue.packets.pop_front();
  if (!queue.packets.empty()) begin(static_cast<std::uint32_t>(index), true);
  listener_->packet_completed(*this, static_cast<std::uint32_t>(index), std::move(packet));
}

}  // namespace fenceline
