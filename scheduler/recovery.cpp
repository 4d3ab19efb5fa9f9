// SPDX-License-Identifier: Apache-2.0
#include "scheduler/recovery.hpp"

#include "sim/kernel/kernel.hpp"
#include "sim/kernel/now.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fenceline {

using Step = RecoveryRecord::Step;

namespace {

WatchedQueue watched(const Numbered<Context>& contexts, const Node& node, std::uint32_t queue) {
  const NodeQueue& hardware = node.queues[queue];
  WatchedQueue one;
  one.asked = hardware.awaits_answer;
  const DmaPacket* first = node.engine->first_packet(queue);
  if (first == nullptr) return one;  // a request is about to be answered
  if (node.engine->preempting(queue)) one.answer_due_ps = hardware.overdue_ps;
  const Context& context = contexts[first->context];
  // However slow paging is, it does not time out unless it hangs.
  one.exempt = context.config.disable_gpu_timeout && !(is_paging(context.rank) && node.engine->stuck(queue));
  const Phase phase = node.engine->phase(queue);
  const bool runs = phase == Phase::running || phase == Phase::halting;
  if (runs && first->stream != nullptr && hardware.timed_out != first->id) {
    one.running_since_ps = node.engine->running_since_ps(queue);
  }
  return one;
}

}  // namespace

std::uint64_t Recovery::next_ps() {
  watch_from_ps_ = s_.tdr.watches() ? next_timeout_ps() : Node::never;
  std::uint64_t next_ps = watch_from_ps_;
  for (const ResetEpisode& episode : episodes_) {
    if (episode.pending == 0) next_ps = std::min(next_ps, std::max(episode.due_ps, now_ps()));
  }
  return next_ps;
}

std::uint64_t Recovery::next_timeout_ps() const {
  std::uint64_t next_ps = Node::never;
  for (const Node& node : s_.nodes) {
    if (node.held > 0 || node.on_hardware.empty()) continue;
    for (std::uint32_t queue = 0; queue < node.queues.size(); ++queue) {
      if (node.queues[queue].packets == 0) continue;
      WatchedQueue one = watched(s_.contexts, node, queue);
      const DmaPacket* first = node.engine->first_packet(queue);
      // One that is about to run does not run out before this.
      const bool begins = first != nullptr && first->stream != nullptr && !one.running_since_ps &&
                          node.queues[queue].timed_out != first->id;
      if (begins) one.running_since_ps = now_ps();
      // One that has come to what hangs may have run out before.
      next_ps = std::min(next_ps, std::max(watched_until(s_.tdr, one), now_ps()));
    }
  }
  return next_ps;
}

void Recovery::consider(bool settled) {
  if (episodes_.empty() && !s_.tdr.watches()) return;
  if (!settled && now_ps() == 0) return;
  const std::uint64_t until_ps = settled ? now_ps() : now_ps() - 1;
  for (ResetEpisode& episode : episodes_) {
    if (episode.stage != ResetEpisode::Stage::over) advance(episode, until_ps);
    if (bugchecked_) return;
  }
  episodes_.remove_if([](const ResetEpisode& one) { return one.stage == ResetEpisode::Stage::over; });
  if (!s_.tdr.watches() || until_ps < watch_from_ps_) return;
  for (std::uint32_t node = 0; node < s_.nodes.size(); ++node) {
    if (s_.nodes[node].on_hardware.empty()) continue;
    for (std::uint32_t queue = 0; queue < s_.nodes[node].queues.size(); ++queue) {
      if (s_.nodes[node].held == 0 && s_.nodes[node].queues[queue].packets > 0) judge(node, queue, until_ps);
      if (bugchecked_) return;
    }
  }
}

void Recovery::judge(std::uint32_t index, std::uint32_t queue, std::uint64_t until_ps) {
  Node& node = s_.nodes[index];
  NodeQueue& hardware = node.queues[queue];
  switch (watch(s_.tdr, watched(s_.contexts, node, queue), until_ps)) {
    case Watched::nothing: break;
    case Watched::let_go: hardware.overdue_ps = NodeQueue::never; break;
    case Watched::too_long:
      preemptor_.request(node, queue, PreemptionReason::watchdog, {node.first_packet_id(queue), 0});
      break;
    case Watched::timeout:
      begin(index, queue, Step::timeout,
            s_.tdr.preemption_aware ? s_.log.name(name_of(hardware.reason)) : s_.log.name("watchdog"), false);
      break;
  }
}

void Recovery::page_fault(std::uint32_t index, std::uint32_t queue, std::uint64_t fence_id) {
  const Node& node = s_.nodes[index];
  const DmaPacket* first = node.engine->first_packet(queue);
  if (node.held > 0 || first == nullptr || first->submission_fence_id != fence_id) return;  // it is reset already
  const auto& command = std::get<PageFault>(first->stream->commands[first->cursor.command]);
  const FaultingAccess& access = first->stream->faulting_accesses[command.access];
  s_.processes[first->process].fault = access;
  begin(index, queue, Step::page_fault, s_.log.name(access.write ? "write" : "read"), access.adapter_reset);
}

