// SPDX-License-Identifier: Apache-2.0
#include "scheduler/preemptor.hpp"

#include "sim/kernel/now.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace fenceline {

Preemptor::Preemptor(SchedulerState& state, const Candidates& candidates, const ContextLog& log)
    : s_(state),
      candidates_(candidates),
      log_(log),
      timeout_ps_(state.tdr.watches() || state.tdr.by_scheduler_timeout ? state.tdr.delay_ps : Node::never) {}

/// What waits in a hardware queue, or is being withheld from it, is judged against what runs there as if it still
/// waited in its software queue.
void Preemptor::judge_queues(Node& node) {
  if (node.queues.size() > 1) return;  // each holds packets of one context only
  const DmaPacket* first = node.engine->first_packet(0);
  if (first == nullptr) return;
  const std::uint32_t running = first->context;
  for (const std::uint32_t other : node.on_hardware) {
    const Context& context = s_.contexts[other];
    const auto waiting =
        std::find_if(context.in_flight.begin(), context.in_flight.end(),
                     [&](const Context::InFlight& one) { return !one.ended && one.packet.id != first->id; });
    if (waiting == context.in_flight.end()) continue;
    const Candidate one = candidates_.of(node, other, waiting->packet.id, waiting->packet.ready_ps);
    if (other != running || has_to_withhold(node, 0, one)) attempt(node, 0, one);
  }
}

/// A dispatch that has groups without places has lower ones stopped that run in the node's other hardware queues.
void Preemptor::judge_places(Node& node) {
  if (s_.policy.process_slices) return;  // places go by priority; only slices stop anything
  for (std::uint32_t queue = 0; queue < node.queues.size(); ++queue) {
    const DmaPacket* first = node.queues[queue].short_of_places ? node.engine->first_packet(queue) : nullptr;
    if (first == nullptr || node.queues[queue].awaits_answer) continue;
    const Candidate waiting = candidates_.queued(node, queue, *first, true);
    for (std::uint32_t other = 0; other < node.queues.size(); ++other) {
      const DmaPacket* running = other == queue ? nullptr : node.engine->first_packet(other);
      if (running == nullptr || node.queues[other].awaits_answer) continue;
      if (!outranks(s_.policy, waiting, candidates_.queued(node, other, *running, true))) continue;
      attempt(node, other, waiting);
    }
  }
}

void Preemptor::attempt_any(Node& node, const Candidate& waiting) {
  if (node.contexts < 2) return;
  const Context& context = s_.contexts[waiting.context];
  if (!context.in_flight.empty()) {  // it follows its own packets
    attempt(node, context.hardware_queue, waiting);
    return;
  }
  std::vector<Candidate> victims;
  std::vector<std::uint32_t> queues;
  for (std::uint32_t queue = 0; queue < node.queues.size(); ++queue) {
    const DmaPacket* first = node.engine->first_packet(queue);
    if (first != nullptr) {
      victims.push_back(candidates_.queued(node, queue, *first, true));
      queues.push_back(queue);
    } else {
      attempt(node, queue, waiting);  // it has ended, and nobody knows yet
    }
  }
  while (!victims.empty()) {
    const std::size_t lowest = choose_victim(s_.policy, victims);
    if (attempt(node, queues[lowest], waiting, false)) return;
    victims.erase(victims.begin() + static_cast<std::ptrdiff_t>(lowest));
    queues.erase(queues.begin() + static_cast<std::ptrdiff_t>(lowest));
  }
}

/// How an attempt goes at this moment, before anything is asked of the engine.
PreemptionVerdict Preemptor::verdict(const Node& node, std::uint32_t queue, const Candidate& waiting) const {
  const DmaPacket* first = node.engine->first_packet(queue);
  const PreemptionLevel level = node.engine->finest_level(queue);
  if (node.runlist != Node::none && s_.runlists[node.runlist].switching) return {PreemptionAttempt::miss_global_block};
  if (first == nullptr) return {PreemptionAttempt::miss_next_fence};
  if (first->context == waiting.context) return {PreemptionAttempt::miss_already_running};
  if (!s_.config.enable_preemption || level == PreemptionLevel::none) return {PreemptionAttempt::miss_not_enabled};
  if (waiting.blocked) return {PreemptionAttempt::miss_not_making_progress};
  if (first->stream == nullptr && !s_.config.caps.preemption_aware) return {PreemptionAttempt::miss_fence_command};
  return judge(s_.policy, waiting, candidates_.queued(node, queue, *first, true));
}

