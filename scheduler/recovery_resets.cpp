// SPDX-License-Identifier: Apache-2.0
// Recovery, the family of functions that reset engines and the adapter, and what becomes of packets and devices.
#include "scheduler/paging/residency.hpp"
#include "scheduler/recovery.hpp"
#include "sim/kernel/now.hpp"
#include "sim/members.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace fenceline {

using Stage = ResetEpisode::Stage;
using Step = RecoveryRecord::Step;

namespace {

/// The hardware queue that a row of the node's reset names: the one that timed out; of a dependent the first.
std::uint32_t told_queue(const ResetEpisode& episode, std::uint32_t node) {
  return node == episode.node ? episode.queue : 0;
}

/// A list of the context has begun that is split, and is not aborted.
bool goes_on_with_pieces(const SchedulerState& state, std::uint32_t context) {
  if (context == NodeQueue::none || !state.contexts.contains(context)) return false;
  const auto& queue = state.contexts[context].software_queue;
  return !queue.empty() && (queue.front().pieces > 1 || queue.front().between_pieces());
}

/// The oldest command of the packet that had begun and not ended, and how many had ended.
void leave_breadcrumb(const DmaPacket& packet, EventLog& log, RecoveryRecord& record) {
  if (packet.stream == nullptr) return;
  std::size_t oldest = packet.cursor.command;
  std::size_t under_way = 0;
  for (const HaltedCommand& one : packet.halted) {
    oldest = std::min(oldest, one.index);
    under_way += one.index < packet.cursor.command ? 1 : 0;
  }
  record.list = log.name(packet.stream->name);
  record.commands_ended = packet.cursor.command - std::min(under_way, packet.cursor.command);
  if (oldest >= packet.stream->commands.size()) return;
  record.command_index = oldest;
  record.command = log.name(label_of(*packet.stream, packet.stream->commands[oldest]));
}

/// A packet of the system's was on an engine that has been reset: nobody knows then what video memory holds.
bool aborts_system_packet(const ResetEpisode& episode, const SchedulerState& s) {
  return std::any_of(episode.queues.begin(), episode.queues.end(), [&s](const AbortedQueue& queue) {
    return std::any_of(queue.packets.begin(), queue.packets.begin() + static_cast<std::ptrdiff_t>(queue.aborted),
                       [&s](const DmaPacket& packet) { return s.is_system(packet.context); });
  });
}

}  // namespace

void Recovery::record(const ResetEpisode& episode, Step step, std::uint32_t node, std::optional<std::uint32_t> queue,
                      std::uint64_t fence_id) {
  RecoveryRecord record{step, episode.number, now_ps()};
  if (step != Step::adapter_reset && step != Step::adapter_reset_done) record.node = s_.nodes[node].log_name;
  record.hardware_queue = queue;
  record.fence_id = fence_id;
  s_.log.recovery(record);
}

/// All dependents' interrupts have been handled.
bool Recovery::answered(const ResetEpisode& episode) const {
  return std::all_of(episode.dependents.begin(), episode.dependents.end(), [&](std::uint32_t node) {
    const auto& queues = s_.nodes[node].queues;
    return std::none_of(queues.begin(), queues.end(),
                        [](const NodeQueue& queue) { return queue.awaits_answer || queue.packets > 0; });
  });
}

void Recovery::advance(ResetEpisode& episode, std::uint64_t until_ps) {
  const bool due = episode.due_ps <= until_ps;
  if (due && episode.stage == Stage::resetting_adapter && s_.tdr.stays_in_driver()) {
    bugcheck(episode);
    return;
  }
  if (episode.stage == Stage::asking) {
    if (due || answered(episode)) begin_resets(episode);
  } else if (due && episode.pending == 0) {
    if (episode.stage == Stage::resetting_engine) {
      engine_done(episode);
    } else if (episode.stage == Stage::resetting_adapter) {
      abort_all(episode);
      record(episode, Step::adapter_reset_done, episode.node, {}, 0);
      remove_devices(episode);
      let_go(episode);
    }
  }
}

void Recovery::begin_resets(ResetEpisode& episode) {
  episode.stage = Stage::resetting_engine;
  episode.resets = {episode.node};
  for (const std::uint32_t node : episode.dependents) {
    const auto& queues = s_.nodes[node].queues;
    if (std::any_of(queues.begin(), queues.end(), [](const NodeQueue& queue) { return queue.awaits_answer; })) {
      episode.resets.push_back(node);
    }
  }
  reset_next(episode);
}

void Recovery::reset_next(ResetEpisode& episode) {
  const std::uint32_t index = episode.resets[episode.current];
  Node& node = s_.nodes[index];
  if (index != episode.node) {
    flush(episode, index);
    s_.interrupts.ignore(index);
  }
  collect_ended(episode, index);
  const std::uint32_t queue = told_queue(episode, index);
  const DmaPacket* first = node.engine->first_packet(queue);
  record(episode, Step::engine_reset, index, queue,
         first != nullptr ? first->submission_fence_id : node.engine->last_completed(queue));
  episode.due_ps = now_ps() + s_.tdr.engine_reset_ps;
  episode.pending = node.queues.size();
  node.engine->reset();
  s_.round.request();
}