void Recovery::begin(std::uint32_t index, std::uint32_t queue, Step step, LogName reason, bool resets_adapter) {
  Node& node = s_.nodes[index];
  NodeQueue& hardware = node.queues[queue];
  const DmaPacket& first = *node.engine->first_packet(queue);
  const Context& context = s_.contexts[first.context];
  ResetEpisode episode{};
  episode.number = ++last_episode_;
  episode.node = index;
  episode.queue = queue;
  episode.process = first.process;
  episode.timeout = step == Step::timeout;
  episode.adapter = resets_adapter || s_.tdr.engine_reset != EngineResets::supported;
  episode.began_ps = now_ps();
  RecoveryRecord record{step, episode.number, now_ps()};
  record.node = node.log_name;
  record.hardware_queue = queue;
  record.process = s_.device_name(first.process);
  record.queue = log_.log_name_of(context);
  record.packet = first.id;
  record.fence_id = first.submission_fence_id;
  record.last_submitted = hardware.last_submitted;
  record.last_completed = node.engine->last_completed(queue);
  record.reason = reason;
  if (hardware.awaits_answer) record.requested_ps = hardware.requested_ps;
  record.list = s_.log.name(first.stream != nullptr ? first.stream->name : "wait");
  if (!episode.timeout) {
    const auto& fault = std::get<PageFault>(first.stream->commands[first.cursor.command]);
    const FaultingAccess& access = first.stream->faulting_accesses[fault.access];
    record.command_index = first.cursor.command;
    record.command = s_.log.name("PageFault");
    record.address = access.address;
    if (!access.resource.empty()) record.resource = s_.log.name(access.resource);
  }
  s_.log.recovery(record);
  s_.rounds = 0;
  hardware.overdue_ps = NodeQueue::never;
  if (episode.timeout && s_.tdr.debug_mode == TdrDebugMode::ignore) {
    hardware.timed_out = first.id;
    return;
  }
  if (episode.timeout && s_.tdr.level == TdrLevel::bugcheck) {
    bugcheck(episode);
    return;
  }
  flush(episode, index);
  if (node.engine->packets_in(queue) == 0) {
    this->record(episode, Step::no_reset, index, queue, 0);
    return;
  }
  if (out_of_limits(episode)) {
    bugcheck(episode);
    return;
  }
  episodes_.push_back(std::move(episode));
  ResetEpisode& begun = episodes_.back();
  if (begun.adapter && (resets_adapter || s_.tdr.engine_reset == EngineResets::unsupported)) {
    reset_adapter(begun);
    return;
  }
  hold(begun, index);
  s_.interrupts.ignore(index);
  ask_dependents(begun);
  if (begun.dependents.empty()) begin_resets(begun);
}

/// Resets of the adapter count at the moment of their timeout; the limit is for one more.
bool Recovery::out_of_limits(ResetEpisode& episode) {
  if (!episode.timeout || s_.tdr.debug_mode == TdrDebugMode::recover_always) return false;
  if (!episode.adapter) {
    s_.processes[episode.process].resets_ps.push_back(now_ps());
    return false;
  }
  if (beyond_limit(adapter_resets_ps_, now_ps(), s_.tdr.limit_count, s_.tdr.limit_time_ps)) return true;
  adapter_resets_ps_.push_back(now_ps());
  return false;
}

/// The run ends with this round.
void Recovery::bugcheck(const ResetEpisode& episode) {
  bugchecked_ = true;
  RecoveryRecord record{Step::bugcheck, episode.number, now_ps()};
  record.node = s_.nodes[episode.node].log_name;
  record.reason = s_.log.name("0x116");
  s_.log.recovery(record);
  Kernel::pause_running();
}

/// Deferred calls that have been queued run now.
void Recovery::flush(const ResetEpisode& episode, std::uint32_t node) {
  record(episode, Step::flushed, node, {}, 0);
  s_.fences.flush(static_cast<Signaller>(node));
  for (EngineReport& report : s_.interrupts.take_of(node)) {
    if (!report.page_fault) handler_.handle(report);
  }
}

/// The node gets nothing, and is asked nothing, until the episode is over.
void Recovery::hold(ResetEpisode& episode, std::uint32_t index) {
  episode.held.push_back(index);
  record(episode, Step::held, index, {}, 0);
  ++s_.nodes[index].held;
  const bool reset = index == episode.node || episode.adapter;
  for (NodeQueue& queue : s_.nodes[index].queues) {
    queue.overdue_ps = NodeQueue::never;
    if (reset && queue.packets > 0) queue.awaits_answer = true;
  }
}

void Recovery::ask_dependents(ResetEpisode& episode) {
  for (const std::uint32_t other : s_.nodes[episode.node].dependents) {
    Node& node = s_.nodes[other];
    if (node.held > 0) continue;  // it is being reset itself
    bool something = false;
    for (std::uint32_t queue = 0; queue < node.queues.size(); ++queue) {
      const DmaPacket* first = node.engine->first_packet(queue);
      if (first == nullptr) continue;
      something = true;
      RecoveryRecord record{Step::dependent_asked, episode.number, now_ps()};
      record.node = node.log_name;
      record.hardware_queue = queue;
      record.process = s_.device_name(first->process);
      record.queue = log_.log_name_of(s_.contexts[first->context]);
      record.packet = first->id;
      record.fence_id = first->submission_fence_id;
      s_.log.recovery(record);
      if (!node.queues[queue].awaits_answer) {
        preemptor_.request(node, queue, PreemptionReason::reset, {first->id, 0});
      }
    }
    hold(episode, other);
    if (something) episode.dependents.push_back(other);
  }
  episode.due_ps = now_ps() + s_.tdr.dependent_wait_ps;
}

}  // namespace fenceline
