// SPDX-License-Identifier: Apache-2.0
// Scheduler, the family of functions that ask engines to stop and take back what they return.
#include "scheduler/scheduler.hpp"
#include "sim/assert.hpp"
#include "sim/kernel/now.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace fenceline {
/// What waits in a hardware queue, or is being withheld from it, is judged against what runs there as if it still
/// waited in its software queue.
void Scheduler::judge_queues(std::uint32_t index) {
  Node& node = nodes_[index];
  if (node.queues.size() > 1) return;  // each holds packets of one context only
  const DmaPacket* first = node.engine->first_packet(0);
  if (first == nullptr) return;
  const std::uint32_t running = first->context;
  for (const std::uint32_t other : node.on_hardware) {
    const Context& context = contexts_[other];
    const auto waiting =
        std::find_if(context.in_flight.begin(), context.in_flight.end(),
                     [&](const Context::InFlight& one) { return !one.ended && one.packet.id != first->id; });
    if (waiting == context.in_flight.end()) continue;
    const Candidate one = candidate(node, other, waiting->packet.id, waiting->packet.ready_ps);
    if (other != running || has_to_withhold(node, 0, one)) attempt(index, 0, one);
  }
}

/// A dispatch that has groups without places has lower ones stopped that run in the node's other hardware queues.
void Scheduler::judge_places(std::uint32_t index) {
  Node& node = nodes_[index];
  if (policy_.process_slices) return;  // places go by priority; only slices stop anything
  for (std::uint32_t queue = 0; queue < node.queues.size(); ++queue) {
    const DmaPacket* first = node.queues[queue].short_of_places ? node.engine->first_packet(queue) : nullptr;
    if (first == nullptr || node.queues[queue].preempting) continue;
    const Candidate waiting = queued_candidate(node, queue, *first, true);
    for (std::uint32_t other = 0; other < node.queues.size(); ++other) {
      const DmaPacket* running = other == queue ? nullptr : node.engine->first_packet(other);
      if (running == nullptr || node.queues[other].preempting) continue;
      if (!outranks(policy_, waiting, queued_candidate(node, other, *running, true))) continue;
      attempt(index, other, waiting);
    }
  }
}

/// A packet wants to go where there is no room: of those that may be stopped for it the lowest is. True or not, the
/// answer or the next completion brings us back.
bool Scheduler::attempt_any(std::uint32_t index, const Candidate& waiting) {
  Node& node = nodes_[index];
  if (node.contexts < 2) return false;
  const Context& context = contexts_[waiting.context];
  if (!context.in_flight.empty()) return attempt(index, context.hardware_queue, waiting);  // it follows its own packets
  std::vector<Candidate> victims;
  std::vector<std::uint32_t> queues;
  for (std::uint32_t queue = 0; queue < node.queues.size(); ++queue) {
    const DmaPacket* first = node.engine->first_packet(queue);
    if (first != nullptr) {
      victims.push_back(queued_candidate(node, queue, *first, true));
      queues.push_back(queue);
    } else {
      attempt(index, queue, waiting);  // it has ended, and nobody knows yet
    }
  }
  while (!victims.empty()) {
    const std::size_t lowest = choose_victim(policy_, victims);
    if (attempt(index, queues[lowest], waiting)) return true;
    victims.erase(victims.begin() + static_cast<std::ptrdiff_t>(lowest));
    queues.erase(queues.begin() + static_cast<std::ptrdiff_t>(lowest));
  }
  return false;
}

/// How an attempt goes at this moment, before anything is asked of the engine.
Verdict Scheduler::verdict(const Node& node, std::uint32_t queue, const Candidate& waiting) const {
  const DmaPacket* first = node.engine->first_packet(queue);
  const PreemptionLevel level = node.engine->finest_level(queue);
  if (node.runlist != none && runlists_[node.runlist].switching) return {PreemptionAttempt::miss_global_block};
  if (first == nullptr) return {PreemptionAttempt::miss_next_fence};
  if (first->context == waiting.context) return {PreemptionAttempt::miss_already_running};
  if (!config_.enable_preemption || level == PreemptionLevel::none) return {PreemptionAttempt::miss_not_enabled};
  if (waiting.blocked) return {PreemptionAttempt::miss_not_making_progress};
  if (first->stream == nullptr && !config_.caps.preemption_aware) return {PreemptionAttempt::miss_fence_command};
  return judge(policy_, waiting, queued_candidate(node, queue, *first, true));
}

