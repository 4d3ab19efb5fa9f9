// SPDX-License-Identifier: Apache-2.0
// Scheduler, the family of functions that ask engines to stop and take back what they return.
#include "scheduler/scheduler.hpp"
#include "sim/assert.hpp"
#include "sim/now.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fenceline {
/// A packet wants to go where there is no room. True or not, the answer or the next completion brings us back.
void Scheduler::attempt_any(std::uint32_t index, const Candidate& waiting, const Context& context) {
  Node& node = nodes_[index];
  if (node.contexts < 2) return;
  for (std::uint32_t queue = 0; queue < node.queues.size(); ++queue) {
    if (!context.in_flight.empty() && context.hardware_queue != queue) continue;  // it follows its own packets
    if (attempt(index, queue, waiting)) return;
  }
}

/// Whether something in the hardware queue has to give way to the packet; if so the engine is asked to stop.
bool Scheduler::attempt(std::uint32_t index, std::uint32_t queue, const Candidate& waiting) {
  Node& node = nodes_[index];
  HardwareQueue& hardware = node.queues[queue];
  if (hardware.packets == 0) return false;
  if (hardware.preempting) {
    count_attempt(node, queue, waiting.packet, PreemptionAttempt::miss_already_preempting);
    return true;
  }
  const PreemptionLevel level = node.engine->finest_level(queue);
  Verdict best;
  PreemptionReason reason = PreemptionReason::higher_rank;
  std::uint64_t victim = 0;
  best.result = PreemptionAttempt::miss_no_command;
  bool first = true;
  std::uint64_t retry_ps = 0;
  node.engine->for_each_packet(queue, [&](const DmaPacket& packet) {
    const bool running = std::exchange(first, false);
    if (best.result == PreemptionAttempt::success) return;
    // It would run to its end all the same. Where nothing can be stopped, what follows it is kept from the engine.
    if (running && level == PreemptionLevel::dma_buffer) return;
    if (running && packet.stream == nullptr && !config_.caps.preemption_aware) {
      best.result = PreemptionAttempt::miss_fence_command;
      return;
    }
    Candidate other = candidate(node, packet.context, packet.id, now_ps());
    if (running) {
      const std::uint64_t since_ps = now_ps() - node.engine->running_since_ps(queue).value_or(now_ps());
      other.context_turn.used_ps += since_ps;
      other.process_turn.used_ps += since_ps;
    }
    const Verdict verdict = judge(settings_, waiting, other);
    if (verdict.retry_ps > 0) retry_ps = retry_ps == 0 ? verdict.retry_ps : std::min(retry_ps, verdict.retry_ps);
    best = verdict;
    victim = packet.id;
    const bool equal = other.rank.band == waiting.rank.band && other.rank.level == waiting.rank.level &&
                       (other.process != waiting.process || other.rank.in_process == waiting.rank.in_process);
    reason = !running          ? PreemptionReason::overtakes_queued
             : equal           ? PreemptionReason::quantum
             : waiting.starved ? PreemptionReason::floor
                               : PreemptionReason::higher_rank;
  });
  if (best.result == PreemptionAttempt::success && !config_.enable_preemption) {
    best.result = PreemptionAttempt::miss_not_enabled;
  }
  count_attempt(node, queue, waiting.packet, best.result);
  if (best.result == PreemptionAttempt::success) {
    request(index, queue, reason, victim, waiting.packet);
    return true;
  }
  if (retry_ps > 0) node.retry_ps = std::min(node.retry_ps, now_ps() + retry_ps);
  return false;
}

/// An attempt of the packet `waiting`, 0: of none in particular.
void Scheduler::count_attempt(Node& node, std::uint32_t queue, std::uint64_t waiting, PreemptionAttempt result) {
  node.attempts.count(result);
  if (!log_.enabled()) return;
  std::uint64_t first = 0;
  node.engine->for_each_packet(queue, [&](const DmaPacket& packet) {
    if (first == 0) first = packet.id;
  });
  const char* name = preemption_attempt_names[static_cast<std::size_t>(result)];
  log_.attempt({node.path, queue, waiting, first, log_.name(name), now_ps()});
}

