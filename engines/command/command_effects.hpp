// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/command.hpp"

#include <cstddef>
#include <cstdint>

namespace fenceline {

/// What the commands of a stream do in one execution, besides taking time: they move bytes, and what they do may depend
/// on bytes that are only there when they run. Engines call it from inside the simulation, at the moment that it
/// happens; a command that is preempted ends once.
class CommandEffects {
 public:
  virtual ~CommandEffects() = default;
  /// The work of the command at this index of the stream has ended; of an EndQuery and a Discard the front end's.
  /// Barriers, BeginQuery and time stamps are not told.
  virtual void ended(std::size_t command) = 0;
  /// The command at this index, or one that an ExecuteIndirect there repeats, has been worked on from start to end,
  /// picoseconds: told piece by piece where it is preempted, and before `ended`. What the front end alone does is
  /// not told.
  virtual void ran(std::size_t command, std::uint64_t start_ps, std::uint64_t end_ps) {
    (void)command, (void)start_ps, (void)end_ps;
  }
  /// A predicate skips the command at this index.
  virtual void skip(std::size_t command) = 0;
  /// Whether the SetPredication at this index skips, asked when the front end has read the predicate.
  virtual bool skips(std::size_t command) = 0;
  /// What the ExecuteIndirect at this index runs, asked each time the front end has read its arguments. Valid until the
  /// stream is complete; null: what was recorded.
  virtual const IndirectCall* call(std::size_t command) = 0;
  /// The draw or dispatch at this index, or one that an ExecuteIndirect there runs, begins: with which pipeline state.
  /// Asked once for each, however often it is preempted. Valid until the stream is complete.
  virtual PipelineVariant variant(std::size_t command, const Command& begins) {
    (void)command, (void)begins;
    return {};
  }
  /// Every command of the stream is complete.
  virtual void finish() = 0;
  /// A Timestamp with this slot has been taken.
  virtual void timestamp(std::uint32_t slot, std::uint64_t at_ps) = 0;
};

}  // namespace fenceline
