// SPDX-License-Identifier: Apache-2.0
// Scheduler, the family of functions that make processes and contexts, stop and end them.
#include "scheduler/scheduler.hpp"
#include "sim/assert.hpp"
#include "sim/duration.hpp"
#include "sim/kernel/now.hpp"
#include "sim/members.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace fenceline {
namespace {

SubmissionCost cost_of(const NodePath& path) {
  SubmissionCost cost;
  cost.launch_ps = ps_of_ns(path.launch_ns);
  cost.retire_ps = ps_of_ns(path.retire_ns);
  cost.copy_setup_ps = ps_of_ns(path.copy_setup_ns);
  cost.follow_ps = ps_of_ns(path.follow_ns);
  cost.completion_ps = ps_of_ns(path.completion_ns);
  if (path.barrier_ns) cost.barrier_ps = ps_of_ns(*path.barrier_ns);
  cost.finest_level = static_cast<PreemptionLevel>(path.finest_preemption);
  cost.to_device_share = path.to_device_share;
  cost.to_host_share = path.to_host_share;
  return cost;
}

/// Without contexts (MultiEngineAware) all queues of a process on a node are one: the first.
std::optional<std::uint32_t> shared_context(const SchedulerState& state, const ContextConfig& config) {
  std::optional<std::uint32_t> first;
  if (state.config.caps.multi_engine_aware) return first;
  state.contexts.for_each([&](std::uint32_t index, const Context& other) {
    if (!first && other.config.process == config.process && other.config.node == config.node) first = index;
  });
  return first;
}

}  // namespace

ProcessId Scheduler::create_process(const ProcessConfig& config) {
  const LogName name = state_.log.own_name("process " + (config.name.empty() ? "default" : config.name));
  state_.processes.push_back(
      {config, name, ps_of_us(config_.time_slice_us), ps_of_us(config_.process_switch_us), false});
  for (Node& node : state_.nodes) node.processes.resize(state_.processes.size());
  return static_cast<ProcessId>(state_.processes.size() - 1);
}

ContextId Scheduler::create_context(const ContextConfig& config) {
  FENCELINE_ASSERT(config.node < state_.nodes.size(), std::string(name()) + ": context on a node that does not exist");
  Process& process = state_.processes[static_cast<std::uint32_t>(config.process)];
  if (!process.has_contexts) {
    process.has_contexts = true;
    if (config.time_slice_us) process.slice_ps = ps_of_us(*config.time_slice_us);
    if (config.process_switch_us) process.switch_ps = ps_of_us(*config.process_switch_us);
  }
  Context context;
  context.config = config;
  context.shared = shared_context(state_, config);
  if (context.shared) context.config.priority = state_.contexts[*context.shared].config.priority;
  context.cost = cost_of(config.path);
  priorities_.rank(context);
  log_.rank(context);
  const std::uint32_t index = state_.contexts.add(std::move(context));
  Node& node = state_.nodes[config.node];
  if (state_.contexts[index].shared) return static_cast<ContextId>(index);
  if (node.contexts++ == 0) node.first_context = index;
  residency_.context_created(index);
  return static_cast<ContextId>(index);
}

/// The system's contexts are made with their first packets: what never pages has none.
std::uint64_t Scheduler::submit(PacketType type, std::uint32_t node, std::shared_ptr<const CommandStream> buffer,
                                std::shared_ptr<CommandEffects> effects) {
  if (state_.nodes[node].system_context == Node::none) {
    if (state_.system_process == SchedulerState::none) {
      state_.system_process = static_cast<std::uint32_t>(create_process({"System"}));
    }
    ContextConfig config;
    const char* const engine = state_.nodes[node].engine->basename();
    config.name =
        state_.link_of(node) + (contains(paging_.nodes, node) ? "paging" : "context switch " + std::string(engine));
    config.node = node;
    config.process = static_cast<ProcessId>(state_.system_process);
    config.priority.paging = true;
    if (!paging_.paths.empty()) config.path = paging_.paths[node % paging_.paths.size()];
    config.disable_gpu_timeout = true;
    const auto context = static_cast<std::uint32_t>(create_context(config));
    state_.nodes[node].system_context = context;
  }
  QueuePacket packet;
  packet.type = type;
  packet.stream = std::move(buffer);
  packet.effects = std::move(effects);
  return queues_.enqueue(state_.nodes[node].system_context, std::move(packet));
}

void Scheduler::withdraw(std::uint32_t context, bool ready) {
  Context& one = state_.contexts[context];
  if (ready && one.ready && has_commands(one.software_queue.front().type)) {
    log_.waits_for_memory(one);
    queues_.withdraw(context);
  }
  // A wait on the hardware might be for what has to come first.
  Node& node = state_.node_of(one);
  if (waits_on_hardware(state_, waits_, one) && stops(state_, one) && !node.queues[one.hardware_queue].awaits_answer) {
    preemptor_.request(node, one.hardware_queue, PreemptionReason::wait_yields, {one.in_flight.front().packet.id, 0});
  }
  state_.wake(context);
}

bool Scheduler::held_up() const {
  bool held_up = false;
  state_.contexts.for_each([&](std::uint32_t, const Context& context) {
    held_up = held_up || (waits_on_hardware(state_, waits_, context) && !stops(state_, context));
  });
  return held_up;
}

void Scheduler::close(ContextId id) {
  if (!config_.caps.multi_engine_aware) return;  // others may share it
  const auto index = static_cast<std::uint32_t>(id);
  resume(id);  // nobody else would
  state_.contexts[index].closed = true;
  state_.wake(index);
}

/// At the end of a round, when nothing looks at contexts.
void Scheduler::free_closed() {
  for (const std::uint32_t index : std::exchange(closed_, {})) {
    if (!state_.contexts.contains(index)) continue;
    const Context& context = state_.contexts[index];
    if (context.awake || context.wanting) {
      closed_.push_back(index);
      continue;
    }
    turns_.forget(context, index);
    residency_.context_freed(index);
    state_.contexts.remove(index);
  }
}

bool Scheduler::preempt(ContextId id) {
  const Context& context = state_.contexts[state_.place_of(id)];
  Node& node = state_.node_of(context);
  const NodeQueue& hardware = node.queues[context.hardware_queue];
  if (context.in_flight.empty() || hardware.awaits_answer) return false;
  preemptor_.request(node, context.hardware_queue, PreemptionReason::asked,
                     {node.first_packet_id(context.hardware_queue), 0});
  round_.request();  // the request may time out
  return true;
}

}  // namespace fenceline
