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
  for (Node& node : nodes_) node.processes.resize(processes_.size());
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
  rank(context);
  nodes_[config.node].contexts.push_back(static_cast<std::uint32_t>(contexts_.size()));
  contexts_.push_back(std::move(context));
  log_rank(contexts_.back());
  return static_cast<ContextId>(contexts_.size() - 1);
}

/// Where the context stands, and what that allows it.
void Scheduler::rank(Context& context) {
  const ContextConfig& config = context.config;
  context.rank = rank_of(config.priority, processes_[static_cast<std::uint32_t>(config.process)].config);
  context.allowance = allowance_of(config_, context.rank.band);
  if (config.quantum_us) context.allowance.quantum_ps = ps_of_us(*config.quantum_us);
  if (config.grace_us) context.allowance.grace_ps = ps_of_us(*config.grace_us);
  if (config.grace_same_priority_us) {
    context.allowance.grace_same_priority_ps = ps_of_us(*config.grace_same_priority_us);
  }
}

void Scheduler::rank_anew() {
  for (Context& context : contexts_) {
    const Rank before = context.rank;
    rank(context);
    if (!(context.rank == before)) log_rank(context);
  }
  schedule_.request();
}

/// Where the context stands from now on.
void Scheduler::log_rank(const Context& context) {
  if (!log_.enabled()) return;
  const Allowance& allowance = context.allowance;
  log_.context({context.path, nodes_[context.config.node].path,
                processes_[static_cast<std::uint32_t>(context.config.process)].name,
                static_cast<std::uint8_t>(context.rank.band), context.rank.level, context.rank.in_process,
                allowance.quantum_ps, allowance.grace_ps, allowance.grace_same_priority_ps, now_ps(),
                allowance.process_quantum_ps, allowance.process_grace_ps});
}

void Scheduler::set_focus(ProcessId focus) {
  for (std::size_t i = 0; i < processes_.size(); ++i) processes_[i].config.focus = static_cast<ProcessId>(i) == focus;
  rank_anew();
}

void Scheduler::set_priority(ProcessId process, ProcessPriority priority, std::uint32_t realtime_level) {
  ProcessConfig& config = processes_[static_cast<std::uint32_t>(process)].config;
  config.priority = priority;
  config.realtime_level = realtime_level;
  rank_anew();
}

void Scheduler::set_priority(ContextId context, std::optional<int> in_process,
                             std::optional<std::uint32_t> realtime_level) {
  ContextPriority& priority = contexts_[static_cast<std::uint32_t>(context)].config.priority;
  if (in_process) priority.in_process = in_process;
  if (realtime_level) priority.realtime_level = realtime_level;
  rank_anew();
}

}  // namespace fenceline
