// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/state/scheduler_state.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fenceline {

/// Of packets that are broadcast: one for each adapter.
struct Broadcast {
  std::uint64_t first = 0;   ///< id of the first of them; 0: it has none yet
  std::uint32_t copies = 1;  ///< how many there are; 1: it is alone
};

/// What the log is told of contexts and their packets. Without a listener none of it costs anything.
class ContextLog {
 public:
  explicit ContextLog(SchedulerState& state) : s_(state) {}

  /// The context's name. Names live as long as the log: what nobody listens to gets none.
  LogName log_name_of(const Context& context) const;
  /// That of the queue to which the packet was submitted: another one's where queues share the context.
  LogName log_name_of(const Context& context, const QueuePacket& packet) const;
  /// Where the context stands from now on.
  void rank(const Context& context) const;
  /// The packet is in the context's software queue.
  void queued(const Context& context, const QueuePacket& packet, const Broadcast& broadcast) const;
  /// The queue is given a marker; with a `list` it is one of the list of that packet.
  void marked(LogName queue, const Marker& marker, std::uint64_t packet = 0, LogName list = {}) const;
  /// Piece `piece` of the packet's list, which has these commands, is patched.
  void patched(const QueuePacket& packet, std::uint32_t piece, std::size_t from_command, std::size_t end_command) const;
  /// The packet is complete; `dma` is its way through the node, null if it took none.
  /// `awaits_others`: it is one of a broadcast signal or present, which takes place later.
  void completed(const Context& context, const QueuePacket& packet, const DmaPacket* dma,
                 bool awaits_others = false) const;
  /// It is not, and never will be: thrown away, or aborted on the node.
  void ended(const Context& context, const QueuePacket& packet, const DmaPacket* dma, PacketStatus status) const;
  /// The packet has come to a command that never ends.
  void stuck(const Context& context, std::uint64_t packet) const;
  /// The packet's next piece would leak what these slots hold.
  void rejected(const Context& context, const QueuePacket& packet, const std::vector<std::uint32_t>& slots) const;
  void suspended(const Context& context, bool was_on_node);
  void resumed(const Context& context) const;
  /// Its first packet was ready, and is not any more.
  void waits_for_memory(const Context& context) const;

  /// What the context does may have changed: with hardware scheduling it is told of at the end of the round.
  void touch(std::uint32_t context);
  /// Hardware that schedules logs what each context does, and reports each change of its context list.
  void end_round();

 private:
  PacketRecord record_of(const Context& context, const QueuePacket& packet) const;
  void tell_list(Node& node, std::uint32_t queue);
  HwContextState state_of(std::uint32_t context) const;

  SchedulerState& s_;
  std::vector<std::uint32_t> touched_;
  std::uint64_t suspensions_ = 0;  // ContextSuspendFence
};

}  // namespace fenceline