/// Something is queued in front of a packet of the candidate's context, behind the one that runs, that has to let it
/// pass.
bool Preemptor::has_to_withhold(const Node& node, std::uint32_t queue, const Candidate& waiting) const {
  std::optional<Candidate> running;
  bool queued = false;  // the candidate's packet
  bool in_way = false;  // something is that has to let what comes behind it pass
  bool found = false;
  node.engine->for_each_packet(queue, [&](const DmaPacket& packet) {
    if (!running) {
      running = candidates_.queued(node, queue, packet, true);
      return;
    }
    if (packet.context == waiting.context) {
      queued = queued || packet.id == waiting.packet;
      found = found || in_way;
      return;
    }
    in_way = in_way || goes_before(s_.policy, waiting, candidates_.queued(node, queue, packet, false), *running);
  });
  return queued ? found : in_way;
}

bool Preemptor::attempt(Node& node, std::uint32_t queue, const Candidate& waiting, bool has_place) {
  NodeQueue& hardware = node.queues[queue];
  if (hardware.packets == 0) return false;
  if (hardware.awaits_answer && !hardware.withholding) {
    count(node, queue, waiting, PreemptionAttempt::miss_already_preempting);
    return true;
  }
  const PreemptionVerdict found = verdict(node, queue, waiting);
  const bool stops = found.result == PreemptionAttempt::success;
  // What runs to its end all the same is not asked to; what follows it may have to be kept from the engine.
  const bool to_its_end = stops && !traits_of(node.engine->finest_level(queue)).has(level_rule::stops_packets);
  const Parties parties = {node.first_packet_id(queue), waiting.packet};
  if (stops && !to_its_end) {
    count(node, queue, waiting, PreemptionAttempt::success);
    if (hardware.withholding) {
      deepen(node, queue, found.reason, parties);
    } else {
      request(node, queue, found.reason, parties);
    }
    return true;
  }
  if (found.retry_ps > 0) node.retry_ps = std::min(node.retry_ps, now_ps() + found.retry_ps);
  if (hardware.awaits_answer) {
    count(node, queue, waiting, PreemptionAttempt::miss_already_preempting);
    return true;
  }
  const bool judged = stops || found.retry_ps > 0 || found.result == PreemptionAttempt::miss_less_priority ||
                      found.result == PreemptionAttempt::miss_already_running;
  // What runs to its end is asked to stop all the same where nothing more can come behind it: how long it takes to
  // answer is known then (rule 2 of docs/recovery.md). In the Windows 7 model no request is timed.
  const bool ends_first = s_.config.caps.preemption_aware && stops && !has_place && hardware.packets == 1;
  if (ends_first || (judged && has_to_withhold(node, queue, waiting))) {
    count(node, queue, waiting, PreemptionAttempt::success);
    const PreemptionReason reason = stops ? found.reason : PreemptionReason::overtakes_queued;
    request(node, queue, reason, parties, PreemptionLevel::dma_buffer);
    return true;
  }
  count(node, queue, waiting, miss_of(node, queue, stops ? PreemptionAttempt::miss_no_command : found.result));
  return false;
}

/// Why it misses: what D3DKMT's order of reasons has before `miss` is that a piece of a list that is split runs, in the
/// Windows 7 model, where nobody comes between pieces.
PreemptionAttempt Preemptor::miss_of(const Node& node, std::uint32_t queue, PreemptionAttempt miss) const {
  const bool earlier = miss == PreemptionAttempt::miss_not_enabled || miss == PreemptionAttempt::miss_next_fence ||
                       miss == PreemptionAttempt::miss_global_block || miss == PreemptionAttempt::miss_already_running;
  if (s_.config.caps.preemption_aware || earlier) return miss;
  const DmaPacket* first = node.engine->first_packet(queue);
  const bool piece = first != nullptr && first->stream != nullptr && first->piece_end != Progress::whole;
  return piece ? PreemptionAttempt::miss_splitted_command : miss;
}

/// An attempt that is made again and goes the same way, of the same packets, is the same attempt.
void Preemptor::count(Node& node, std::uint32_t queue, const Candidate& waiting, PreemptionAttempt result) {
  NodeQueue& hardware = node.queues[queue];
  const NodeQueue::Judged judged = {waiting.packet, node.first_packet_id(queue), result};
  const auto [known, is_new] = hardware.judged.try_emplace(waiting.context, judged);
  if (!is_new) {
    NodeQueue::Judged& before = known->second;
    const bool same =
        before.waiting == judged.waiting && before.running == judged.running && before.result == judged.result;
    if (same && result != PreemptionAttempt::success) return;
    before = judged;
  }
  count_attempt(node, queue, waiting.packet, result);
}