/// Something is queued in front of a packet of the candidate's context, behind the one that runs, that has to let it
/// pass.
bool Scheduler::has_to_withhold(const Node& node, std::uint32_t queue, const Candidate& waiting) const {
  std::optional<Candidate> running;
  bool queued = false;  // the candidate's packet
  bool in_way = false;  // something is that has to let what comes behind it pass
  bool found = false;
  node.engine->for_each_packet(queue, [&](const DmaPacket& packet) {
    if (!running) {
      running = queued_candidate(node, queue, packet, true);
      return;
    }
    if (packet.context == waiting.context) {
      queued = queued || packet.id == waiting.packet;
      found = found || in_way;
      return;
    }
    in_way = in_way || goes_before(policy_, waiting, queued_candidate(node, queue, packet, false), *running);
  });
  return queued ? found : in_way;
}

/// Whether something in the hardware queue has to give way to the packet; if so the engine is asked to stop. True: the
/// packet is not handed over now.
bool Scheduler::attempt(std::uint32_t index, std::uint32_t queue, const Candidate& waiting) {
  Node& node = nodes_[index];
  HardwareQueue& hardware = node.queues[queue];
  if (hardware.packets == 0) return false;
  if (hardware.preempting && !hardware.withholding) {
    count(node, queue, waiting, PreemptionAttempt::miss_already_preempting);
    return true;
  }
  Verdict verdict = this->verdict(node, queue, waiting);
  const bool stops = verdict.result == PreemptionAttempt::success;
  // What runs to its end all the same is not asked to; what follows it may have to be kept from the engine.
  const bool to_its_end = stops && node.engine->finest_level(queue) < PreemptionLevel::command;
  const Parties parties = {first_in(node, queue), waiting.packet};
  if (stops && !to_its_end) {
    count(node, queue, waiting, PreemptionAttempt::success);
    if (hardware.withholding) {
      hardware.withholding = false;
      hardware.asked = node.engine->finest_level(queue);
      log_request(node, queue, verdict.reason, parties);
      node.engine->deepen(queue, PreemptionLevel::shader);
    } else {
      request(index, queue, verdict.reason, parties);
    }
    return true;
  }
  if (verdict.retry_ps > 0) node.retry_ps = std::min(node.retry_ps, now_ps() + verdict.retry_ps);
  if (hardware.preempting) {
    count(node, queue, waiting, PreemptionAttempt::miss_already_preempting);
    return true;
  }
  const bool judged = stops || verdict.retry_ps > 0 || verdict.result == PreemptionAttempt::miss_less_priority ||
                      verdict.result == PreemptionAttempt::miss_already_running;
  if (judged && has_to_withhold(node, queue, waiting)) {
    count(node, queue, waiting, PreemptionAttempt::success);
    const PreemptionReason reason = stops ? verdict.reason : PreemptionReason::overtakes_queued;
    request(index, queue, reason, parties, PreemptionLevel::dma_buffer);
    return true;
  }
  count(node, queue, waiting, stops ? PreemptionAttempt::miss_no_command : verdict.result);
  return false;
}

/// The id of the packet that runs, or is about to; 0 if there is none.
std::uint64_t Scheduler::first_in(const Node& node, std::uint32_t queue) {
  const DmaPacket* first = node.engine->first_packet(queue);
  return first != nullptr ? first->id : 0;
}

/// An attempt that is made again and goes the same way, of the same packets, is the same attempt.
void Scheduler::count(Node& node, std::uint32_t queue, const Candidate& waiting, PreemptionAttempt result) {
  HardwareQueue& hardware = node.queues[queue];
  const HardwareQueue::Judged judged = {waiting.packet, first_in(node, queue), result};
  const auto [known, is_new] = hardware.judged.try_emplace(waiting.context, judged);
  if (!is_new) {
    HardwareQueue::Judged& before = known->second;
    const bool same =
        before.waiting == judged.waiting && before.running == judged.running && before.result == judged.result;
    if (same && result != PreemptionAttempt::success) return;
    before = judged;
  }
  count_attempt(node, queue, waiting.packet, result);
}

/// Of the packet `waiting`, 0: of none in particular.
void Scheduler::count_attempt(Node& node, std::uint32_t queue, std::uint64_t waiting, PreemptionAttempt result) {
  node.attempts.count(result);
  if (!log_.enabled()) return;
  const char* name = preemption_attempt_names[static_cast<std::size_t>(result)];
  log_.attempt({node.path, queue, waiting, first_in(node, queue), log_.name(name), now_ps()});
}

