// SPDX-License-Identifier: Apache-2.0
// Scheduler, the family of functions that make processes and contexts and change where they stand.
#include "scheduler/scheduler.hpp"
#include "sim/assert.hpp"
#include "sim/duration.hpp"
#include "sim/now.hpp"

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

}  // namespace

ProcessId Scheduler::create_process(const ProcessConfig& config) {
  const LogName name = log_.own_name("process " + (config.name.empty() ? "default" : config.name));
  processes_.push_back({config, name, ps_of_us(config_.time_slice_us), ps_of_us(config_.process_switch_us), false});
  for (Node& node : nodes_) node.process_turns.resize(processes_.size());
  return static_cast<ProcessId>(processes_.size() - 1);
}

ContextId Scheduler::create_context(const ContextConfig& config) {
  FENCELINE_ASSERT(config.node < nodes_.size(), std::string(name()) + ": context on a node that does not exist");
  Process& process = processes_[static_cast<std::uint32_t>(config.process)];
  if (!process.has_contexts) {
    process.has_contexts = true;
    if (config.time_slice_us) process.slice_ps = ps_of_us(*config.time_slice_us);
    if (config.process_switch_us) process.switch_ps = ps_of_us(*config.process_switch_us);
  }
  Context context;
  context.config = config;
  context.path = log_.own_name(std::string(name()) + "." + config.name);
  context.cost = cost_of(config.path);
  context.rank = rank_of(config.priority, process.config);
  ++nodes_[config.node].contexts;
  contexts_.push_back(std::move(context));
  log_rank(contexts_.back());
  return static_cast<ContextId>(contexts_.size() - 1);
}

void Scheduler::set_focus(ProcessId focus) {
  std::vector<bool> normal_waited;
  for (const Node& node : nodes_) normal_waited.push_back(normal_waits(node));
  for (std::size_t i = 0; i < processes_.size(); ++i) processes_[i].config.focus = static_cast<ProcessId>(i) == focus;
  for (Context& context : contexts_) {
    context.rank =
        rank_of(context.config.priority, processes_[static_cast<std::uint32_t>(context.config.process)].config);
    log_rank(context);
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (!normal_waited[i] && normal_waits(nodes_[i])) nodes_[i].band_ps = {};
  }
  for (std::uint32_t node = 0; node < nodes_.size(); ++node) overtake(node);
  schedule_.request();
}

/// Where the context stands from now on.
void Scheduler::log_rank(const Context& context) {
  if (!log_.enabled()) return;
  const auto band = static_cast<std::size_t>(context.rank.band);
  log_.context({context.path, nodes_[context.config.node].path,
                processes_[static_cast<std::uint32_t>(context.config.process)].name,
                static_cast<std::uint8_t>(context.rank.band), context.rank.level,
                static_cast<int>(context.rank.in_process), settings_.quantum_ps[band], settings_.grace_ps[band], 0,
                now_ps()});
}

/// Ranks have changed: what is in a hardware queue may have to go before what is ahead of it there.
void Scheduler::overtake(std::uint32_t index) {
  Node& node = nodes_[index];
  for (std::uint32_t queue = 0; queue < node.queues.size(); ++queue) {
    std::vector<Candidate> behind;
    node.engine->for_each_packet(queue, [&](const DmaPacket& packet) {
      for (const Context::InFlight& one : contexts_[packet.context].in_flight) {
        if (one.packet.id == packet.id) {
          behind.push_back(candidate(node, packet.context, packet.id, one.packet.ready_ps));
        }
      }
    });
    for (std::size_t i = 1; i < behind.size() && !node.queues[queue].preempting; ++i) attempt(index, queue, behind[i]);
  }
}

}  // namespace fenceline
