// SPDX-License-Identifier: Apache-2.0
#include "engines/engine.hpp"

#include "sim/assert.hpp"
#include "sim/duration.hpp"
#include "sim/kernel/now.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace fenceline {
namespace {

bool is_skipped(const DmaPacket& packet, const Command& command) {
  return packet.cursor.skip && is_predicated(command);
}

}  // namespace

Engine::Engine(sc_core::sc_module_name module_name, const EngineConfig& config, EventLog& log)
    : sc_module(module_name),
      config_(config),
      clock_(static_cast<std::uint64_t>(std::llround(config.clock_mhz * 1e3))),
      indirect_fetch_ps_(ps_of_ns(config.indirect_fetch_ns)),
      schedules_{LevelSchedule(config.graphics_preemption), LevelSchedule(config.compute_preemption),
                 LevelSchedule(config.copy_preemption)},
      log_(log),
      log_track_(log.name(name())),
      packet_category_(log.name("packet")),
      command_category_(log.name("command")),
      preemption_category_(log.name("preemption")),
      agenda_("agenda"),
      queues_(config.hardware_queues),
      settle_("settle", Callback::to<&Engine::settle>(this)),
      escalation_("escalation", Callback::to<&Engine::escalate>(this)) {}

bool Engine::submit(std::uint32_t queue, DmaPacket packet) {
  FENCELINE_ASSERT(has_room(queue), std::string(name()) + ": packet for a full hardware queue");
  packet.hardware_ps = now_ps();
  queues_[queue].packets.push_back(std::move(packet));
  if (queues_[queue].packets.size() == 1) begin(queue, false);
  return has_room(queue);
}

void Engine::rerank(std::uint32_t context, int priority, int in_process_priority) {
  for (HardwareQueue& queue : queues_) {
    for (DmaPacket& packet : queue.packets) {
      if (packet.context != context) continue;
      packet.priority = priority;
      packet.in_process_priority = in_process_priority;
      if (&packet == &queue.packets.front()) reranked(packet);
    }
  }
}

void Engine::release(std::uint32_t index, std::uint64_t id) {
  HardwareQueue& queue = queues_[index];
  for (DmaPacket& packet : queue.packets) {
    if (packet.id == id) packet.released = true;
  }
  if (!queue.packets.empty() && queue.packets.front().id == id && queue.issuing) issue(index);
}

/// Marks what the agenda holds for the queue: with the next generation it is stale.
std::uint64_t Engine::token(std::uint32_t index) const { return queues_[index].generation << 16 | index; }

std::optional<std::uint32_t> Engine::live(std::uint64_t token) const {
  const auto index = static_cast<std::uint32_t>(token & 0xffff);
  if (queues_[index].generation != token >> 16) return {};
  return index;
}

void Engine::begin(std::uint32_t index, bool follows) {
  HardwareQueue& queue = queues_[index];
  queue.starting = true;
  queue.launched = queue.ending = queue.indirect = false;
  DmaPacket& packet = queue.packets.front();
  packet.load = {};
  const std::uint64_t launch_ps = packet.cost.launch_ps + (follows ? packet.cost.follow_ps : 0);
  const bool loaded = queue.loaded_context == packet.context || queue.loaded_context == no_context;
  queue.loaded_context = packet.context;
  if (!loaded) packet.load.switch_ps = ps_of_us(config_.context_state.switch_us);
  queue.restoring = packet.begun() || packet.load.switch_ps > 0;
  queue.owes = packet.stream != nullptr && (queue.restoring || packet.turned_back);
  queue.load_ps = now_ps() + launch_ps;
  if (queue.restoring) {
    agenda_.at<&Engine::switched>(queue.load_ps + packet.load.switch_ps, this, index);
  } else {
    agenda_.at<&Engine::launch>(queue.load_ps, this, token(index));
  }
}

