// SPDX-License-Identifier: Apache-2.0
#include "scheduler/suspensions.hpp"

#include <utility>

namespace fenceline {

bool waits_on_hardware(const SchedulerState& state, const PacketWaits& waits, const Context& context) {
  return !context.in_flight.empty() && waits.blocks(context.in_flight.front().packet) &&
         state.node_of(context).first_packet_id(context.hardware_queue) == context.in_flight.front().packet.id;
}

bool stops(const SchedulerState& state, const Context& context) {
  return state.config.caps.preemption_aware &&
         state.node_of(context).engine->finest_level(context.hardware_queue) != PreemptionLevel::none;
}

bool Suspensions::suspend(std::uint32_t index, Suspender by) {
  Context& context = s_.contexts[index];
  const bool already = context.suspended();
  context.suspenders |= bit_of(by);
  if (already) return context.in_flight.empty();
  if (context.ready) queues_.withdraw(index);
  s_.round.request();  // its turn is over if it wants the node no more
  if (context.in_flight.empty()) {
    over(context);
    return true;
  }
  context.stopping = true;
  Node& node = s_.node_of(context);
  if (!node.queues[context.hardware_queue].awaits_answer) {
    preemptor_.request(node, context.hardware_queue, PreemptionReason::suspended,
                       {node.first_packet_id(context.hardware_queue), 0});
  }
  return false;
}

void Suspensions::resume(std::uint32_t index, Suspender by) {
  Context& context = s_.contexts[index];
  if ((context.suspenders & bit_of(by)) == 0) return;
  context.suspenders &= static_cast<std::uint8_t>(~bit_of(by));
  if (context.suspended()) return;
  context.stopping = false;
  log_.resumed(context);
  s_.wake(index);
}

bool Suspensions::stopped(std::uint32_t index) const {
  const Context& context = s_.contexts[index];
  return context.in_flight.empty() || (waits_on_hardware(s_, waits_, context) && !stops(s_, context));
}

/// Nothing of it is on the node any more.
void Suspensions::over(Context& context) {
  log_.suspended(context, std::exchange(context.stopping, false));
  residency_.something_left();
}

}  // namespace fenceline