/// Packets that have ended, or come back, since interrupts are ignored.
void Recovery::collect_ended(ResetEpisode& episode, std::uint32_t node) {
  for (std::uint32_t queue = 0; queue < s_.nodes[node].queues.size(); ++queue) {
    episode.queues.push_back({node, queue, {}, 0});
  }
  AbortedQueue* const first = &episode.queues[episode.queues.size() - s_.nodes[node].queues.size()];
  for (EngineReport& report : s_.interrupts.take_of(node)) {
    AbortedQueue& queue = first[report.queue];
    if (!report.preempted && !report.page_fault) ++queue.aborted;
    std::move(report.packets.begin(), report.packets.end(), std::back_inserter(queue.packets));
  }
}

void Recovery::queue_reset(std::uint32_t node, std::uint32_t queue, std::vector<DmaPacket> packets) {
  for (ResetEpisode& episode : episodes_) {
    const auto found = std::find_if(episode.queues.begin(), episode.queues.end(),
                                    [&](const AbortedQueue& one) { return one.node == node && one.queue == queue; });
    if (episode.pending == 0 || found == episode.queues.end()) continue;
    --episode.pending;
    if (!packets.empty()) ++found->aborted;
    std::move(packets.begin(), packets.end(), std::back_inserter(found->packets));
    s_.round.request();
    return;
  }
}

void Recovery::engine_done(ResetEpisode& episode) {
  if (episode.adapter) {  // it has failed
    reset_adapter(episode);
    return;
  }
  const std::uint32_t node = episode.resets[episode.current];
  const std::uint32_t told = told_queue(episode, node);
  for (const AbortedQueue& queue : episode.queues) {
    if (queue.node != node || queue.queue != told) continue;
    record(episode, Step::engine_reset_done, node, told,
           queue.aborted > 0 ? queue.packets[queue.aborted - 1].submission_fence_id : 0);
  }
  if (++episode.current < episode.resets.size()) {
    reset_next(episode);
    return;
  }
  if (aborts_system_packet(episode, s_)) {
    episode.adapter = true;
    if (out_of_limits(episode)) {
      bugcheck(episode);
    } else {
      reset_adapter(episode);
    }
    return;
  }
  abort_all(episode);
  remove_devices(episode);
  let_go(episode);
}

/// Everything on every engine, and in the software queues.
void Recovery::reset_adapter(ResetEpisode& episode) {
  for (ResetEpisode& other : episodes_) {
    if (&other == &episode || other.stage == Stage::over) continue;
    episode.pending += std::exchange(other.pending, 0);
    std::move(other.queues.begin(), other.queues.end(), std::back_inserter(episode.queues));
    episode.held.insert(episode.held.end(), other.held.begin(), other.held.end());
    other.stage = Stage::over;
  }
  episode.stage = Stage::resetting_adapter;
  episode.due_ps =
      now_ps() + (s_.tdr.stays_in_driver() ? s_.tdr.ddi_delay_ps : s_.tdr.threads_leave_ps + s_.tdr.adapter_reset_ps);
  episode.dependents.clear();
  record(episode, Step::adapter_reset, episode.node, {}, 0);
  s_.contexts.for_each([&](std::uint32_t index, const Context& context) {
    if (!s_.is_system(index)) return;
    for (const Context::InFlight& one : context.in_flight) {
      episode.moved_of[one.packet.id] = residency_.owners_of_moves(one.packet.id);
    }
  });
  s_.purged = true;
  std::vector<std::uint32_t> resets;
  for (std::uint32_t index = 0; index < s_.nodes.size(); ++index) {
    const auto known = [&](const AbortedQueue& queue) { return queue.node == index; };
    const bool is_reset = std::any_of(episode.queues.begin(), episode.queues.end(), known);
    if (std::find(episode.held.begin(), episode.held.end(), index) == episode.held.end()) hold(episode, index);
    if (is_reset) continue;
    resets.push_back(index);
    // Another timeout has been there: what its engine has raised since is ignored.
    if (index != episode.node && !s_.interrupts.ignores(index)) flush(episode, index);
    s_.interrupts.ignore(index);
    collect_ended(episode, index);
    episode.pending += s_.nodes[index].queues.size();
  }
  for (const std::uint32_t index : resets) s_.nodes[index].engine->reset();
  if (episode.pending == 0) abort_all(episode);
  for (std::uint32_t process = 0; process < s_.processes.size(); ++process) devices_.cancel(process, episode.number);
}

