// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/command.hpp"
#include "sim/log.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace fenceline {

/// Where a packet stands in its list: what a preempted packet resumes from.
struct Cursor {
  std::size_t command = 0;             ///< the next command to issue
  std::uint64_t inner = 0;             ///< of an ExecuteIndirect: how often its command has been issued
  bool skip = false;                   ///< a predicate skips what can be skipped
  const IndirectCall* call = nullptr;  ///< of an ExecuteIndirect: what it runs, once it has its arguments
  bool entered = false;                ///< the ExecuteIndirect at `command` has begun to read its arguments
  std::uint64_t front_end_ps = 0;      ///< that the front end has worked on the next command already
};

/// Thread groups that were taken off the SMs with part of their work done, all of them at the same point.
struct SavedGroups {
  bool same_point(const SavedGroups& other) const {
    return cycles == other.cycles && overhead == other.overhead && instructions == other.instructions &&
           bytes == other.bytes;
  }
  std::uint64_t groups = 0;
  std::uint64_t cycles = 0;            ///< SM cycles left of what takes a fixed time
  std::uint64_t overhead = 0;          ///< SM cycles left before its first instruction
  unsigned __int128 instructions = 0;  ///< left, as a PlainGroup counts them
  std::uint64_t bytes = 0;             ///< of each group's memory accesses, not moved yet
};

/// What is left of a grid: groups that never had a place, and groups that lost theirs.
struct GridRemainder {
  std::uint64_t groups = 0;
  std::vector<SavedGroups> saved;
  std::uint64_t register_bytes = 0;  ///< of the saved groups
  std::uint64_t shared_bytes = 0;    ///< of the saved groups
  std::uint64_t threads = 0;         ///< of the saved groups
  bool empty() const { return groups == 0 && saved.empty(); }
  /// So many of the last of the saved groups, of `group_threads` each, are back on the SMs.
  void restore(std::uint64_t restored, std::uint64_t group_threads);
  /// In an order that depends on nothing but their work, and those at the same point together.
  void sort_saved();
};

/// What is left of a copy or access.
struct TransferRemainder {
  std::array<std::uint64_t, 2> bytes{};  ///< that have not been moved, on each of the channels that it passes
  std::uint64_t set_up_ps = 0;           ///< until the first of them does: the video memory's part of a copy's set-up
};

/// What is left of a command that has begun.
struct CommandRemainder {
  GridRemainder grid;                              ///< of a dispatch, or a draw's pixels
  GridRemainder vertices;                          ///< of a draw
  bool filled = false;                             ///< a draw's first vertices are shaded
  std::uint64_t fill_ps = 0;                       ///< else: until they are
  std::array<std::uint64_t, 3> stage_cycles = {};  ///< of a draw's set-up, rasterisation and output
  std::optional<std::uint64_t> set_up_ps;          ///< of a copy that was being set up: what is left of that
  std::optional<TransferRemainder> bytes;          ///< of a copy or access, a draw's write-back; unset: all of it
  bool drawn = false;                              ///< of a draw: what it writes comes to L2, or has
  std::uint64_t write_back_bytes = 0;              ///< of a draw: the whole of its write-back
  StateBytes state;                                ///< of its saved groups
};

/// A command that has begun.
struct IssuedCommand {
  const Command* command = nullptr;  ///< of the packet's stream
  std::size_t index = 0;             ///< in that stream; of what an ExecuteIndirect runs, the ExecuteIndirect's
  std::uint64_t sequence = 0;        ///< among the engine's commands
  PipelineVariant variant{};         ///< with which it began, and goes on
};

/// One that an engine stopped before its end.
struct HaltedCommand : IssuedCommand {
  CommandRemainder remainder;
};

/// A time stamp that waits for the end of earlier commands.
struct PendingTimestamp {
  std::uint32_t slot = 0;
  std::uint32_t outstanding = 0;  ///< earlier commands not ended
  std::uint64_t sequence = 0;
};

/// How far a packet has come. It goes back to the scheduler with a preempted packet, and on from there.
struct Progress {
  static constexpr std::uint64_t not_started = ~std::uint64_t{0};

  /// It is past its first command: stopped here it has state to save, and to restore when it goes on.
  bool begun() const { return cursor.command > 0 || cursor.entered || !halted.empty(); }
  /// Of its commands, without the context.
  StateBytes state() const {
    StateBytes bytes;
    for (const HaltedCommand& command : halted) bytes += command.remainder.state;
    return bytes;
  }

  Cursor cursor;
  /// Of a list that is split the command behind the piece that runs, or ran last.
  std::size_t piece_end = whole;
  static constexpr std::size_t whole = ~std::size_t{0};  ///< it is not split: its one piece ends where it does
  std::vector<HaltedCommand> halted;                     ///< in the order they had begun
  std::vector<PendingTimestamp> pending_timestamps;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> timestamps;  ///< slot, time in ps
  std::uint64_t started_ps = not_started;                           ///< for the first time
  std::uint64_t preempted_ps = 0;  ///< time between its stops and its next starts so far
  std::uint64_t stopped_ps = 0;    ///< when it was last stopped
  bool turned_back = false;        ///< it was stopped before it had done anything since it was submitted last
};

}  // namespace fenceline
