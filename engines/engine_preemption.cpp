// SPDX-License-Identifier: Apache-2.0
// Engine, the family of functions that stop what a hardware queue holds and go on with it later.
#include "engines/engine.hpp"
#include "sim/assert.hpp"
#include "sim/duration.hpp"
#include "sim/kernel/now.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace fenceline {
namespace {

bool at_end(const DmaPacket& packet) {
  return packet.stream != nullptr && packet.cursor.command == packet.stream->commands.size() && packet.halted.empty();
}

}  // namespace

void Engine::preempt(std::uint32_t index, PreemptionLevel finest) {
  HardwareQueue& queue = queues_[index];
  FENCELINE_ASSERT(!queue.stop, std::string(name()) + ": asked to preempt twice");
  queue.stop.emplace(RequestedLevel(finest, now_ps()));
  queue.stop->report.requested_ps = queue.stop->report.drain_ps = now_ps();
  settle_.request();
}

void Engine::deepen(std::uint32_t index, PreemptionLevel finest) {
  HardwareQueue& queue = queues_[index];
  if (!queue.stop) return;
  queue.stop->requested.deepen(finest, now_ps());
  settle_.request();
}

/// Requests count once everything else at their moment has happened, in whatever order it comes.
void Engine::settle(std::uint64_t) { Kernel::when_settled(Callback::to<&Engine::settled>(this)); }

void Engine::settled(std::uint64_t) {
  as_method([this] {
    for (std::uint32_t index = 0; index < queues_.size(); ++index) {
      if (!queues_[index].stop) continue;
      queues_[index].stop->settled = true;
      try_stop(index);
    }
    set_escalation();
  });
}

void Engine::escalate(std::uint64_t) {
  for (std::uint32_t index = 0; index < queues_.size(); ++index) {
    if (queues_[index].stop) try_stop(index);
  }
  set_escalation();
}

/// A timer of its own instead of the agenda's: it is taken back once the engine has stopped, so that the simulation
/// ends with its work.
void Engine::set_escalation() {
  std::uint64_t next_ps = Timer::never;
  for (const HardwareQueue& queue : queues_) {
    if (!queue.stop || queue.stop->saving) continue;
    if (queue.stop->retry_ps > now_ps()) next_ps = std::min(next_ps, queue.stop->retry_ps);
    for (const LevelSchedule& schedule : schedules_) {
      const auto step_ps = queue.stop->requested.next_step_ps(schedule, now_ps());
      if (step_ps) next_ps = std::min(next_ps, *step_ps);
    }
  }
  escalation_.set(next_ps);
}

Engine::Levels Engine::in_force(const Stop& stop) const {
  Levels levels;
  for (std::size_t i = 0; i < levels.size(); ++i) levels[i] = stop.requested.in_force(schedules_[i], now_ps());
  return levels;
}

PreemptionLevel Engine::level_of(const DmaPacket& packet, const Command& command, const Levels& levels) const {
  const auto* indirect = std::get_if<ExecuteIndirect>(&command);
  const Command& what = indirect != nullptr ? packet.stream->indirect_calls[indirect->call].command : command;
  return std::min(packet.cost.finest_level, levels[static_cast<std::size_t>(class_of(what))]);
}

PreemptionLevel Engine::level_between_packets(const Levels& levels) const {
  PreemptionLevel finest = PreemptionLevel::none;
  for (const WorkClass one : classes()) finest = std::max(finest, levels[static_cast<std::size_t>(one)]);
  return finest;
}

/// The coarsest level in force for what runs now, or for what is next where nothing runs.
PreemptionLevel Engine::level_of(const HardwareQueue& queue, const Levels& levels) const {
  const DmaPacket& packet = queue.packets.front();
  if (!queue.running.empty()) {
    PreemptionLevel coarsest = PreemptionLevel::shader;
    for (const std::uint32_t id : queue.running) {
      coarsest = std::min(coarsest, level_of(packet, *in_flight_[id].command, levels));
    }
    return coarsest;
  }
  if (!packet.halted.empty()) return level_of(packet, *packet.halted.front().command, levels);
  if (packet.stream != nullptr && !at_end(packet)) return level_of(packet, next_of(queue), levels);
  const PreemptionLevel level = level_between_packets(levels);
  // A wait gives way before its condition holds.
  return packet.stream == nullptr && level != PreemptionLevel::none ? PreemptionLevel::command : level;
}

PreemptionLevel Engine::finest_level(std::uint32_t index) const {
  const HardwareQueue& queue = queues_[index];
  if (queue.packets.empty()) return PreemptionLevel::dma_buffer;
  return level_of(queue, {schedules_[0].finest(), schedules_[1].finest(), schedules_[2].finest()});
}

const char* Engine::level_name(PreemptionLevel level) const {
  switch (classes().front()) {
    case WorkClass::graphics: return name_of(static_cast<GraphicsPreemption>(level));
    case WorkClass::compute: return name_of(static_cast<ComputePreemption>(level));
    case WorkClass::copy: break;
  }
  return name_of(static_cast<CopyPreemption>(std::min(level, PreemptionLevel::group)));
}