/// All nodes of the episode are reset: what was there is aborted, or goes back.
void Recovery::abort_all(ResetEpisode& episode) {
  for (AbortedQueue& queue : episode.queues) {
    const bool adapter = episode.stage == Stage::resetting_adapter;
    for (std::size_t i = 0; i < queue.aborted; ++i) {
      const bool guilty = !adapter || queue.node == episode.node || contains(episode.resets, queue.node);
      const bool pages = s_.is_system(queue.packets[i].context);
      if (!guilty) continue;
      if (!pages) add_once(episode.hung, queue.packets[i].process);
      for (const std::uint32_t owner : episode.moved_of[queue.packets[i].id]) add_once(episode.hung, owner);
    }
    if (adapter) queue.aborted = queue.packets.size();
    abort(episode, queue);
  }
  episode.queues.clear();
}

void Recovery::abort(ResetEpisode& episode, AbortedQueue& queue) {
  Node& node = s_.nodes[queue.node];
  NodeQueue& hardware = node.queues[queue.queue];
  for (std::size_t i = queue.packets.size(); i > queue.aborted; --i) {
    RecoveryRecord record{Step::returned, episode.number, now_ps()};
    record.node = node.log_name;
    record.hardware_queue = queue.queue;
    record.packet = queue.packets[i - 1].id;
    s_.log.recovery(record);
    handler_.return_packet(node, queue.queue, queue.packets[i - 1]);
  }
  if (queue.aborted > 0) node.engine->aborted_until(queue.queue, queue.packets[queue.aborted - 1].submission_fence_id);
  for (std::size_t i = 0; i < queue.aborted; ++i) {
    const DmaPacket& dma = queue.packets[i];
    Context& context = s_.contexts[dma.context];
    RecoveryRecord record{Step::aborted, episode.number, now_ps()};
    record.node = node.log_name;
    record.hardware_queue = queue.queue;
    record.process = s_.device_name(dma.process);
    record.queue = log_.log_name_of(context);
    record.packet = dma.id;
    record.fence_id = dma.submission_fence_id;
    leave_breadcrumb(dma, s_.log, record);
    s_.log.recovery(record);
    Context::InFlight aborted = std::move(context.in_flight.front());
    context.in_flight.pop_front();
    queues_.discard(context, aborted.packet, &dma, PacketStatus::timed_out);
    // Before what else the context has: the removal of its device comes at once.
    for (auto signal = aborted.signals.rbegin(); signal != aborted.signals.rend(); ++signal) {
      if (context.in_flight.empty()) {
        context.software_queue.push_front(std::move(*signal));
      } else {
        auto& next = context.in_flight.front().signals;
        next.insert(next.begin(), std::move(*signal));
      }
    }
    if (context.in_flight.empty()) {
      handler_.left_hardware(node, dma.context);
    }
    node.leaving.push_back(dma.context);
    s_.wake(dma.context);
  }
  hardware.packets -= queue.packets.size();
  s_.rounds = 0;
}

void Recovery::remove_devices(ResetEpisode& episode) {
  const bool limits = s_.tdr.debug_mode != TdrDebugMode::recover_always && episode.timeout && !episode.adapter;
  for (const std::uint32_t process : episode.hung) {
    const std::vector<std::uint64_t>& resets_ps = s_.processes[process].resets_ps;
    const bool blocks = limits && process == episode.process &&
                        beyond_limit(resets_ps, episode.began_ps, s_.tdr.limit_count, s_.tdr.limit_time_ps);
    devices_.remove(process, RemovalReason::hung, episode.number, blocks);
  }
  if (!episode.adapter) return;
  for (std::uint32_t process = 0; process < s_.processes.size(); ++process) {
    if (s_.processes[process].has_contexts && process != s_.system_process) {
      devices_.remove(process, RemovalReason::reset, episode.number, false);
    }
  }
}

/// The nodes work again.
void Recovery::let_go(ResetEpisode& episode) {
  for (const std::uint32_t index : episode.held) {
    Node& node = s_.nodes[index];
    --node.held;
    record(episode, Step::working, index, {}, 0);
    const bool reset =
        episode.adapter || std::find(episode.resets.begin(), episode.resets.end(), index) != episode.resets.end();
    if (!reset) continue;
    s_.interrupts.listen(index);
    for (NodeQueue& queue : node.queues) {
      const bool awaited = std::exchange(queue.awaits_answer, false);
      queue.withholding = queue.short_of_places = queue.short_again = false;
      queue.filling = true;
      if (!goes_on_with_pieces(s_, queue.split_context)) queue.split_context = NodeQueue::none;
      queue.overdue_ps = NodeQueue::never;
      queue.judged.clear();
      if (awaited && node.runlist != Node::none && s_.runlists[node.runlist].switching) {
        runlists_.answered(node.runlist);
      }
    }
  }
  episode.stage = Stage::over;
  s_.round.request();
}

}  // namespace fenceline
