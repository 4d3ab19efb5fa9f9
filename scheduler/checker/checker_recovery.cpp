// SPDX-License-Identifier: Apache-2.0
// Checker, what resets of engines change of packets and hardware queues.
#include "scheduler/checker/checker.hpp"

#include <algorithm>

namespace fenceline {

void Checker::recovery(const EventLog&, const RecoveryRecord& record) {
  using Step = RecoveryRecord::Step;
  moment(record.at_ps);
  if (recovery_) recovery_->recovery(record);
  if (record.step == Step::flushed) flushed(record.node, record.at_ps);
  if (record.step == Step::returned) returned(record);
  const bool adapter = record.step == Step::adapter_reset;
  if (record.step != Step::engine_reset && !adapter) return;
  rules_.reset();
  for (Node& node : nodes_) {
    if (adapter || node.path == record.node) reset(node, record.at_ps);
  }
}

/// Interrupts that have been raised are handled now.
void Checker::flushed(LogName name, std::uint64_t at_ps) {
  Node* node = node_of(name, at_ps);
  if (node == nullptr) return;
  for (auto& [id, packet] : packets_)
    packet.known_ps = packet.node == name ? std::min(packet.known_ps, at_ps) : packet.known_ps;
  for (HardwareQueue& queue : node->queues) {
    queue.known_ps = std::min(queue.known_ps, at_ps);
    queue.returned_ps = std::min(queue.returned_ps, at_ps);
  }
}

/// Nothing runs there any more, and no request has an answer.
void Checker::reset(Node& node, std::uint64_t at_ps) {
  for (HardwareQueue& queue : node.queues) {
    queue.request.reset();
    queue.returns.clear();
    queue.returned_ps = std::min(queue.returned_ps, at_ps);
    queue.known_ps = std::min(queue.known_ps, at_ps);
  }
}

void Checker::returned(const RecoveryRecord& record) {
  Packet* packet = packet_of(record.packet, record.at_ps, "its return");
  if (packet == nullptr || packet->place != Place::hardware) return;
  auto& queue = queue_of(packet->node, packet->queue, record.at_ps)->packets;
  queue.erase(std::find(queue.begin(), queue.end(), record.packet));
  packet->place = Place::software;
  packet->ran = packet->ended = false;
  packet->known_ps = record.at_ps;
  ++packet->returns;
}

}  // namespace fenceline
