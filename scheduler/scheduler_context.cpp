// SPDX-License-Identifier: Apache-2.0
// Scheduler, the family of functions that make processes and contexts and change where they stand.
#include "scheduler/scheduler.hpp"
#include "sim/assert.hpp"
#include "sim/duration.hpp"
#include "sim/kernel/now.hpp"

#include <algorithm>
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
  context.cost = cost_of(config.path);
  rank(context);
  log_rank(context);
  const std::uint32_t index = contexts_.add(std::move(context));
  Node& node = nodes_[config.node];
  if (node.contexts++ == 0) node.first_context = index;
  return static_cast<ContextId>(index);
}

/// Names live as long as the log: what nobody listens to gets none.
LogName Scheduler::path_of(const Context& context) const {
  if (context.path == LogName{}) context.path = log_.own_name(std::string(name()) + "." + context.config.name);
  return context.path;
}

void Scheduler::close(ContextId id) {
  const auto index = static_cast<std::uint32_t>(id);
  resume(id);  // nobody else would
  contexts_[index].closed = true;
  wake(index);
}

/// Something of the context is complete.
void Scheduler::close_if_done(std::uint32_t index) {
  const Context& context = contexts_[index];
  if (context.closed && context.software_queue.empty() && context.in_flight.empty()) closed_.push_back(index);
}

/// At the end of a round, when nothing looks at contexts.
void Scheduler::free_closed() {
  for (const std::uint32_t index : std::exchange(closed_, {})) {
    if (!contexts_.contains(index)) continue;
    const Context& context = contexts_[index];
    if (context.awake || context.wanting) {
      closed_.push_back(index);
      continue;
    }
    Node& node = nodes_[context.config.node];
    const std::uint32_t peers =
        context_peers(policy_, context.rank, static_cast<std::uint32_t>(context.config.process)).process;
    for (HardwareQueue& queue : node.queues) {
      queue.turns.end(peers, index);
      queue.judged.erase(index);
    }
    contexts_.remove(index);
  }
}

/// Where the context stands, and what that allows it.
void Scheduler::rank(Context& context) {
  const ContextConfig& config = context.config;
  const Process& process = processes_[static_cast<std::uint32_t>(config.process)];
  ProcessConfig standing = process.config;
  standing.focus = standing.focus && !process.outstayed;
  context.rank = rank_of(config.priority, standing);
  context.allowance = allowance_of(config_, context.rank.band);
  if (config.quantum_us) context.allowance.quantum_ps = ps_of_us(*config.quantum_us);
  if (config.grace_us) context.allowance.grace_ps = ps_of_us(*config.grace_us);
  if (config.grace_same_priority_us) {
    context.allowance.grace_same_priority_ps = ps_of_us(*config.grace_same_priority_us);
  }
}

void Scheduler::rank_anew() {
  contexts_.for_each([&](std::uint32_t index, Context& context) {
    const Rank before = context.rank;
    rank(context);
    if (context.rank == before) return;
    log_rank(context);
    Node& node = nodes_[context.config.node];
    if (context.wanting) {
      --node.wanting[static_cast<std::size_t>(before.band)];
      ++node.wanting[static_cast<std::size_t>(context.rank.band)];
      node.processes[static_cast<std::uint32_t>(context.config.process)].move(height_of(before),
                                                                              height_of(context.rank));
    }
    if (context.ready) node.ready.update(ready_context(node, index));
    if (context.in_flight.empty()) return;
    node.engine->rerank(index, array_priority(policy_, context.rank), context.rank.in_process);
  });
  schedule_.request();
}

/// Where the context stands from now on.
void Scheduler::log_rank(const Context& context) {
  if (!log_.enabled()) return;
  const Allowance& allowance = context.allowance;
  log_.context({path_of(context), nodes_[context.config.node].path,
                processes_[static_cast<std::uint32_t>(context.config.process)].name,
                static_cast<std::uint8_t>(context.rank.band), context.rank.level, context.rank.in_process,
                allowance.quantum_ps, allowance.grace_ps, allowance.grace_same_priority_ps, now_ps(),
                allowance.process_quantum_ps, allowance.process_grace_ps});
}

void Scheduler::set_focus(ProcessId focus) {
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    Process& process = processes_[i];
    const bool gets = static_cast<ProcessId>(i) == focus;
    if (gets && !process.config.focus) begin_focus(process);
    process.outstayed = process.outstayed && gets && process.config.focus;
    process.config.focus = gets;
  }
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

/// A process with the focus that has used the engines for long without a present ranks as if it had none.
void Scheduler::judge_focus() {
  outstays_ps_ = never;
  if (!config_.focus_quantum_without_present_us || !policy_.bands) return;
  const std::uint64_t most_ps = ps_of_us(*config_.focus_quantum_without_present_us);
  for (std::uint32_t i = 0; i < processes_.size(); ++i) {
    Process& process = processes_[i];
    if (!process.config.focus || process.outstayed) continue;
    std::uint64_t used_ps = process.without_present_ps;
    std::uint64_t running = 0;
    for (const Node& node : nodes_) {
      for (std::uint32_t queue = 0; queue < node.queues.size(); ++queue) {
        const DmaPacket* first = node.engine->first_packet(queue);
        const auto since_ps = node.engine->running_since_ps(queue);
        if (first == nullptr || !since_ps || first->process != i) continue;
        used_ps += now_ps() - std::max(*since_ps, process.counted_from_ps);
        ++running;
      }
    }
    if (used_ps >= most_ps) {
      process.outstayed = true;
      rank_anew();
    } else if (running > 0) {
      outstays_ps_ = now_ps() + (most_ps - used_ps + running - 1) / running;
    }
  }
}

/// Its time without a present counts from now on.
void Scheduler::begin_focus(Process& process) {
  process.without_present_ps = 0;
  process.counted_from_ps = now_ps();
}

/// Of the process with the focus everything before a present is complete.
void Scheduler::focus_presents(Process& process) {
  begin_focus(process);
  if (std::exchange(process.outstayed, false)) rank_anew();
  if (!config_.focus_yields) return;
  for (Node& node : nodes_) {
    count_floor(node);
    node.floor.yield();
  }
  schedule_.request();
}

}  // namespace fenceline
