// SPDX-License-Identifier: Apache-2.0
// HardwareQueue, the way of the front packet's commands: fetched, issued, complete.
#include "engines/hardware_queue/hardware_queue.hpp"
#include "sim/kernel/now.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace fenceline {
namespace {

bool is_skipped(const DmaPacket& packet, const Command& command) {
  return packet.cursor.skip && traits_of(command).has(command_rule::predicated);
}

/// Place of a command in the packet's stream; nothing for what an ExecuteIndirect runs.
std::optional<std::size_t> index_in(const CommandStream& stream, const Command* command) {
  const Command* first = stream.commands.data();
  if (std::less<>{}(command, first) || !std::less<>{}(command, first + stream.commands.size())) return {};
  return static_cast<std::size_t>(command - first);
}

void add_timestamp(DmaPacket& packet, std::uint32_t slot, std::uint64_t at_ps) {
  packet.timestamps.emplace_back(slot, at_ps);
  if (packet.effects != nullptr) packet.effects->timestamp(slot, at_ps);
}

/// With which pipeline state the next command begins.
PipelineVariant variant_of(const DmaPacket& packet, const Command& next) {
  const CommandWork work = traits_of(next).work;
  if (packet.effects == nullptr || (work != CommandWork::grid && work != CommandWork::draw)) return {};
  return packet.effects->variant(packet.cursor.command, next);
}

}  // namespace

/// Goes on with the front packet as far as it can at this moment.
void HardwareQueue::proceed() {
  while (phase_ == Phase::running && front_end_.ready()) {
    if (stop_) {
      try_stop();
      if (phase_ != Phase::running) return;
    }
    DmaPacket& packet = front();
    if (packet.stream == nullptr) {
      if (packet.released) finish();
      return;
    }
    if (packet.cursor.command == packet.stream->commands.size()) {
      if (drained()) finish();
      return;
    }
    const Command& next = front_end_.next(packet);
    if (const auto* timestamp = std::get_if<Timestamp>(&next)) {
      pass();
      take_timestamp(timestamp->slot);
      continue;
    }
    if (running_.size() >= engine_.config.commands_in_flight) return;  // command_done comes back here
    const Command* previous = front_end_.previous();
    const bool switches =
        previous != nullptr && !is_skipped(packet, next) && engine_.executor.must_drain(*previous, next);
    if ((waits_for_all(next) || switches) && !drained()) return;
    const std::uint64_t end_ps = front_end_.work(FrontEnd::State::fetching, now_ps(), fetch_end_ps(next));
    front_end_.prefetched(std::holds_alternative<Barrier>(next) && packet.cost.barrier_ps.has_value());
    if (end_ps > now_ps()) {
      engine_.agenda.at<&HardwareQueue::fetched>(end_ps, this, generation_);
      return;
    }
    front_end_.rest(now_ps());
    if (must_hold()) {
      front_end_.hold();
      return;
    }
    issue();
  }
}

void HardwareQueue::fetched(std::uint64_t generation) {
  if (generation != generation_) return;
  front_end_.rest(now_ps());
  if (must_hold()) {
    front_end_.hold();
    return;
  }
  issue();
  proceed();
}

/// When the front end is done with the next command, if it begins now.
std::uint64_t HardwareQueue::fetch_end_ps(const Command& next) const {
  if (std::holds_alternative<Barrier>(next)) {
    const auto& barrier_ps = front().cost.barrier_ps;
    return barrier_ps ? now_ps() + *barrier_ps : engine_.clock.after(now_ps(), engine_.config.barrier_cycles);
  }
  if (front_end_.prefetched()) return now_ps();
  return engine_.clock.after(now_ps(), engine_.executor.front_end_cycles(front_end_.previous(), next));
}

/// Everything started is complete. Otherwise the queue goes on by itself once it is.
bool HardwareQueue::drained() {
  if (!running_.empty()) return false;  // command_done comes back
  if (complete_ps_ <= now_ps()) return true;
  front_end_.drain();
  engine_.agenda.at<&HardwareQueue::drained_at>(complete_ps_, this, generation_);
  return false;
}

void HardwareQueue::drained_at(std::uint64_t generation) {
  if (generation != generation_) return;
  front_end_.drained();
  proceed();
}

/// The next command is a dispatch, and the one before it still has groups without places: the front end hands groups of
/// one dispatch at a time to the shader array.
bool HardwareQueue::must_hold() const {
  if (placing_ == no_command) return false;
  const Command& next = front_end_.next(front());
  return traits_of(next).work == CommandWork::grid && !is_skipped(front(), next);
}

void HardwareQueue::command_placed(std::uint32_t id) {
  if (placing_ != id) return;
  placing_ = no_command;
  engine_.listener->places_wanted(engine_.engine, index_, false);
  issue_held();
  proceed();
}

void HardwareQueue::command_waits(std::uint32_t id) {
  if (placing_ == id) engine_.listener->places_wanted(engine_.engine, index_, true);
}

/// The command that is held, once it need not be any more.
void HardwareQueue::issue_held() {
  if (front_end_.state() != FrontEnd::State::holding || must_hold()) return;
  front_end_.unhold();
  issue();
}