std::optional<std::uint64_t> Engine::running_since_ps(std::uint32_t index) const {
  const HardwareQueue& queue = queues_[index];
  if (!queue.launched) return {};
  return queue.packets.front().piece_started_ps;
}

/// Goes on with a request as far as the present boundary allows.
void Engine::try_stop(std::uint32_t index) {
  HardwareQueue& queue = queues_[index];
  Stop& stop = *queue.stop;
  if (!stop.settled || stop.saving || stop.flushing) return;
  if (queue.packets.empty()) {
    stop.report.stopped_ps = stop.report.free_ps = now_ps();
    answer(index);
    return;
  }
  const PreemptionLevel level = level_of(queue, in_force(stop));
  if (level == PreemptionLevel::none) return;
  auto& packets = queue.packets;
  if (packets.size() > 1) {
    stop.withheld.assign(std::make_move_iterator(packets.begin() + 1), std::make_move_iterator(packets.end()));
    packets.erase(packets.begin() + 1, packets.end());
  }
  if (level < PreemptionLevel::command || queue.ending || queue.restoring) return;
  if (queue.owes && queue.running.empty()) return;                             // it begins first
  if (at_end(packets.front()) && !queue.starting && !can_halt(queue)) return;  // nothing is left to be withheld
  halt_commands(index);
}

/// A command that runs can be stopped inside.
bool Engine::can_halt(const HardwareQueue& queue) const {
  return std::any_of(queue.running.begin(), queue.running.end(),
                     [&](std::uint32_t id) { return halting_level(queue, id) >= PreemptionLevel::command; });
}

PreemptionLevel Engine::halting_level(const HardwareQueue& queue, std::uint32_t id) const {
  return level_of(queue.packets.front(), *in_flight_[id].command, in_force(*queue.stop));
}

/// It is the oldest command of a packet that does a unit of work before it is stopped, and has not done it.
bool Engine::owes_work(const HardwareQueue& queue, std::uint32_t id, PreemptionLevel level) const {
  if (!queue.owes || id != queue.running.front()) return false;
  return level == PreemptionLevel::command || !has_worked(id, level);
}

/// No command begins any more; those that run stop each at its own level.
void Engine::halt_commands(std::uint32_t index) {
  HardwareQueue& queue = queues_[index];
  Stop& stop = *queue.stop;
  constexpr std::uint64_t longest_wait_ps = 1'000'000;
  if (!stop.halting) {
    stop.halting = true;
    ++queue.generation;
    stop_working(queue);
    if (queue.launched) queue.packets.front().cursor.front_end_ps = queue.worked_ps + queue.credit_ps;
    queue.issuing = queue.fetching = queue.held = queue.starting = false;
  }
  stop.asking = true;
  stop.retry_ps = Timer::never;
  const std::vector<std::uint32_t> running = queue.running;
  for (const std::uint32_t id : running) {
    const PreemptionLevel level = halting_level(queue, id);
    if (level < PreemptionLevel::command) continue;
    if (!owes_work(queue, id, level)) {
      halt(id, level);
    } else if (level > PreemptionLevel::command) {
      // Asked again after a cycle, and if it is waiting for others, after ever longer.
      const std::uint64_t waited_ps = now_ps() - in_flight_[id].start_ps;
      stop.retry_ps = clock_.after(now_ps() + std::min(waited_ps, longest_wait_ps), 1);
    }
  }
  stop.asking = false;
  if (stop.retry_ps != Timer::never) set_escalation();
  if (queue.running.empty()) commands_stopped(index);
}

void Engine::halted(std::uint32_t id, CommandRemainder left) {
  const InFlight stopped = in_flight_[id];
  in_flight_.remove(id);
  HardwareQueue& queue = queues_[stopped.queue];
  DmaPacket& packet = queue.packets.front();
  tell_piece(packet, stopped, true);
  queue.stop->report.reached = std::max(queue.stop->report.reached, halting_level(queue, id));
  leave(queue, id);
  packet.halted.push_back({stopped.command, stopped.index, stopped.sequence, std::move(left)});
  if (!queue.stop->asking && queue.running.empty()) commands_stopped(stopped.queue);
}

void Engine::commands_stopped(std::uint32_t index) {
  HardwareQueue& queue = queues_[index];
  Stop& stop = *queue.stop;
  if (stop.flushing) return;                              // a step of the escalation came meanwhile
  if (queue.launched && at_end(queue.packets.front())) {  // all of it had its turn: it ends as it would have
    stop.halting = false;
    queue.issuing = true;
    issue(index);
  } else if (queue.complete_ps > now_ps()) {
    stop.flushing = true;
    agenda_.at<&Engine::flushed>(queue.complete_ps, this, index);
  } else {
    save(index);
  }
}

void Engine::flushed(std::uint64_t index) {
  queues_[index].stop->flushing = false;
  commands_stopped(static_cast<std::uint32_t>(index));
}

