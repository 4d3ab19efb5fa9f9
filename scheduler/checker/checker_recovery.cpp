// SPDX-License-Identifier: Apache-2.0
// Checker, what resets of engines change of packets and hardware queues.
#include "scheduler/checker/checker.hpp"

#include <algorithm>
#include <utility>

namespace fenceline {

void Checker::recovery(const EventLog&, const RecoveryRecord& record) {
  using Kind = RecoveryRecord::Step;
  const std::uint64_t at_ps = record.at_ps;
  moment(at_ps);
  if (recovery_) recovery_->recovery(record);
  if (rules_) rules_->recovery(record);
  switch (record.step) {
    case Kind::flushed:
      for (HardwareQueue& queue : node_of(record.node, at_ps)->queues) queue.all_handled(at_ps);
      for (auto& [id, packet] : packets_) {
        if (packet.node == record.node) packet.known_ps = std::min(packet.known_ps, at_ps);
      }
      break;
    case Kind::held: node_of(record.node, at_ps)->held = true; break;
    case Kind::engine_reset: node_of(record.node, at_ps)->reset = true; break;
    case Kind::adapter_reset:
      for (Node& node : nodes_) node.reset = true;
      break;
    case Kind::working: {
      Node& node = *node_of(record.node, at_ps);
      node.held = false;
      if (!std::exchange(node.reset, false)) break;
      // No request has an answer, nobody learns of what the node raised meanwhile, and no state is left.
      for (HardwareQueue& queue : node.queues) {
        queue.all_handled(at_ps);
        queue.request.reset();
        queue.returns.clear();
        queue.ran = 0;
      }
      break;
    }
    case Kind::aborted: {
      queue_of(record.node, record.hardware_queue.value_or(0), at_ps)->last_completed = record.fence_id;
      Packet* packet = packet_of(record.packet, at_ps, "it aborted");
      if (packet != nullptr && std::exchange(packet->unheard, false)) --packet->returns;
      break;
    }
    case Kind::returned: {
      Packet* packet = packet_of(record.packet, at_ps, "its return");
      if (packet == nullptr) break;
      packet->known_ps = std::min(packet->known_ps, at_ps);
      if (packet->place != Place::hardware) break;  // it came while nobody listened
      auto& queue = queue_of(packet->node, packet->queue, at_ps)->packets;
      queue.erase(std::find(queue.begin(), queue.end(), record.packet));
      packet->place = Place::software;
      packet->ran = packet->ended = false;
      packet->known_ps = at_ps;
      ++packet->returns;
      break;
    }
    default: break;
  }
}

}  // namespace fenceline
