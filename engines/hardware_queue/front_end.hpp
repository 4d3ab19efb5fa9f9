// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/dma_packet.hpp"

#include <cstdint>

namespace fenceline {

/// What fetches the commands of a hardware queue's front packet, one after the other: where it is with the next one.
///
/// The packet's cursor says which one that is. Work on it that was done before the packet was stopped counts: it need
/// not be done again.
class FrontEnd {
 public:
  enum class State : std::uint8_t {
    ready,     ///< may look at the next command
    fetching,  ///< works on it
    reading,   ///< waits for memory: for a predicate, or the first arguments of an ExecuteIndirect
    draining,  ///< waits until all that has ended is complete
    holding,   ///< the next command is fetched, and waits for places of the dispatch before it
    stuck,     ///< the next command never ends
  };

  State state() const { return state_; }
  bool ready() const { return state_ == State::ready; }
  /// The packet is next to begin, or to go on.
  void take(const DmaPacket& packet);
  /// It stops inside: what has been done of the next command is kept in its cursor.
  void stop(DmaPacket& packet, std::uint64_t now_ps);

  /// The command at the cursor, or the one that an ExecuteIndirect there repeats.
  const Command& next(const DmaPacket& packet) const {
    const Command& command = packet.stream->commands[packet.cursor.command];
    return repeats_ ? packet.cursor.call->command : command;
  }
  /// The last one that was issued; null: none yet since the packet began or went on.
  const Command* previous() const { return previous_; }
  void issued(const Command& command) { previous_ = &command; }
  /// Moves the cursor behind the next command.
  void advance(Cursor& cursor);

  /// The next command is an ExecuteIndirect whose arguments are there: its command is next, or it has none to run.
  void repeat(bool has_commands) { repeats_ = has_commands; }
  bool repeats() const { return repeats_; }

  /// Works on the next command, or reads for it, until `end_ps`, or sooner: returns until when.
  std::uint64_t work(State what, std::uint64_t now_ps, std::uint64_t end_ps);
  /// That is over.
  void rest(std::uint64_t now_ps);
  void drain() { state_ = State::draining; }
  void drained() { state_ = State::ready; }
  void hold() { state_ = State::holding; }
  void unhold() { state_ = State::ready; }
  void get_stuck() { state_ = State::stuck; }

  /// The next command was fetched while a barrier waited: it takes no time.
  bool prefetched() const { return prefetched_; }
  void prefetched(bool value) { prefetched_ = value; }

 private:
  State state_ = State::ready;
  bool repeats_ = false;
  bool prefetched_ = false;
  const Command* previous_ = nullptr;
  std::uint64_t working_ps_ = 0;  // since when
  std::uint64_t worked_ps_ = 0;   // on the next command, until then
  std::uint64_t credit_ps_ = 0;   // besides, before the packet was stopped
};

}  // namespace fenceline