void Preemptor::count_attempt(Node& node, std::uint32_t queue, std::uint64_t waiting, PreemptionAttempt result) {
  node.attempts.count(result);
  if (!s_.log.enabled()) return;
  const char* name = preemption_attempt_names[static_cast<std::size_t>(result)];
  s_.log.attempt({node.log_name, queue, waiting, node.first_packet_id(queue), s_.log.name(name), now_ps()});
}

void Preemptor::request(Node& node, std::uint32_t queue, PreemptionReason reason, const Parties& parties,
                        PreemptionLevel finest) {
  NodeQueue& hardware = node.queues[queue];
  hardware.awaits_answer = true;
  hardware.withholding = !traits_of(finest).has(level_rule::stops_packets);
  hardware.asked = std::min(finest, node.engine->finest_level(queue));
  hardware.preemption_fence_id = node.next_fence_id++;
  if (timeout_ps_ != Node::never) hardware.overdue_ps = now_ps() + timeout_ps_;
  hardware.requested_ps = now_ps();
  hardware.reason = reason;
  log_request(node, queue, reason, parties);
  node.engine->preempt(queue, finest);
}

bool Preemptor::only_withholds(const Node& node, std::uint32_t queue) const {
  if (!node.queues[queue].withholding || node.engine->first_packet(queue) == nullptr) return false;
  return traits_of(node.engine->finest_level(queue)).has(level_rule::stops_packets);
}

void Preemptor::deepen(Node& node, std::uint32_t queue, PreemptionReason reason, const Parties& parties) {
  NodeQueue& hardware = node.queues[queue];
  hardware.withholding = false;
  hardware.asked = node.engine->finest_level(queue);
  log_request(node, queue, reason, parties);
  node.engine->deepen(queue, finest_preemption_level);
}

void Preemptor::log_request(const Node& node, std::uint32_t queue, PreemptionReason reason, const Parties& parties) {
  if (!s_.log.enabled()) return;
  const NodeQueue& hardware = node.queues[queue];
  s_.log.request({node.log_name, queue, hardware.preemption_fence_id, now_ps(), reason, parties.victim,
                  parties.beneficiary, hardware.withholding ? s_.log.name("dma_buffer") : LogName{}});
}

/// Xe's preemption timeout, where it is no timeout that resets the engine.
void Preemptor::warn_overdue(Node& node) {
  for (std::uint32_t queue = 0; queue < node.queues.size(); ++queue) {
    NodeQueue& hardware = node.queues[queue];
    if (hardware.overdue_ps == Node::never || hardware.overdue_ps > now_ps()) continue;
    hardware.overdue_ps = Node::never;
    const DmaPacket* running = node.engine->first_packet(queue);
    if (!s_.log.enabled() || running == nullptr) continue;
    s_.log.message({Severity::warning, node.log_name, now_ps(),
                    fmt::format("{} has not stopped {} us after request {} to preempt (preemption_timeout_us)",
                                s_.log.text(log_.log_name_of(s_.contexts[running->context])),
                                s_.config.preemption_timeout_us, hardware.preemption_fence_id)});
  }
}

/// A wait on the hardware that holds up other contexts gives way to them, and waits in its software queue from then on:
/// what it waits for may be among them. Source: GPU preemption, hardware-based waits "must support the ability to
/// preempt a wait instruction before the wait condition is satisfied".
void Preemptor::yield_waits(Node& node) {
  for (std::uint32_t queue = 0; queue < node.queues.size(); ++queue) {
    if (node.queues[queue].awaits_answer) continue;
    const DmaPacket* wait = nullptr;
    bool holds_others = false;
    node.engine->for_each_packet(queue, [&](const DmaPacket& packet) {
      if (wait == nullptr) wait = &packet;
      holds_others = holds_others || packet.context != wait->context;
    });
    if (wait == nullptr || wait->stream != nullptr || wait->released) continue;
    holds_others = holds_others || candidates_.others_may_run(node, wait->context);
    if (!holds_others || node.engine->finest_level(queue) == PreemptionLevel::none) continue;
    count_attempt(node, queue, 0, PreemptionAttempt::success);
    request(node, queue, PreemptionReason::wait_yields, {wait->id, 0});
  }
}

}  // namespace fenceline