void Engine::save(std::uint32_t index) {
  HardwareQueue& queue = queues_[index];
  DmaPacket& packet = queue.packets.front();
  Stop& stop = *queue.stop;
  stop.saving = true;
  stop.report.stopped_ps = now_ps();
  stop.report.reached = std::max(stop.report.reached, PreemptionLevel::command);
  packet.turned_back = !queue.launched;
  std::sort(packet.halted.begin(), packet.halted.end(),
            [](const HaltedCommand& a, const HaltedCommand& b) { return a.sequence < b.sequence; });
  if (queue.launched) {
    packet.stopped_ps = now_ps();
    log_piece(packet, true);
  }
  if (queue.launched && packet.begun()) {
    agenda_.at<&Engine::save_bytes>(now_ps() + ps_of_us(config_.context_state.save_us), this, index);
  } else {
    saved(index);
  }
}

void Engine::save_bytes(std::uint64_t index) {
  HardwareQueue& queue = queues_[index];
  PreemptionReport& report = queue.stop->report;
  report.saved = queue.packets.front().state();
  report.saved.context = config_.context_state.bytes;
  report.saved_bytes = report.saved.total();
  if (report.saved_bytes == 0) {
    saved(index);
  } else {
    move_state(report.saved_bytes, Callback::to<&Engine::saved>(this, index));
  }
}

void Engine::saved(std::uint64_t index) {
  HardwareQueue& queue = queues_[index];
  PreemptionReport& report = queue.stop->report;
  report.free_ps = now_ps();
  log_preemption("save", report.stopped_ps, queue.packets.front().id);
  answer(static_cast<std::uint32_t>(index));
}

/// The hardware queue is empty and free again; what it held goes back.
void Engine::answer(std::uint32_t index) {
  HardwareQueue& queue = queues_[index];
  Stop stop = std::move(*queue.stop);
  queue.stop.reset();
  queue.launched = false;
  stop.report.last_completed_fence_id = queue.last_completed;
  std::vector<DmaPacket> packets(std::make_move_iterator(queue.packets.begin()),
                                 std::make_move_iterator(queue.packets.end()));
  queue.packets.clear();
  packets.insert(packets.end(), std::make_move_iterator(stop.withheld.begin()),
                 std::make_move_iterator(stop.withheld.end()));
  set_escalation();
  listener_->packets_preempted(*this, index, stop.report, std::move(packets));
}

void Engine::switched(std::uint64_t queue_index) {
  const auto index = static_cast<std::uint32_t>(queue_index);
  HardwareQueue& queue = queues_[index];
  const DmaPacket& packet = queue.packets.front();
  if (packet.load.switch_ps > 0) log_preemption("switch", queue.load_ps, packet.id);
  if (packet.begun()) {
    queue.load_ps = now_ps();
    agenda_.at<&Engine::restore_bytes>(now_ps() + ps_of_us(config_.context_state.restore_us), this, index);
  } else {
    loaded(index);
  }
}

void Engine::restore_bytes(std::uint64_t index) {
  DmaPacket& packet = queues_[index].packets.front();
  packet.load.restored = packet.state();
  packet.load.restored.context = config_.context_state.bytes;
  const std::uint64_t bytes = packet.load.restored.total();
  if (bytes == 0) {
    restored(index);
  } else {
    move_state(bytes, Callback::to<&Engine::restored>(this, index));
  }
}

void Engine::restored(std::uint64_t index) {
  HardwareQueue& queue = queues_[index];
  DmaPacket& packet = queue.packets.front();
  packet.load.restore_ps = now_ps() - queue.load_ps;
  log_preemption("restore", queue.load_ps, packet.id);
  loaded(static_cast<std::uint32_t>(index));
}

/// The front packet's context is there; a request that came meanwhile begins to count.
void Engine::loaded(std::uint32_t index) {
  HardwareQueue& queue = queues_[index];
  queue.restoring = false;
  if (queue.stop) queue.stop->report.drain_ps = now_ps();
  launch(token(index));
}

/// Commands that had begun before the packet was stopped go on, in the order in which they had begun.
void Engine::resume_commands(std::uint32_t index) {
  HardwareQueue& queue = queues_[index];
  DmaPacket& packet = queue.packets.front();
  const std::vector<HaltedCommand> halted = std::exchange(packet.halted, {});
  for (const HaltedCommand& command : halted) {
    const std::uint32_t id = in_flight_.add({index, command.command, command.index, command.sequence, now_ps()});
    queue.running.push_back(id);
    queue.previous = command.command;
    if (std::holds_alternative<Dispatch>(*command.command)) queue.placing = id;
    start(id, packet, *command.command, &command.remainder, Callback::to<&Engine::command_done>(this, id));
  }
}

void Engine::move_state(std::uint64_t, Callback done) { agenda_.at(now_ps(), done); }

void Engine::log_preemption(const char* what, std::uint64_t from_ps, std::uint64_t packet) {
  if (!log_.enabled()) return;
  log_.span({log_track_, preemption_category_, log_.name(what), from_ps, now_ps(), packet});
}

}  // namespace fenceline
