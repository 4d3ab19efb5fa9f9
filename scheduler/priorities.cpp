// SPDX-License-Identifier: Apache-2.0
#include "scheduler/priorities.hpp"

#include "sim/duration.hpp"
#include "sim/kernel/now.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace fenceline {

void Priorities::rank(Context& context) const {
  const ContextConfig& config = context.config;
  const Process& process = s_.process_of(context);
  ProcessConfig standing = process.config;
  standing.focus = standing.focus && !process.outstayed;
  context.rank = rank_of(config.priority, standing);
  context.allowance = allowance_of(s_.config, context.rank.band);
  if (config.quantum_us) context.allowance.quantum_ps = ps_of_us(*config.quantum_us);
  if (config.grace_us) context.allowance.grace_ps = ps_of_us(*config.grace_us);
  if (config.grace_same_priority_us) {
    context.allowance.grace_same_priority_ps = ps_of_us(*config.grace_same_priority_us);
  }
}

void Priorities::rank_anew() {
  s_.contexts.for_each([&](std::uint32_t index, Context& context) {
    const Rank before = context.rank;
    rank(context);
    if (context.rank == before) return;
    log_.rank(context);
    turns_.moved(context, index, before);
    if (context.in_flight.empty()) return;
    s_.node_of(context).engine->rerank(index, array_priority(s_.policy, context.rank), context.rank.in_process);
  });
  s_.round.request();
}

void Priorities::allow_anew() {
  s_.contexts.for_each([&](std::uint32_t, Context& context) {
    rank(context);
    log_.rank(context);
  });
  s_.round.request();
}

void Priorities::set_focus(ProcessId focus) {
  for (std::size_t i = 0; i < s_.processes.size(); ++i) {
    Process& process = s_.processes[i];
    const bool gets = static_cast<ProcessId>(i) == focus;
    if (gets && !process.config.focus) begin_focus(process);
    process.outstayed = process.outstayed && gets && process.config.focus;
    process.config.focus = gets;
  }
  rank_anew();
}

void Priorities::set_priority(ProcessId process, ProcessPriority priority, std::uint32_t realtime_level) {
  ProcessConfig& config = s_.processes[static_cast<std::uint32_t>(process)].config;
  config.priority = priority;
  config.realtime_level = realtime_level;
  rank_anew();
}

void Priorities::set_priority(ContextId context, std::optional<int> in_process,
                              std::optional<std::uint32_t> realtime_level) {
  const auto index = static_cast<std::uint32_t>(context);
  const std::uint32_t place = s_.contexts[index].shared.value_or(index);
  s_.contexts.for_each([&](std::uint32_t other, Context& one) {  // with those that share it
    if (one.shared.value_or(other) != place) return;
    if (in_process) one.config.priority.in_process = in_process;
    if (realtime_level) one.config.priority.realtime_level = realtime_level;
  });
  rank_anew();
}

void Priorities::change(ContextId context, const ContextConfig& standing) {
  const auto index = static_cast<std::uint32_t>(context);
  const std::uint32_t place = s_.contexts[index].shared.value_or(index);
  s_.contexts.for_each([&](std::uint32_t other, Context& one) {
    if (one.shared.value_or(other) != place) return;
    one.config.priority = standing.priority;
    one.config.quantum_us = standing.quantum_us;
    one.config.grace_us = standing.grace_us;
    one.config.grace_same_priority_us = standing.grace_same_priority_us;
  });
  rank_anew();
  allow_anew();
}

/// A process with the focus that has used the engines for long without a present ranks as if it had none.
void Priorities::judge_focus() {
  outstays_ps_ = Timer::never;
  if (!s_.config.focus_quantum_without_present_us || !s_.policy.bands) return;
  const std::uint64_t most_ps = ps_of_us(*s_.config.focus_quantum_without_present_us);
  for (std::uint32_t i = 0; i < s_.processes.size(); ++i) {
    Process& process = s_.processes[i];
    if (!process.config.focus || process.outstayed) continue;
    std::uint64_t used_ps = process.without_present_ps;
    std::uint64_t running = 0;
    for (const Node& node : s_.nodes) {
      for (std::uint32_t queue = 0; queue < node.queues.size(); ++queue) {
        const DmaPacket* first = node.engine->first_packet(queue);
        const auto since_ps = node.engine->running_since_ps(queue);
        if (first == nullptr || !since_ps || first->process != i) continue;
        const std::uint64_t until_ps = node.engine->running_until_ps(queue);
        used_ps += until_ps - std::min(until_ps, std::max(*since_ps, process.counted_from_ps));
        if (until_ps == now_ps()) ++running;
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
void Priorities::begin_focus(Process& process) {
  process.without_present_ps = 0;
  process.counted_from_ps = now_ps();
}

/// Of the process with the focus everything before a present is complete.
void Priorities::presents(Process& process) {
  begin_focus(process);
  if (std::exchange(process.outstayed, false)) rank_anew();
  if (!s_.config.focus_yields) return;
  for (Node& node : s_.nodes) {
    turns_.count_floor(node);
    node.floor.yield();
  }
  s_.round.request();
}

}  // namespace fenceline
