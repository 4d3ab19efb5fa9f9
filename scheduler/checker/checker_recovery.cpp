// SPDX-License-Identifier: Apache-2.0
// Checker, what resets of engines change of packets and hardware queues.
#include "scheduler/checker/checker.hpp"

#include <algorithm>

namespace fenceline {

void Checker::recovery(const EventLog&, const RecoveryRecord& record) {
  using Kind = RecoveryRecord::Step;
  const std::uint64_t at_ps = record.at_ps;
  moment(at_ps);
  if (recovery_) recovery_->recovery(record);
  const bool adapter = record.step == Kind::adapter_reset;
  const bool reset = record.step == Kind::engine_reset || adapter;
  if (reset) rules_.reset();
  if (reset || record.step == Kind::flushed) {
    // Interrupts that have been raised are handled now; after a reset no request has an answer.
    for (Node& node : nodes_) {
      if (!adapter && node.path != record.node) continue;
      for (HardwareQueue& queue : node.queues) {
        queue.known_ps = std::min(queue.known_ps, at_ps);
        queue.returned_ps = std::min(queue.returned_ps, at_ps);
        if (!reset) continue;
        queue.request.reset();
        queue.returns.clear();
      }
    }
  }
  if (record.step == Kind::flushed) {
    for (auto& [id, packet] : packets_) {
      if (packet.node == record.node) packet.known_ps = std::min(packet.known_ps, at_ps);
    }
  }
  if (record.step != Kind::returned) return;
  Packet* packet = packet_of(record.packet, at_ps, "its return");
  if (packet == nullptr || packet->place != Place::hardware) return;
  auto& queue = queue_of(packet->node, packet->queue, at_ps)->packets;
  queue.erase(std::find(queue.begin(), queue.end(), record.packet));
  packet->place = Place::software;
  packet->ran = packet->ended = false;
  packet->known_ps = at_ps;
  ++packet->returns;
}

}  // namespace fenceline