/// The next command, whose front end cycles have passed.
void HardwareQueue::issue() {
  DmaPacket& packet = front();
  const Command& command = front_end_.next(packet);
  const auto* predication = std::get_if<SetPredication>(&command);
  if (predication != nullptr && predication->reads) {
    read_memory();
    return;
  }
  if (is_front_end_only(command) || is_skipped(packet, command)) {
    issue_to_front_end(command);
    return;
  }
  const bool indirect = traits_of(command).work == CommandWork::arguments;
  if (indirect) read_memory();
  if (packet.cursor.entered && !front_end_.repeats()) return;  // its arguments are read beside its commands
  start({&command, packet.cursor.command, engine_.next_sequence++, variant_of(packet, command)}, nullptr);
  if (indirect) {
    packet.cursor.entered = true;
  } else {
    front_end_.issued(command);
    front_end_.advance(packet.cursor);
  }
}

/// A command that passes through the front end and no further.
void HardwareQueue::issue_to_front_end(const Command& command) {
  Cursor& cursor = front().cursor;
  if (const auto* predication = std::get_if<SetPredication>(&command)) cursor.skip = predication->skip;
  if (CommandEffects* effects = front().effects) {
    if (is_skipped(front(), command)) effects->skip(cursor.command);
    if (std::holds_alternative<EndQuery>(command)) effects->ended(cursor.command);
  }
  pass();
}

/// Begins a command, or goes on with what is left of it.
void HardwareQueue::start(const IssuedCommand& issued, const CommandRemainder* left) {
  const std::uint32_t id = engine_.commands.add({issued, index_, now_ps()});
  running_.push_back(id);
  if (traits_of(*issued.command).work == CommandWork::grid) placing_ = id;
  engine_.executor.start(id, front(), issued, left, Callback::to<&HardwareQueue::command_done>(this, id));
}

/// That is all there is to the next command: a unit of work.
void HardwareQueue::pass() {
  front_end_.advance(front().cursor);
  owes_ = false;
}

/// The front end waits for one access: a predicate, or the first arguments of an ExecuteIndirect. The others come
/// beside the commands.
void HardwareQueue::read_memory() {
  const std::uint64_t read_ps = now_ps() + engine_.indirect_fetch_ps;
  const std::uint64_t end_ps = front_end_.work(FrontEnd::State::reading, now_ps(), read_ps);
  engine_.agenda.at<&HardwareQueue::memory_read>(end_ps, this, generation_);
}

void HardwareQueue::memory_read(std::uint64_t generation) {
  if (generation != generation_) return;
  front_end_.rest(now_ps());
  DmaPacket& packet = front();
  const Command& command = front_end_.next(packet);
  CommandEffects* effects = packet.effects;
  Cursor& cursor = packet.cursor;
  if (const auto* indirect = std::get_if<ExecuteIndirect>(&command)) {
    cursor.call = effects != nullptr ? effects->call(cursor.command) : nullptr;
    if (cursor.call == nullptr) cursor.call = &packet.stream->indirect_calls[indirect->call];
    front_end_.repeat(cursor.inner < cursor.call->count);
  } else {
    cursor.skip = effects != nullptr ? effects->skips(cursor.command) : std::get<SetPredication>(command).skip;
  }
  if (!front_end_.repeats()) pass();
  proceed();
}

/// Commands that had begun before the packet was stopped go on, in the order in which they had begun.
void HardwareQueue::resume() {
  const std::vector<HaltedCommand> halted = std::exchange(front().halted, {});
  for (const HaltedCommand& command : halted) {
    front_end_.issued(*command.command);
    start(command, &command.remainder);
  }
}

void HardwareQueue::command_done(std::uint64_t id) {
  const RunningCommand done = leave(static_cast<std::uint32_t>(id), false);
  const DmaPacket& packet = front();
  owes_ = false;
  if (CommandEffects* effects = packet.effects) {
    if (const auto index = index_in(*packet.stream, done.command)) effects->ended(*index);
  }
  complete_ps_ = now_ps() + packet.cost.completion_ps;
  count_timestamps(done.sequence);
  if (phase_ == Phase::halting) {
    if (running_.empty()) all_stopped();
    return;
  }
  try_stop();  // what still runs may stop at a finer level
  if (phase_ != Phase::running) return;
  issue_held();
  proceed();
}

/// The command does not run any more: it has ended, or stopped.
RunningCommand HardwareQueue::leave(std::uint32_t id, bool stopped) {
  const RunningCommand command = engine_.commands[id];
  engine_.commands.remove(id);
  const DmaPacket& packet = front();
  if (packet.effects != nullptr) packet.effects->ran(command.index, command.start_ps, now_ps());
  engine_.log.command(packet, *command.command, command.start_ps, stopped);
  if (placing_ == id) placing_ = no_command;
  running_.erase(std::find(running_.begin(), running_.end(), id));
  return command;
}

void HardwareQueue::take_timestamp(std::uint32_t slot) {
  if (running_.empty()) {
    add_timestamp(front(), slot, std::max(now_ps(), complete_ps_));
  } else {
    const auto outstanding = static_cast<std::uint32_t>(running_.size());
    front().pending_timestamps.push_back({slot, outstanding, engine_.next_sequence++});
  }
}

/// A command has ended that later time stamps waited for.
void HardwareQueue::count_timestamps(std::uint64_t sequence) {
  auto& waiting = front().pending_timestamps;
  for (PendingTimestamp& timestamp : waiting) {
    if (sequence >= timestamp.sequence) continue;
    if (--timestamp.outstanding == 0) add_timestamp(front(), timestamp.slot, complete_ps_);
  }
  while (!waiting.empty() && waiting.front().outstanding == 0) waiting.erase(waiting.begin());
}

}  // namespace fenceline
