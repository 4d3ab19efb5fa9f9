// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/candidates.hpp"
#include "scheduler/policies/turns.hpp"
#include "scheduler/state/scheduler_state.hpp"

#include <cstdint>

namespace fenceline {

/// Keeps account of a node's turns: who wants it since when, who has it, for how long, and the normal band's floor.
class TurnKeeper {
 public:
  TurnKeeper(SchedulerState& state, const Candidates& candidates) : s_(state), candidates_(candidates) {}

  /// The context has a packet for its node, and had none.
  void begin_wanting(Context& context, std::uint64_t packet);
  /// The context, which may want its node, had this rank before.
  void moved(const Context& context, std::uint32_t index, const Rank& before);
  /// Turns end of those who have nothing left to run.
  void end_turns(Node& node);
  /// The first packet of the hardware queue begins to run: turns of its like are over, though they may have been short,
  /// and who had them goes to the end of those who wait.
  void begin_turns(Node& node, std::uint32_t queue);
  /// A piece of the packet has had so much of the engine.
  void use(Node& node, std::uint32_t queue, const DmaPacket& packet, std::uint64_t engine_ps);
  /// Takes note of who wants the engine and who has it, for the floor.
  void count_floor(Node& node);
  /// Nothing is known of the context any more.
  void forget(const Context& context, std::uint32_t index);

 private:
  void to_the_end(Node& node, std::uint32_t owner, const Peers& peers);

  SchedulerState& s_;
  const Candidates& candidates_;
};

}  // namespace fenceline
