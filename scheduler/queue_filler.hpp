// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/candidates.hpp"
#include "scheduler/context_log.hpp"
#include "scheduler/context_queues.hpp"
#include "scheduler/packet_waits.hpp"
#include "scheduler/paging/residency.hpp"
#include "scheduler/preemptor.hpp"
#include "scheduler/splitting/splitter.hpp"
#include "scheduler/state/scheduler_state.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fenceline {

/// Hands packets of ready contexts to a node's hardware queues, in the policy's order, while there is room. It is
/// the usual asker for preemption: on a node with several contexts Preemptor judges first whether something has to stop
/// for the packet, whether there is room for it or not.
class QueueFiller {
 public:
  QueueFiller(SchedulerState& state, ContextLog& log, PacketWaits& waits, const Candidates& candidates,
              Preemptor& preemptor, ContextQueues& queues, Residency& residency)
      : s_(state),
        log_(log),
        waits_(waits),
        candidates_(candidates),
        preemptor_(preemptor),
        queues_(queues),
        residency_(residency),
        splitter_(state.config) {}

  void fill(Node& node);
  const Splitter& splitter() const { return splitter_; }

 private:
  bool follows_split(const Node& node, const Candidate& candidate) const;
  void fill_from_one(Node& node);
  bool try_hand_over(Node& node, const Candidate& candidate);
  std::size_t queue_for(const Node& node, const Candidate& candidate) const;
  bool kept_out(const Node& node, const Candidate& candidate) const;
  void hand_over(Node& node, std::uint32_t context, std::uint32_t queue);
  void submit(Node& node, std::uint32_t context, std::uint32_t queue);
  DmaPacket dma_packet_of(Context& context, std::uint32_t index, QueuePacket& packet);

  SchedulerState& s_;
  ContextLog& log_;
  PacketWaits& waits_;
  const Candidates& candidates_;
  Preemptor& preemptor_;
  ContextQueues& queues_;
  Residency& residency_;
  Splitter splitter_;
  std::vector<Candidate> choice_;  // scratch of fill
};

}  // namespace fenceline
