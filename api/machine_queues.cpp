// SPDX-License-Identifier: Apache-2.0
// Machine, the family of functions that make, change and close queues.
#include "api/machine_parts.hpp"
#include "api/work_listener.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace fenceline {
namespace {

/// Where the queue's contexts are to stand before the scheduler.
void set_standing(ContextConfig& context, const QueueConfig& queue) {
  context.priority = {static_cast<int>(queue.priority), queue.in_process_priority, queue.realtime_level};
  context.quantum_us = queue.quantum_us;
  context.grace_us = queue.grace_us;
  context.grace_same_priority_us = queue.grace_same_priority_us;
}

}  // namespace

void Machine::change(ContextId queue, const QueueConfig& config) {
  const std::string reason = refusal(config, parts_->config);
  if (!reason.empty()) throw std::invalid_argument(fmt::format("queue \"{}\": {}", config.name, reason));
  if (parts_->checker) parts_->checker->leave_rules();
  ContextConfig standing;
  set_standing(standing, config);
  inside([&](Hardware& hardware) {
    for (const ContextId context : parts_->contexts_of(queue)) hardware.scheduler->change(context, standing);
  });
}

ContextId Machine::create_queue(const QueueConfig& queue) {
  const MachineConfig& machine = parts_->config;
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t i = 0; i < machine.engines.size(); ++i) {
    if (runs_on(machine.engines[i], queue.type)) nodes.push_back(i);
  }
  const std::string reason = refusal(queue, machine);
  if (!reason.empty()) throw std::invalid_argument(fmt::format("queue \"{}\": {}", queue.name, reason));
  const auto path = machine.submission_paths.find(queue.path.empty() ? machine.default_path : queue.path);
  ContextConfig context;
  set_standing(context, queue);
  if (parts_->processes.count(queue.process) == 0) create_process({queue.process});
  context.process = parts_->processes.at(queue.process);
  context.time_slice_us = path->second.time_slice_us;
  context.process_switch_us = path->second.process_switch_us;
  context.path = node_path(path->second, machine.engines[nodes.front()]);
  context.disable_gpu_timeout = queue.disable_gpu_timeout;
  context.fence_next_waiter_ns = path->second.fence_next_waiter_ns;
  if (machine.scheduler.jitter) {
    context.launch_jitter_ns = path->second.launch_jitter_ns;
    context.fence_jitter_ns = path->second.fence_jitter_ns;
  }
  std::vector<ContextId> contexts;
  for (std::uint32_t link = 0; link < machine.linked_adapters; ++link) {
    if ((queue.node_mask >> link & 1) == 0) continue;
    context.name = contexts.empty() ? queue.name : link_name(link) + "." + queue.name;
    if (!contexts.empty()) context.broadcast_with = contexts.front();
    std::uint32_t& of_type = parts_->queues_of_type[link][static_cast<std::size_t>(queue.type)];
    const auto first_node = static_cast<std::uint32_t>(link * machine.engines.size());
    context.node = first_node + nodes[of_type++ % nodes.size()];
    inside([&](Hardware& hardware) { contexts.push_back(hardware.scheduler->create_context(context)); });
  }
  const auto id =
      static_cast<ContextId>(parts_->queues.add({queue.type, {}, std::move(contexts), may_present(queue), queue}));
  if (parts_->heard()) parts_->listener->queue_created(id, queue);
  return id;
}

void Machine::close_queue(ContextId queue) {
  const std::vector<ContextId> contexts = parts_->contexts_of(queue);
  parts_->queues.remove(static_cast<std::uint32_t>(queue));
  inside([&](Hardware& hardware) {
    for (const ContextId context : contexts) hardware.scheduler->close(context);
  });
}

}  // namespace fenceline
