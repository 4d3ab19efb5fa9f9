// SPDX-License-Identifier: Apache-2.0
#include "scheduler/packet_waits.hpp"

#include "scheduler/policies/jitter.hpp"
#include "sim/duration.hpp"
#include "sim/kernel/now.hpp"

#include <algorithm>

namespace fenceline {

void PacketWaits::add(std::uint32_t context, QueuePacket& packet) {
  const bool reached = s_.fences.value(packet.fence) >= packet.value;
  packet.wait_slot = waits_.add({context, reached, now_ps(), now_ps(), s_.next_packet_id});
  if (!reached) s_.fences.wait(packet.fence, packet.value, *this, packet.wait_slot);
}

void PacketWaits::remove(const QueuePacket& packet) {
  waits_.remove(packet.wait_slot);
  s_.fences.let_go(packet.fence);
}

void PacketWaits::drop(const QueuePacket& packet) {
  Wait& wait = waits_[packet.wait_slot];
  wait.dropped = !wait.reached;
  if (wait.reached) waits_.remove(packet.wait_slot);
  s_.fences.let_go(packet.fence);
}

bool PacketWaits::known(const QueuePacket& packet, std::uint32_t context) {
  const Wait& wait = waits_[packet.wait_slot];
  if (wait.known_ps <= now_ps()) return true;
  s_.agenda.at<&PacketWaits::wake>(wait.known_ps, this, context);
  return false;
}

bool PacketWaits::released_on_hardware(const QueuePacket& packet) {
  const Wait& wait = waits_[packet.wait_slot];
  const bool released = wait.reached && wait.release_ps <= now_ps();
  if (wait.reached && !released) s_.agenda.at<&PacketWaits::release>(wait.release_ps, this, packet.wait_slot);
  return released;
}

void PacketWaits::fence_reached(std::uint64_t slot, Signaller by) {
  Wait& wait = waits_[slot];
  if (wait.dropped) {
    waits_.remove(slot);
    return;
  }
  s_.rounds = 0;
  wait.reached = true;
  wait.release_ps = now_ps();
  wait.known_ps = by == Signaller::cpu ? now_ps() : std::max(now_ps(), signal_known_ps_);
  const Context& context = s_.contexts[wait.context];
  const auto& queue = context.software_queue;
  const bool at_head = !queue.empty() && queue.front().type == PacketType::wait && queue.front().wait_slot == slot;
  const bool is_there = on_hardware(context, wait);
  // Nobody waits yet when the context still has other packets before this one.
  if (!at_head && !is_there) return;
  wait.release_ps += hop_ps(wait, by);
  wait.known_ps += wait.release_ps - now_ps();
  if (is_there) {
    s_.agenda.at<&PacketWaits::release>(wait.release_ps, this, slot);
  } else {
    s_.wake(wait.context);
  }
}

/// What the signal takes to a waiting context of the node; of several at one moment each next one takes longer.
std::uint64_t PacketWaits::hop_ps(const Wait& wait, Signaller by) {
  const Context& context = s_.contexts[wait.context];
  const NodePath& path = context.config.path;
  const auto node = static_cast<Signaller>(context.config.node);
  const double hop_ns = by == Signaller::cpu ? path.fence_from_cpu_ns
                        : by == node         ? path.fence_same_node_ns
                                             : path.fence_cross_node_ns;
  released_ = released_at_ps_ == now_ps() ? released_ : 0;
  released_at_ps_ = now_ps();
  return ps_of_ns(hop_ns + released_++ * context.config.fence_next_waiter_ns) +
         jitter_ps(context.config.fence_jitter_ns, s_.config.seed, JitterSite::fence, wait.context, wait.packet);
}

bool PacketWaits::on_hardware(const Context& context, const Wait& wait) {
  return std::any_of(context.in_flight.begin(), context.in_flight.end(),
                     [&](const Context::InFlight& one) { return one.packet.id == wait.packet; });
}

/// The condition of a wait in a hardware queue holds.
void PacketWaits::release(std::uint64_t slot) {
  const Wait& wait = waits_[slot];
  if (!wait.reached || wait.release_ps > now_ps()) return;  // another one's by now
  if (!s_.contexts.contains(wait.context)) return;          // nobody's
  const Context& context = s_.contexts[wait.context];
  if (!on_hardware(context, wait)) {
    s_.wake(wait.context);  // it was preempted meanwhile
    return;
  }
  Node& node = s_.node_of(context);
  node.engine->release(context.hardware_queue, wait.packet);
  if (node.contexts > 1) s_.round.request();  // it may have others stopped now
}

}  // namespace fenceline