void Engine::launch(std::uint64_t token) {
  const auto index = live(token);
  if (!index) return;
  HardwareQueue& queue = queues_[*index];
  DmaPacket& packet = queue.packets.front();
  queue.starting = false;
  queue.launched = queue.issuing = true;
  queue.fetched = false;
  queue.indirect = false;
  queue.previous = nullptr;
  queue.working = false;
  queue.worked_ps = 0;
  queue.credit_ps = packet.cursor.front_end_ps;
  packet.piece_started_ps = now_ps();
  if (packet.started_ps == Progress::not_started) {
    packet.started_ps = now_ps();
  } else {
    packet.preempted_ps += now_ps() - packet.stopped_ps;
  }
  listener_->packet_launched(*this, *index);
  resume_commands(*index);
  issue(*index);
}

/// Goes on with the front packet as far as it can at this moment.
void Engine::issue(std::uint32_t index) {
  HardwareQueue& queue = queues_[index];
  while (queue.issuing && !queue.fetching) {
    if (queue.stop) {
      try_stop(index);
      if (!queue.stop || queue.stop->halting) return;
    }
    DmaPacket& packet = queue.packets.front();
    if (packet.stream == nullptr) {
      if (packet.released) finish(index);
      return;
    }
    if (packet.cursor.command == packet.stream->commands.size()) {
      if (drained(index)) finish(index);
      return;
    }
    const Command& next = next_of(queue);
    if (const auto* timestamp = std::get_if<Timestamp>(&next)) {
      pass(queue);
      take_timestamp(queue, timestamp->slot);
      continue;
    }
    const bool barrier = std::holds_alternative<Barrier>(next);
    if (queue.running.size() >= config_.commands_in_flight) return;  // command_done comes back here
    const bool switches = queue.previous != nullptr && !is_skipped(packet, next) && must_drain(*queue.previous, next);
    if ((waits_for_all(next) || switches) && !drained(index)) return;
    const std::uint64_t end_ps = work_until(queue, fetch_end_ps(queue, next));
    queue.fetched = barrier && packet.cost.barrier_ps.has_value();
    if (end_ps > now_ps()) {
      queue.fetching = true;
      agenda_.at<&Engine::fetched>(end_ps, this, token(index));
      return;
    }
    stop_working(queue);
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
  return queue.indirect ? packet.cursor.call->command : command;
}

/// Moves the cursor behind the command that next_of names.
void Engine::advance(HardwareQueue& queue) {
  Cursor& cursor = queue.packets.front().cursor;
  cursor.front_end_ps = queue.worked_ps = queue.credit_ps = 0;
  if (queue.indirect) {
    if (++cursor.inner < cursor.call->count) return;
    queue.indirect = false;
    cursor.inner = 0;
  }
  cursor.entered = false;
  ++cursor.command;
}

/// The same, and that is all there is to it: a unit of work.
void Engine::pass(HardwareQueue& queue) {
  advance(queue);
  queue.owes = false;
}

/// The front end waits for one access: a predicate, or the first arguments of an ExecuteIndirect. The others come
/// beside the commands.
void Engine::read_memory(std::uint32_t index) {
  HardwareQueue& queue = queues_[index];
  queue.fetching = true;
  agenda_.at<&Engine::memory_read>(work_until(queue, now_ps() + indirect_fetch_ps_), this, token(index));
}

/// The front end works on the next command until `end_ps`, or sooner: what it did before the packet was stopped counts.
std::uint64_t Engine::work_until(HardwareQueue& queue, std::uint64_t end_ps) {
  const std::uint64_t done_ps = std::min(end_ps - now_ps(), queue.credit_ps);
  queue.credit_ps -= done_ps;
  queue.worked_ps += done_ps;
  queue.working = true;
  queue.working_ps = now_ps();
  return end_ps - done_ps;
}

void Engine::stop_working(HardwareQueue& queue) {
  if (std::exchange(queue.working, false)) queue.worked_ps += now_ps() - queue.working_ps;
}

void Engine::memory_read(std::uint64_t token) {
  const auto index = live(token);
  if (!index) return;
  HardwareQueue& queue = queues_[*index];
  queue.fetching = false;
  stop_working(queue);
  DmaPacket& packet = queue.packets.front();
  const Command& command = next_of(queue);
  CommandEffects* effects = packet.stream->effects.get();
  Cursor& cursor = packet.cursor;
  if (const auto* indirect = std::get_if<ExecuteIndirect>(&command)) {
    cursor.call = effects != nullptr ? effects->call(cursor.command) : nullptr;
    if (cursor.call == nullptr) cursor.call = &packet.stream->indirect_calls[indirect->call];
    queue.indirect = cursor.inner < cursor.call->count;
  } else {
    cursor.skip = effects != nullptr ? effects->skips(cursor.command) : std::get<SetPredication>(command).skip;
  }
  if (!queue.indirect) pass(queue);
  issue(*index);
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
  if (!queue.running.empty()) return false;  // command_done comes back
  if (queue.complete_ps <= now_ps()) return true;
  queue.fetching = true;
  agenda_.at<&Engine::drained_at>(queue.complete_ps, this, token(index));
  return false;
}

void Engine::drained_at(std::uint64_t token) {
  const auto index = live(token);
  if (!index) return;
  queues_[*index].fetching = false;
  issue(*index);
}

bool Engine::must_drain(const Command&, const Command&) const { return false; }

void Engine::fetched(std::uint64_t token) {
  const auto index = live(token);
  if (!index) return;
  HardwareQueue& queue = queues_[*index];
  stop_working(queue);
  if (must_hold(queue)) {
    queue.held = true;
    return;
  }
  queue.fetching = false;
  execute_next(*index);
  issue(*index);
}

/// The next command is a dispatch, and the one before it still has groups without places: the front end hands groups of
/// one dispatch at a time to the shader array.
bool Engine::must_hold(const HardwareQueue& queue) const {
  if (queue.placing == no_command) return false;
  const Command& next = next_of(queue);
  return std::holds_alternative<Dispatch>(next) && !is_skipped(queue.packets.front(), next);
}

void Engine::command_placed(std::uint32_t id) {
  const std::uint32_t index = in_flight_[id].queue;
  HardwareQueue& queue = queues_[index];
  if (queue.placing != id) return;
  queue.placing = no_command;
  listener_->places_wanted(*this, index, false);
  go_on(index);
  issue(index);
}

void Engine::command_waits(std::uint32_t id) {
  const std::uint32_t index = in_flight_[id].queue;
  if (queues_[index].placing == id) listener_->places_wanted(*this, index, true);
}

/// With the command that is held, once it need not be any more.
void Engine::go_on(std::uint32_t index) {
  HardwareQueue& queue = queues_[index];
  if (!queue.held || must_hold(queue)) return;
  queue.held = queue.fetching = false;
  execute_next(index);
}

void Engine::execute_next(std::uint32_t index) {
  HardwareQueue& queue = queues_[index];
  DmaPacket& packet = queue.packets.front();
  const Command& command = next_of(queue);
  const auto* predication = std::get_if<SetPredication>(&command);
  if (predication != nullptr && predication->reads) {
    read_memory(index);
    return;
  }
  if (is_front_end_only(command) || is_skipped(packet, command)) {  // its cycles have passed
    if (predication != nullptr) packet.cursor.skip = predication->skip;
    if (CommandEffects* effects = packet.stream->effects.get()) {
      if (is_skipped(packet, command)) effects->skip(packet.cursor.command);
      if (std::holds_alternative<EndQuery>(command)) effects->complete(packet.cursor.command);
    }
    pass(queue);
    return;
  }
  const bool indirect = std::holds_alternative<ExecuteIndirect>(command);
  if (indirect) read_memory(index);
  if (packet.cursor.entered && !queue.indirect) return;  // its arguments are read beside its commands
  const std::uint32_t id = in_flight_.add({index, &command, packet.cursor.command, next_sequence_++, now_ps()});
  queue.running.push_back(id);
  if (std::holds_alternative<Dispatch>(command)) queue.placing = id;
  start(id, packet, command, nullptr, Callback::to<&Engine::command_done>(this, id));
  if (indirect) {
    packet.cursor.entered = true;
  } else {
    queue.previous = &command;
    advance(queue);
  }
}

std::uint64_t Engine::front_end_cycles(const Command*, const Command&) const { return config_.command_cycles; }

}  // namespace fenceline
