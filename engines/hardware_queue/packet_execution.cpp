// SPDX-License-Identifier: Apache-2.0
#include "engines/hardware_queue/packet_execution.hpp"

#include "sim/kernel/now.hpp"
#include "sim/kernel/timer.hpp"

#include <algorithm>
#include <functional>
#include <optional>
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

/// It is the transfer beside one of the stream's commands.
bool is_remote_read(const CommandStream& stream, const IssuedCommand& issued) {
  if (stream.memory.remote_reads.empty()) return false;
  const auto read = stream.memory.remote_reads.find(issued.index);
  return read != stream.memory.remote_reads.end() && issued.command == &read->second;
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

void PacketExecution::take(DmaPacket& packet, bool owes) {
  packet_ = &packet;
  owes_ = owes;
  front_end_.take(packet);
}

void PacketExecution::abandon() {
  if (packet_ == nullptr) return;
  stop_issuing();
  packet_->effects = nullptr;  // nobody is to hear of it any more
  const std::vector<std::uint32_t> running = running_;
  for (const std::uint32_t id : running) {
    if (std::find(running_.begin(), running_.end(), id) != running_.end()) {
      engine_.executor.halt(id, finest_preemption_level);
    }
  }
}

void PacketExecution::stop_issuing() {
  ++generation_;
  front_end_.stop(*packet_, now_ps());
}

void PacketExecution::stopped(std::uint32_t id, CommandRemainder left) {
  const RunningCommand command = leave(id, true);
  packet_->halted.push_back({command, std::move(left)});
}

void PacketExecution::proceed() {
  while (going_ && front_end_.ready()) {
    owner_.try_stop();
    if (!going_) return;
    DmaPacket& packet = *packet_;
    if (packet.stream == nullptr) {
      if (packet.released) owner_.executed();
      return;
    }
    if (packet.cursor.command == packet.end()) {
      if (drained()) owner_.executed();
      return;
    }
    const Command& next = front_end_.next(packet);
    if (const auto* timestamp = std::get_if<Timestamp>(&next)) {
      pass();
      take_timestamp(timestamp->slot);
      continue;
    }
    if (std::holds_alternative<Discard>(next)) {
      issue_to_front_end(next);
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
      engine_.agenda.at<&PacketExecution::fetched>(end_ps, this, generation_);
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

void PacketExecution::fetched(std::uint64_t generation) {
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
std::uint64_t PacketExecution::fetch_end_ps(const Command& next) const {
  if (std::holds_alternative<Barrier>(next)) {
    const auto& barrier_ps = packet_->cost.barrier_ps;
    return barrier_ps ? now_ps() + *barrier_ps : engine_.clock.after(now_ps(), engine_.config.barrier_cycles);
  }
  if (front_end_.prefetched()) return now_ps();
  return engine_.clock.after(now_ps(), engine_.executor.front_end_cycles(front_end_.previous(), next));
}

/// Everything started is complete. Otherwise the queue goes on by itself once it is.
bool PacketExecution::drained() {
  if (!running_.empty()) return false;  // command_done comes back
  if (complete_ps_ <= now_ps()) return true;
  front_end_.drain();
  engine_.agenda.at<&PacketExecution::drained_at>(complete_ps_, this, generation_);
  return false;
}

void PacketExecution::drained_at(std::uint64_t generation) {
  if (generation != generation_) return;
  front_end_.drained();
  proceed();
}

/// The next command is a dispatch, and the one before it still has groups without places: the front end hands groups of
/// one dispatch at a time to the shader array.
bool PacketExecution::must_hold() const {
  if (placing_ == no_command) return false;
  const Command& next = front_end_.next(*packet_);
  return traits_of(next).work == CommandWork::grid && !is_skipped(*packet_, next);
}

void PacketExecution::command_placed(std::uint32_t id) {
  if (placing_ != id) return;
  placing_ = no_command;
  engine_.listener->places_wanted(engine_.engine, queue_, false);
  issue_held();
  proceed();
}

void PacketExecution::command_waits(std::uint32_t id) {
  if (placing_ == id) engine_.listener->places_wanted(engine_.engine, queue_, true);
}

/// The command that is held, once it need not be any more.
void PacketExecution::issue_held() {
  if (front_end_.state() != FrontEnd::State::holding || must_hold()) return;
  front_end_.unhold();
  issue();
}

/// The next command, whose front end cycles have passed.
void PacketExecution::issue() {
  DmaPacket& packet = *packet_;
  const Command& command = front_end_.next(packet);
  if (traits_of(command).work == CommandWork::stuck) {
    get_stuck(command);
    return;
  }
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
  if (!packet.stream->memory.remote_reads.empty()) read_remotely(packet.cursor.command, command);
  if (indirect) {
    packet.cursor.entered = true;
  } else {
    front_end_.issued(command);
    front_end_.advance(packet.cursor);
  }
}

/// Nothing of the packet goes on from here.
void PacketExecution::get_stuck(const Command& command) {
  front_end_.get_stuck();
  engine_.listener->got_stuck(engine_.engine, queue_, std::holds_alternative<PageFault>(command));
}

/// A command that passes through the front end and no further.
void PacketExecution::issue_to_front_end(const Command& command) {
  Cursor& cursor = packet_->cursor;
  if (const auto* predication = std::get_if<SetPredication>(&command)) cursor.skip = predication->skip;
  if (CommandEffects* effects = packet_->effects) {
    if (is_skipped(*packet_, command)) effects->skip(cursor.command);
    if (std::holds_alternative<EndQuery>(command) || std::holds_alternative<Discard>(command)) {
      effects->ended(cursor.command);
    }
  }
  pass();
}

/// Begins a command, or goes on with what is left of it.
void PacketExecution::start(const IssuedCommand& issued, const CommandRemainder* left) {
  const std::uint32_t id = engine_.commands.add({issued, queue_, now_ps()});
  running_.push_back(id);
  if (traits_of(*issued.command).work == CommandWork::grid) placing_ = id;
  engine_.executor.start(id, *packet_, issued, left, Callback::to<&PacketExecution::command_done>(this, id));
}

/// What the command uses in place passes PCIe beside its own work, once.
void PacketExecution::read_remotely(std::size_t index, const Command& command) {
  const auto read = packet_->stream->memory.remote_reads.find(index);
  if (read == packet_->stream->memory.remote_reads.end() || &packet_->stream->commands[index] != &command) return;
  start({&read->second, index, engine_.next_sequence++, {}}, nullptr);
}

/// That is all there is to the next command: a unit of work.
void PacketExecution::pass() {
  front_end_.advance(packet_->cursor);
  owes_ = false;
}

/// The front end waits for one access: a predicate, or the first arguments of an ExecuteIndirect. The others come
/// beside the commands.
void PacketExecution::read_memory() {
  const std::uint64_t read_ps = now_ps() + engine_.indirect_fetch_ps;
  const std::uint64_t end_ps = front_end_.work(FrontEnd::State::reading, now_ps(), read_ps);
  engine_.agenda.at<&PacketExecution::memory_read>(end_ps, this, generation_);
}

void PacketExecution::memory_read(std::uint64_t generation) {
  if (generation != generation_) return;
  front_end_.rest(now_ps());
  DmaPacket& packet = *packet_;
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

void PacketExecution::resume() {
  const std::vector<HaltedCommand> halted = std::exchange(packet_->halted, {});
  for (const HaltedCommand& command : halted) {
    if (!is_remote_read(*packet_->stream, command)) front_end_.issued(*command.command);
    start(command, &command.remainder);
  }
}

void PacketExecution::command_done(std::uint64_t id) {
  const RunningCommand done = leave(static_cast<std::uint32_t>(id), false);
  const DmaPacket& packet = *packet_;
  owes_ = false;
  if (CommandEffects* effects = packet.effects) {
    if (const auto index = index_in(*packet.stream, done.command)) effects->ended(*index);
  }
  complete_ps_ = now_ps() + packet.cost.completion_ps;
  count_timestamps(done.sequence);
  if (!going_) {
    if (running_.empty()) owner_.all_stopped();
    return;
  }
  owner_.try_stop();  // what still runs may stop at a finer level
  if (!going_) return;
  issue_held();
  proceed();
}

/// The command does not run any more: it has ended, or stopped.
RunningCommand PacketExecution::leave(std::uint32_t id, bool stopped) {
  const RunningCommand command = engine_.commands[id];
  engine_.commands.remove(id);
  const DmaPacket& packet = *packet_;
  if (packet.effects != nullptr && !is_remote_read(*packet.stream, command)) {
    packet.effects->ran(command.index, command.start_ps, now_ps());
  }
  engine_.log.command(packet, *command.command, command.index, command.start_ps, stopped);
  if (placing_ == id) placing_ = no_command;
  running_.erase(std::find(running_.begin(), running_.end(), id));
  return command;
}

void PacketExecution::take_timestamp(std::uint32_t slot) {
  if (running_.empty()) {
    add_timestamp(*packet_, slot, std::max(now_ps(), complete_ps_));
  } else {
    const auto outstanding = static_cast<std::uint32_t>(running_.size());
    packet_->pending_timestamps.push_back({slot, outstanding, engine_.next_sequence++});
  }
}

/// A command has ended that later time stamps waited for.
void PacketExecution::count_timestamps(std::uint64_t sequence) {
  auto& waiting = packet_->pending_timestamps;
  for (PendingTimestamp& timestamp : waiting) {
    if (sequence >= timestamp.sequence) continue;
    if (--timestamp.outstanding == 0) add_timestamp(*packet_, timestamp.slot, complete_ps_);
  }
  while (!waiting.empty() && waiting.front().outstanding == 0) waiting.erase(waiting.begin());
}

PreemptionLevel PacketExecution::level(const Levels& levels) const {
  const CommandExecutor& executor = engine_.executor;
  const DmaPacket& packet = *packet_;
  if (!running_.empty()) {
    PreemptionLevel coarsest = finest_preemption_level;
    for (const std::uint32_t id : running_) {
      coarsest = std::min(coarsest, fenceline::level_of(executor, packet, *engine_.commands[id].command, levels));
    }
    return coarsest;
  }
  if (!packet.halted.empty()) return fenceline::level_of(executor, packet, *packet.halted.front().command, levels);
  if (packet.stream != nullptr && !at_end())
    return fenceline::level_of(executor, packet, front_end_.next(packet), levels);
  const PreemptionLevel level = level_between_packets(executor, levels);
  // A wait gives way before its condition holds.
  const bool gives_way = packet.stream == nullptr && traits_of(level).has(level_rule::withholds_packets);
  return gives_way ? PreemptionLevel::command : level;
}

PreemptionLevel PacketExecution::level_of(std::uint32_t id, const Levels& levels) const {
  return fenceline::level_of(engine_.executor, *packet_, *engine_.commands[id].command, levels);
}

bool PacketExecution::at_end() const {
  const DmaPacket& packet = *packet_;
  return packet.stream != nullptr && packet.cursor.command == packet.end() && packet.halted.empty();
}

bool PacketExecution::can_halt(const Levels& levels) const {
  return std::any_of(running_.begin(), running_.end(),
                     [&](std::uint32_t id) { return traits_of(level_of(id, levels)).has(level_rule::stops_packets); });
}

/// It is the oldest command of a packet that does a unit of work before it is stopped, and has not done it.
bool PacketExecution::owes_work(std::uint32_t id, PreemptionLevel level) const {
  if (!owes_ || id != running_.front()) return false;
  return !traits_of(level).has(level_rule::stops_commands) || !engine_.executor.has_worked(id, level);
}

std::uint64_t PacketExecution::halt(const Levels& levels) {
  constexpr std::uint64_t longest_wait_ps = 1'000'000;
  std::uint64_t retry_ps = Timer::never;
  const std::vector<std::uint32_t> running = running_;
  for (const std::uint32_t id : running) {
    const PreemptionLevel level = level_of(id, levels);
    if (!traits_of(level).has(level_rule::stops_packets)) continue;
    if (!owes_work(id, level)) {
      engine_.executor.halt(id, level);
    } else if (traits_of(level).has(level_rule::stops_commands)) {
      // Asked again after a cycle, and if it is waiting for others, after ever longer.
      const std::uint64_t waited_ps = now_ps() - engine_.commands[id].start_ps;
      retry_ps = engine_.clock.after(now_ps() + std::min(waited_ps, longest_wait_ps), 1);
    }
  }
  return retry_ps;
}
}  // namespace fenceline
