// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/packet_waits.hpp"
#include "scheduler/policies/policy.hpp"
#include "scheduler/policies/represented_contexts.hpp"
#include "scheduler/state/scheduler_state.hpp"

#include <cstdint>

namespace fenceline {

/// How a policy sees the contexts of a node: rank, turn, wait, the part of the time of their band.
class Candidates {
 public:
  Candidates(const SchedulerState& state, const PacketWaits& waits) : s_(state), waits_(waits) {}

  /// The next packet of a ready context.
  Candidate ready(const Node& node, std::uint32_t context) const;
  /// A packet of a context; `ready_ps` is when it became ready.
  Candidate of(const Node& node, std::uint32_t context, std::uint64_t packet, std::uint64_t ready_ps) const;
  /// A packet in the hardware queue: the first there, or one behind it.
  Candidate queued(const Node& node, std::uint32_t queue, const DmaPacket& packet, bool first) const;

  /// The context's process may run on the node now, where processes take turns there.
  bool may_run(const Node& node, const Context& context) const;
  /// Ready contexts besides this one could go to the node.
  bool others_may_run(const Node& node, std::uint32_t context) const;

  /// What the place of a ready context in the order depends on.
  ReadyContext order_of(const Node& node, std::uint32_t context) const;
  /// Of the ready contexts those that no other one can stand for.
  RepresentedContexts::Named named(const Node& node) const;

 private:
  void stand(const Node& node, std::uint32_t queue, Candidate& one) const;

  const SchedulerState& s_;
  const PacketWaits& waits_;
};

}  // namespace fenceline
