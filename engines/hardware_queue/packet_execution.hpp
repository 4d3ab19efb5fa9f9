// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/dma_packet.hpp"
#include "engines/hardware_queue/engine_parts.hpp"
#include "engines/hardware_queue/front_end.hpp"
#include "engines/hardware_queue/stop_level.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fenceline {

/// Whose packet is executed: a hardware queue.
class ExecutionOwner {
 public:
  virtual ~ExecutionOwner() = default;
  /// The packet is at a boundary: it goes on after this, unless a request to preempt says otherwise.
  virtual void try_stop() = 0;
  /// The packet is complete.
  virtual void executed() = 0;
  /// Nothing of the packet, which issues no more, runs any more.
  virtual void all_stopped() = 0;
};

/// The execution of a hardware queue's front packet: its commands are fetched by the front end, issued to the executor
/// and complete, or stop with something left.
class PacketExecution {
 public:
  /// Of hardware queue `queue` of the engine. Both live longer.
  PacketExecution(EngineParts& engine, std::uint32_t queue, ExecutionOwner& owner)
      : engine_(engine), queue_(queue), owner_(owner) {}

  /// The packet is next to begin, or to go on. It stays where it is until it is complete or goes back. `owes`: it does
  /// a unit of work before it is stopped.
  void take(DmaPacket& packet, bool owes);
  /// Whether commands are issued.
  void set_going(bool going) { going_ = going; }
  /// Commands that had begun before the packet was stopped go on, in the order in which they had begun.
  void resume();
  /// Goes on with the packet as far as it can at this moment.
  void proceed();

  /// No command runs.
  bool none_runs() const { return running_.empty(); }
  /// The packet has commands, and all of them have begun.
  bool at_end() const;
  /// It has come to a command that never ends.
  bool stuck() const { return front_end_.state() == FrontEnd::State::stuck; }
  /// Nothing of the packet counts any more: no command is issued, and those that run stop where they can.
  void abandon();
  /// It owes a unit of work still.
  bool owes() const { return owes_; }
  /// When everything that has ended is complete.
  std::uint64_t complete_ps() const { return complete_ps_; }

  /// The coarsest of the levels for what runs now, or for what is next where nothing runs.
  PreemptionLevel level(const Levels& levels) const;
  /// That of a command that runs.
  PreemptionLevel level_of(std::uint32_t id, const Levels& levels) const;
  /// A command that runs can be stopped inside.
  bool can_halt(const Levels& levels) const;
  /// The front end stops.
  void stop_issuing();
  /// Commands that run stop each at its own level. Returns when the packet may have done the unit of work that it owes;
  /// Timer::never: it owes none.
  std::uint64_t halt(const Levels& levels);
  /// A command has stopped, with that left.
  void stopped(std::uint32_t id, CommandRemainder left);

  void command_placed(std::uint32_t id);
  void command_waits(std::uint32_t id);

 private:
  static constexpr std::uint32_t no_command = ~std::uint32_t{0};

  void fetched(std::uint64_t generation);
  std::uint64_t fetch_end_ps(const Command& next) const;
  bool drained();
  void drained_at(std::uint64_t generation);
  bool must_hold() const;
  void issue_held();
  void issue();
  void get_stuck(const Command& command);
  void issue_to_front_end(const Command& command);
  void start(const IssuedCommand& issued, const CommandRemainder* left);
  void read_remotely(std::size_t index, const Command& command);
  void pass();
  void read_memory();
  void memory_read(std::uint64_t generation);
  void command_done(std::uint64_t id);
  RunningCommand leave(std::uint32_t id, bool stopped);
  void take_timestamp(std::uint32_t slot);
  void count_timestamps(std::uint64_t sequence);
  bool owes_work(std::uint32_t id, PreemptionLevel level) const;

  EngineParts& engine_;
  std::uint32_t queue_;
  ExecutionOwner& owner_;
  DmaPacket* packet_ = nullptr;
  bool going_ = false;
  std::uint64_t generation_ = 0;  // of what the agenda holds: an older one's is stale
  FrontEnd front_end_;
  bool owes_ = false;
  std::vector<std::uint32_t> running_;  // commands, by id
  std::uint32_t placing_ = no_command;  // the last dispatch, while not all of its groups have places
  std::uint64_t complete_ps_ = 0;
};

}  // namespace fenceline
