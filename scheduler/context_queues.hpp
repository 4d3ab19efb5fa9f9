// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/candidates.hpp"
#include "scheduler/context_log.hpp"
#include "scheduler/packet_waits.hpp"
#include "scheduler/paging/residency.hpp"
#include "scheduler/priorities.hpp"
#include "scheduler/state/scheduler_state.hpp"
#include "scheduler/turn_keeper.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace fenceline {

/// The contexts' software queues: what comes to the head of one takes place, waits, or gets ready for the hardware.
class ContextQueues {
 public:
  ContextQueues(SchedulerState& state, ContextLog& log, PacketWaits& waits, const Candidates& candidates,
                TurnKeeper& turns, Priorities& priorities, Residency& residency)
      : s_(state),
        log_(log),
        waits_(waits),
        candidates_(candidates),
        turns_(turns),
        priorities_(priorities),
        residency_(residency) {}

  /// To the context itself, or to the one that it shares.
  std::uint64_t enqueue(std::uint32_t queue, QueuePacket packet, Broadcast broadcast = {});
  /// Takes the packets at the head of a context that need no engine, until one does or must wait.
  void advance(std::uint32_t context);
  /// The packet, which is in no queue any more, never takes place. `dma`: its way through the node so far; null: none.
  void discard(const Context& context, const QueuePacket& packet, const DmaPacket* dma, PacketStatus status);
  /// A piece of the packet has ended: it wants the node for the next one. Where that leaks what slots hold it is
  /// rejected, and its device is to be removed. Source: GPU preemption, "binding leak detection".
  void go_on(std::uint32_t context, QueuePacket packet, const std::vector<std::uint32_t>& leaking);
  /// A list of the context that is split does not go on: its hardware queue is there for others again (Windows 7
  /// model).
  void let_split_go(std::uint32_t context);
  /// What was next of the context is not any more.
  void withdraw(std::uint32_t context);
  /// A signal or present. `known_ps` is when the deferred call that tells of what was before it handles a fence's
  /// interrupt, too; without it the signal raises one of its own.
  void take_place(Context& context, const QueuePacket& packet, std::optional<std::uint64_t> known_ps = {});

 private:
  bool has_memory(const Context& context, const QueuePacket& packet, std::uint32_t index);
  void get_ready(Context& context, QueuePacket& packet, std::uint32_t index);
  bool pass_wait(const Context& context, QueuePacket& packet, std::uint32_t index);
  void signal_now(Context& context, const QueuePacket& packet, std::optional<std::uint64_t> known_ps);

  SchedulerState& s_;
  ContextLog& log_;
  PacketWaits& waits_;
  const Candidates& candidates_;
  TurnKeeper& turns_;
  Priorities& priorities_;
  Residency& residency_;
};

}  // namespace fenceline
