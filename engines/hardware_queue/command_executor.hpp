// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/dma_packet.hpp"
#include "engines/command/preemption.hpp"
#include "sim/callback.hpp"

#include <cstdint>
#include <vector>

namespace fenceline {

/// What executes the commands that hardware queues issue, and says what they cost: a kind of engine.
class CommandExecutor {
 public:
  virtual ~CommandExecutor() = default;

  /// Begins a command now, or goes on with what is left of it. `done` is called once, when its work has ended
  /// (it is complete `completion_ns` later, which is the hardware queue's matter), and never from inside `start`. `id`
  /// names it until then.
  virtual void start(std::uint32_t id, const DmaPacket& packet, const IssuedCommand& issued,
                     const CommandRemainder* left, Callback done) = 0;
  /// Stops a command that has started at the boundary of `level`, command or finer: Engine::halted is told what is
  /// left, unless it ends before. At level `command` only if it holds nothing. Comes again with a finer level. Without
  /// an answer the command runs to its end.
  virtual void halt(std::uint32_t id, PreemptionLevel level) = 0;
  /// The packet, which runs, has another rank: its commands under way, too.
  virtual void reranked(const DmaPacket& packet) { (void)packet; }
  /// It has done a unit of work at `level`, group or finer, since it started or went on.
  virtual bool has_worked(std::uint32_t id, PreemptionLevel level) const = 0;
  /// Which granularity counts while the command runs.
  virtual WorkClass class_of(const Command& command) const = 0;
  /// Classes that the engine runs.
  virtual std::vector<WorkClass> classes() const = 0;
  /// Saves or restores state; without a memory this takes no time.
  virtual void move_state(std::uint64_t bytes, Callback done) = 0;
  /// What the front end takes for `next`, cycles of the engine's clock; `previous` is the command it issued before in
  /// the same packet, or null.
  virtual std::uint64_t front_end_cycles(const Command* previous, const Command& next) const = 0;
  /// `next` must not begin before everything that started with or after `running` in its list is complete.
  virtual bool must_drain(const Command& running, const Command& next) const {
    (void)running, (void)next;
    return false;
  }
};

}  // namespace fenceline
