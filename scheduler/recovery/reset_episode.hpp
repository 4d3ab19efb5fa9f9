// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/dma_packet.hpp"
#include "sim/log.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace fenceline {

/// What a reset found in a hardware queue.
struct AbortedQueue {
  std::uint32_t node;
  std::uint32_t queue;
  std::vector<DmaPacket> packets;  ///< in their order: those that are aborted first, the others are innocent
  std::size_t aborted = 0;         ///< of them
};

/// A timeout or page fault, and how far what follows from it is.
struct ResetEpisode {
  enum class Stage : std::uint8_t {
    asking,             ///< dependent engines may stop
    resetting_engine,   ///< one after the other
    resetting_adapter,  ///< all at once
    over,
  };
  std::uint64_t number;
  std::uint32_t node;
  std::uint32_t queue;
  std::uint32_t process;   ///< of the packet that ran
  bool timeout;            ///< else a page fault
  bool adapter;            ///< the adapter is reset
  std::uint64_t began_ps;  ///< the timeout
  Stage stage = Stage::asking;
  std::uint64_t due_ps = 0;               ///< when the stage is over by itself
  std::vector<std::uint32_t> held;        ///< nodes that get nothing meanwhile
  std::vector<std::uint32_t> dependents;  ///< that were asked to stop
  std::vector<std::uint32_t> resets;      ///< nodes to reset, in order
  std::size_t current = 0;                ///< of these
  std::size_t pending = 0;                ///< hardware queues that have not stopped
  std::vector<AbortedQueue> queues;       ///< of the nodes reset so far
  /// Of each paging packet that was under way when the adapter's reset began: processes whose memory it moved.
  std::map<std::uint64_t, std::vector<std::uint32_t>> moved_of;
  std::vector<std::uint32_t> hung;  ///< processes whose devices are removed for their packets
};

}  // namespace fenceline