/// Asks the engine to stop what the hardware queue holds, not finer than `finest`.
void Scheduler::request(std::uint32_t index, std::uint32_t queue, PreemptionReason reason, const Parties& parties,
                        PreemptionLevel finest) {
  Node& node = nodes_[index];
  HardwareQueue& hardware = node.queues[queue];
  hardware.preempting = true;
  hardware.withholding = finest < PreemptionLevel::command;
  hardware.asked = std::min(finest, node.engine->finest_level(queue));
  hardware.preemption_fence_id = node.next_fence_id++;
  if (preemption_timeout_ps_ != never) hardware.overdue_ps = now_ps() + preemption_timeout_ps_;
  log_request(node, queue, reason, parties);
  node.engine->preempt(queue, finest);
}

void Scheduler::log_request(const Node& node, std::uint32_t queue, PreemptionReason reason, const Parties& parties) {
  if (!log_.enabled()) return;
  const HardwareQueue& hardware = node.queues[queue];
  log_.request({node.path, queue, hardware.preemption_fence_id, now_ps(), reason, parties.victim, parties.beneficiary,
                hardware.withholding ? log_.name("dma_buffer") : LogName{}});
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
    log_.message({Severity::warning, node.path, now_ps(),
                  fmt::format("{} has not stopped {} us after request {} to preempt (preemption_timeout_us)",
                              log_.text(path_of(contexts_[running])), config_.preemption_timeout_us,
                              hardware.preemption_fence_id)});
  }
}

bool Scheduler::preempt(ContextId id) {
  const Context& context = contexts_[static_cast<std::uint32_t>(id)];
  const Node& node = nodes_[context.config.node];
  const HardwareQueue& hardware = node.queues[context.hardware_queue];
  if (context.in_flight.empty() || hardware.preempting) return false;
  request(context.config.node, context.hardware_queue, PreemptionReason::asked,
          {first_in(node, context.hardware_queue), 0});
  return true;
}

void Scheduler::preempted(Report& report) {
  Node& node = nodes_[report.node];
  HardwareQueue& hardware = node.queues[report.queue];
  hardware.preempting = hardware.withholding = hardware.short_of_places = false;
  hardware.judged.clear();
  hardware.overdue_ps = never;
  hardware.packets -= report.packets.size();
  hardware.filling = true;
  const PreemptionReport& times = report.preemption;
  if (log_.enabled()) {
    log_.preemption({node.path, report.queue, hardware.preemption_fence_id, times.requested_ps, times.stopped_ps,
                     times.free_ps, times.saved_bytes, static_cast<std::uint32_t>(report.packets.size()), now_ps(),
                     times.drain_ps - times.requested_ps, times.saved,
                     log_.name(node.engine->level_name(hardware.asked)),
                     report.packets.empty() ? LogName{} : log_.name(node.engine->level_name(times.reached))});
  }
  // From the last to the first, so that each context gets its packets back in their order.
  for (auto dma = report.packets.rbegin(); dma != report.packets.rend(); ++dma) {
    Context& context = contexts_[dma->context];
    FENCELINE_ASSERT(!context.in_flight.empty() && context.in_flight.back().packet.id == dma->id,
                     std::string(name()) + ": " + context.config.name + " packets came back out of order");
    Context::InFlight returned = std::move(context.in_flight.back());
    context.in_flight.pop_back();
    if (context.in_flight.empty()) left_hardware(node, dma->context);
    if (dma->stopped_ps > dma->piece_started_ps) {
      rounds_ = 0;
      use(node, report.queue, *dma, dma->stopped_ps - dma->piece_started_ps);
    }
    returned.packet.progress = std::make_unique<Progress>(std::move(static_cast<Progress&>(*dma)));
    ++returned.packet.preemptions;
    for (auto signal = returned.signals.rbegin(); signal != returned.signals.rend(); ++signal) {
      context.software_queue.push_front(std::move(*signal));
    }
    node.leaving.push_back(dma->context);
    if (context.ready) withdraw(dma->context);  // what was next is behind it now
    context.software_queue.push_front(std::move(returned.packet));
    if (context.stopping && context.in_flight.empty()) suspension_over(dma->context);
    wake(dma->context);
  }
  if (node.runlist != none && runlists_[node.runlist].switching) answered(node.runlist);
}

}  // namespace fenceline