void Scheduler::request(std::uint32_t index, std::uint32_t queue, PreemptionReason reason, std::uint64_t victim,
                        std::uint64_t beneficiary) {
  Node& node = nodes_[index];
  HardwareQueue& hardware = node.queues[queue];
  hardware.preempting = true;
  hardware.preemption_fence_id = node.next_fence_id++;
  if (preemption_timeout_ps_ != never) hardware.overdue_ps = now_ps() + preemption_timeout_ps_;
  if (log_.enabled()) {
    log_.request({node.path, queue, hardware.preemption_fence_id, now_ps(), reason, victim, beneficiary});
  }
  node.engine->preempt(queue);
}

/// Xe's preemption timeout. There the engine is reset then; here somebody is told.
void Scheduler::warn_overdue(Node& node) {
  for (std::uint32_t queue = 0; queue < node.queues.size(); ++queue) {
    HardwareQueue& hardware = node.queues[queue];
    if (hardware.overdue_ps > now_ps()) continue;
    hardware.overdue_ps = never;
    std::uint32_t running = none;
    node.engine->for_each_packet(queue, [&](const DmaPacket& packet) {
      if (running == none) running = packet.context;
    });
    if (!log_.enabled() || running == none) continue;
    log_.message(
        {Severity::warning, node.path, now_ps(),
         fmt::format("{} has not stopped {} us after request {} to preempt (preemption_timeout_us)",
                     log_.text(contexts_[running].path), config_.preemption_timeout_us, hardware.preemption_fence_id)});
  }
}

bool Scheduler::preempt(ContextId id) {
  const Context& context = contexts_[static_cast<std::uint32_t>(id)];
  const HardwareQueue& hardware = nodes_[context.config.node].queues[context.hardware_queue];
  if (context.in_flight.empty() || hardware.preempting) return false;
  request(context.config.node, context.hardware_queue, PreemptionReason::asked, context.in_flight.front().packet.id);
  return true;
}

void Scheduler::preempted(Report& report) {
  Node& node = nodes_[report.node];
  HardwareQueue& hardware = node.queues[report.queue];
  hardware.preempting = false;
  hardware.overdue_ps = never;
  hardware.packets -= report.packets.size();
  hardware.filling = true;
  const PreemptionReport& times = report.preemption;
  if (log_.enabled()) {
    log_.preemption({node.path, report.queue, hardware.preemption_fence_id, times.requested_ps, times.stopped_ps,
                     times.free_ps, times.saved_bytes, static_cast<std::uint32_t>(report.packets.size()), now_ps()});
  }
  // From the last to the first, so that each context gets its packets back in their order.
  for (auto dma = report.packets.rbegin(); dma != report.packets.rend(); ++dma) {
    Context& context = contexts_[dma->context];
    FENCELINE_ASSERT(!context.in_flight.empty() && context.in_flight.back().packet.id == dma->id,
                     std::string(name()) + ": " + context.config.name + " packets came back out of order");
    Context::InFlight returned = std::move(context.in_flight.back());
    context.in_flight.pop_back();
    if (dma->stopped_ps > dma->piece_started_ps) use(node, context, dma->stopped_ps - dma->piece_started_ps);
    returned.packet.progress = std::move(static_cast<Progress&>(*dma));
    ++returned.packet.preemptions;
    for (auto signal = returned.signals.rbegin(); signal != returned.signals.rend(); ++signal) {
      context.software_queue.push_front(std::move(*signal));
    }
    if (context.ready) withdraw(dma->context);  // what was next is behind it now
    context.software_queue.push_front(std::move(returned.packet));
    if (context.stopping && context.in_flight.empty()) suspension_over(dma->context);
    wake(dma->context);
  }
  if (node.runlist != none && runlists_[node.runlist].switching) answered(node.runlist);
}

/// The context has had so much of the engine.
void Scheduler::use(Node& node, Context& context, std::uint64_t engine_ps) {
  context.turn.used_ps += engine_ps;
  node.process_turns[static_cast<std::uint32_t>(context.config.process)].used_ps += engine_ps;
  node.band_ps[static_cast<std::size_t>(context.rank.band)] += engine_ps;
}

}  // namespace fenceline
