// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fenceline {

/// A context that has a packet ready for a node.
struct Candidate {
  int priority = 0;
  std::uint64_t last_turn = 0;     ///< number of its last turn on the node; 0 = never had one
  bool has_turn = false;           ///< its packets were the last to be chosen
  std::uint64_t turn_used_ps = 0;  ///< engine time it has used since its turn began
};

/// Who is next on a node: the highest priority; among equals whoever has the turn until its quantum is used up, then
/// the one whose last turn is longest ago, the first listed of several. Needs at least one candidate.
std::size_t choose_context(const std::vector<Candidate>& candidates, std::uint64_t quantum_ps);

/// A ready packet of this priority is worth stopping a full hardware queue for: something of lower priority waits in
/// it.
bool worth_preempting(int ready_priority, const std::vector<int>& waiting_priorities);

/// A hardware queue as the choice of one sees it.
struct HardwareQueueView {
  std::size_t packets = 0;
  bool has_room = false;
  bool holds_context = false;  ///< packets of the context in question are in it: its next one must follow them
};
constexpr std::size_t no_queue = static_cast<std::size_t>(-1);
/// The queue that already holds the context's packets, else the emptiest with room (lowest index); `no_queue` if none.
std::size_t choose_hardware_queue(const std::vector<HardwareQueueView>& queues);

}  // namespace fenceline
