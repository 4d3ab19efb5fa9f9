// SPDX-License-Identifier: Apache-2.0
// Scheduler, the family of functions that suspend contexts and tell what hardware scheduling does with them.
#include "scheduler/scheduler.hpp"
#include "sim/kernel/now.hpp"

#include <algorithm>

namespace fenceline {
bool Scheduler::suspend(ContextId id) {
  const auto index = static_cast<std::uint32_t>(id);
  Context& context = contexts_[index];
  if (context.suspended) return context.in_flight.empty();
  context.suspended = true;
  if (context.ready) withdraw(index);
  schedule_.request();  // its turn is over if it wants the node no more
  if (context.in_flight.empty()) {
    suspension_over(index);
    return true;
  }
  context.stopping = true;
  if (!nodes_[context.config.node].queues[context.hardware_queue].preempting) {
    request(context.config.node, context.hardware_queue, PreemptionReason::suspended,
            {first_in(nodes_[context.config.node], context.hardware_queue), 0});
  }
  return false;
}

void Scheduler::resume(ContextId id) {
  const auto index = static_cast<std::uint32_t>(id);
  Context& context = contexts_[index];
  if (!context.suspended) return;
  context.suspended = context.stopping = false;
  if (log_.enabled()) log_.instant({path_of(context), log_.name("resumed"), now_ps(), 0});
  wake(index);
}

std::vector<ContextId> Scheduler::held() const {
  std::vector<ContextId> result;
  contexts_.for_each([&](std::uint32_t i, const Context& context) {
    if (context.suspended && !context.software_queue.empty()) result.push_back(static_cast<ContextId>(i));
  });
  return result;
}

/// Nothing of the context is on the node any more.
void Scheduler::suspension_over(std::uint32_t index) {
  Context& context = contexts_[index];
  const bool was_on_node = context.stopping;
  context.stopping = false;
  ++suspensions_;
  if (!log_.enabled()) return;
  if (was_on_node && config_.hardware_scheduling) {  // STATUS_PENDING was the answer
    log_.interrupt({nodes_[context.config.node].path, context.hardware_queue, InterruptType::suspend_context_completed,
                    suspensions_, 0, now_ps(), now_ps() + latency_ps_, path_of(context)});
  }
  log_.instant({path_of(context), log_.name("suspended"), now_ps(), suspensions_});
}

/// What the context does may have changed.
void Scheduler::touch(std::uint32_t context) {
  if (config_.hardware_scheduling && log_.enabled()) touched_.push_back(context);
}

/// Hardware that schedules logs what each context does, and reports each change of its context list.
void Scheduler::log_states() {
  if (!config_.hardware_scheduling) return;
  if (!log_.enabled()) {
    touched_.clear();  // they may be freed before somebody listens
    return;
  }
  for (Node& node : nodes_) {
    for (std::uint32_t queue = 0; queue < node.queues.size(); ++queue) log_list(node, queue);
  }
  std::sort(touched_.begin(), touched_.end());
  for (const std::uint32_t index : touched_) {
    Context& context = contexts_[index];
    const HwContextState state = state_of(index);
    if (state == context.state) continue;
    context.state = state;
    log_.instant({path_of(context), log_.name(name_of(state)), now_ps(), 0});
  }
  touched_.clear();
}

void Scheduler::log_list(Node& node, std::uint32_t queue) {
  HardwareQueue& hardware = node.queues[queue];
  std::uint32_t first = none;
  if (const DmaPacket* packet = node.engine->first_packet(queue)) first = packet->context;
  if (first == none || first == hardware.first) return;
  if (hardware.first != none && contexts_.contains(hardware.first)) touch(hardware.first);
  touch(first);
  hardware.first = first;
  log_.interrupt({node.path, queue, InterruptType::hwcontextlist_switch_completed, ++node.list_switches, 0, now_ps(),
                  now_ps() + latency_ps_, path_of(contexts_[first])});
}

HwContextState Scheduler::state_of(std::uint32_t index) const {
  const Context& context = contexts_[index];
  if (context.in_flight.empty()) return context.ready ? HwContextState::ready : HwContextState::idle;
  const HardwareQueue& hardware = nodes_[context.config.node].queues[context.hardware_queue];
  return hardware.first == index ? HwContextState::running : HwContextState::ready_standby;
}

}  // namespace fenceline
