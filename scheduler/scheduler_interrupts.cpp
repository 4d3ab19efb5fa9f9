// SPDX-License-Identifier: Apache-2.0
// Scheduler, the family of functions that hear of the engines: interrupts, and what ends and stops bring with them.
#include "scheduler/scheduler.hpp"
#include "sim/assert.hpp"
#include "sim/kernel/now.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace fenceline {

void Scheduler::packet_completed(Engine& engine, std::uint32_t queue, DmaPacket packet) {
  EngineReport report;
  report.node = state_.index_of(engine);
  report.queue = queue;
  report.fence_id = packet.submission_fence_id;
  report.packets.push_back(std::move(packet));
  interrupt(std::move(report));
}

void Scheduler::packets_preempted(Engine& engine, std::uint32_t queue, const PreemptionReport& preemption,
                                  std::vector<DmaPacket> packets) {
  EngineReport report;
  report.node = state_.index_of(engine);
  report.queue = queue;
  report.preempted = true;
  report.fence_id = state_.nodes[report.node].queues[queue].preemption_fence_id;
  report.preemption = preemption;
  report.packets = std::move(packets);
  interrupt(std::move(report));
}

void Scheduler::queue_reset(Engine& engine, std::uint32_t queue, std::vector<DmaPacket> packets) {
  recovery_.queue_reset(state_.index_of(engine), queue, std::move(packets));
}

void Scheduler::got_stuck(Engine& engine, std::uint32_t queue, bool page_fault) {
  const DmaPacket& first = *engine.first_packet(queue);
  log_.stuck(state_.contexts[first.context], first.id);
  if (!page_fault) {
    if (state_.is_system(first.context)) round_.request();  // it is watched from now on
    return;
  }
  EngineReport report;
  report.node = state_.index_of(engine);
  report.queue = queue;
  report.page_fault = true;
  report.fence_id = engine.first_packet(queue)->submission_fence_id;
  interrupt(std::move(report));
}

void Scheduler::handle(EngineReport& report) {
  if (report.page_fault) {
    recovery_.page_fault(report.node, report.queue, report.fence_id);
  } else if (report.preempted) {
    take_back(report);
  } else {
    complete(report);
  }
}

/// The engine tells; the scheduler learns of it when the service routine and the deferred call have run, one in
/// hardware at once.
void Scheduler::interrupt(EngineReport report) {
  InterruptRecord record{};
  record.node = state_.nodes[report.node].log_name;
  record.hardware_queue = report.queue;
  record.type = report.page_fault  ? InterruptType::dma_page_faulted
                : report.preempted ? InterruptType::dma_preempted
                                   : InterruptType::dma_completed;
  record.fence_id = report.fence_id;
  record.last_completed_fence_id = report.preempted ? report.preemption.last_completed_fence_id : report.fence_id;
  record.at_ps = now_ps();
  record.dpc_ps = state_.interrupts.raise(std::move(report));
  if (state_.log.enabled()) state_.log.interrupt(record);
  round_.request();
  if (record.dpc_ps > now_ps()) agenda_.at<&Scheduler::reconsider>(record.dpc_ps, this);
}

void Scheduler::reconsider(std::uint64_t) { round_.request(); }

/// What the GPU does in the command stream when the packet has ended, before anybody on the CPU knows of it: fences
/// move. Where the interrupt takes no time `complete` does it.
void Scheduler::write_signals(const EngineReport& report) {
  const DmaPacket& dma = report.packets.front();
  Context& context = state_.contexts[dma.context];
  const auto packet = std::find_if(context.in_flight.begin(), context.in_flight.end(),
                                   [&](const Context::InFlight& one) { return one.packet.id == dma.id; });
  packet->ended = true;
  if (context.presents_wait_before(static_cast<std::size_t>(packet - context.in_flight.begin()))) return;
  std::vector<QueuePacket> signals;
  for (auto one = packet->signals.begin(); one != packet->signals.end();) {
    if (one->type != PacketType::signal) break;  // a present: the CPU's work
    signals.push_back(std::move(*one));
    one = packet->signals.erase(one);
  }
  for (const QueuePacket& signal : signals) queues_.take_place(context, signal, report.told_ps);
}

void Scheduler::complete(EngineReport& report) {
  DmaPacket& dma = report.packets.front();
  Node& node = state_.nodes[report.node];
  Context& context = state_.contexts[dma.context];
  FENCELINE_ASSERT(!context.in_flight.empty() && context.in_flight.front().packet.id == dma.id,
                   std::string(name()) + ": " + context.config.name + " packets completed out of order");
  Context::InFlight done = std::move(context.in_flight.front());
  context.in_flight.pop_front();
  if (context.in_flight.empty()) left_hardware(node, dma.context);
  NodeQueue& hardware = node.queues[report.queue];
  --hardware.packets;
  state_.rounds = 0;
  const auto& refill = node.engine->engine_config().hardware_queue_refill;
  if (!refill || hardware.packets <= *refill) hardware.filling = true;
  hardware.short_of_places = hardware.short_of_places && hardware.packets > 0;
  node.leaving.push_back(dma.context);
  if (node.contexts > 1 || config_.focus_quantum_without_present_us)
    turns_.use(node, report.queue, dma, dma.finished_ps - dma.piece_started_ps);
  if (dma.has_more()) {
    done.packet.progress = std::make_unique<Progress>(std::move(static_cast<Progress&>(dma)));
    const std::uint32_t process = SchedulerState::process_index(context);
    const std::size_t end = residency_.next_piece(dma.context, done.packet).second;
    const std::vector<std::uint32_t> leaking = filler_.splitter().leaks(done.packet, end);
    if (!leaking.empty() || state_.processes[process].removed) {
      node.engine->drop(report.queue, dma.id);
      hardware.split_context = NodeQueue::none;
    }
    if (!leaking.empty()) {
      log_.patched(done.packet, done.packet.pieces + 1, done.packet.progress->cursor.command, end);
    }
    queues_.go_on(dma.context, std::move(done.packet), leaking);
    constexpr std::uint64_t no_episode = 0;
    if (!leaking.empty()) devices_.remove(process, RemovalReason::leak, no_episode, false);
    return;
  }
  if (hardware.split_context == dma.context && !context.is_split()) hardware.split_context = NodeQueue::none;
  for (const auto& [slot, at_ps] : dma.timestamps) {
    timestamps_.push_back({static_cast<ContextId>(dma.context), dma.id, slot, at_ps});
  }
  --state_.outstanding;
  log_.completed(context, done.packet, &dma);
  if (residency_.active() && has_commands(done.packet.type))
    residency_.ended(SchedulerState::process_index(context), done.packet, true);
  if (done.packet.type == PacketType::paging) residency_.paged();
  if (done.packet.type == PacketType::context_switch) residency_.switched();
  if (done.packet.type == PacketType::wait) waits_.remove(done.packet);
  for (const QueuePacket& packet : done.signals) queues_.take_place(context, packet, now_ps());
  state_.wake(dma.context);
}

/// Packets come back: each context gets its own at the front of its software queue.
void Scheduler::take_back(EngineReport& report) {
  Node& node = state_.nodes[report.node];
  NodeQueue& hardware = node.queues[report.queue];
  hardware.awaits_answer = hardware.withholding = hardware.short_of_places = false;
  hardware.judged.clear();
  hardware.overdue_ps = NodeQueue::never;
  hardware.packets -= report.packets.size();
  hardware.filling = true;
  const PreemptionReport& times = report.preemption;
  if (state_.log.enabled()) {
    state_.log.preemption(
        {node.log_name, report.queue, hardware.preemption_fence_id, times.requested_ps, times.stopped_ps, times.free_ps,
         times.saved_bytes, static_cast<std::uint32_t>(report.packets.size()), now_ps(),
         times.drain_from_ps - times.requested_ps, times.saved,
         state_.log.name(node.engine->level_name(hardware.asked)),
         report.packets.empty() ? LogName{} : state_.log.name(node.engine->level_name(times.reached))});
  }
  // From the last to the first, so that each context gets its packets back in their order.
  for (auto dma = report.packets.rbegin(); dma != report.packets.rend(); ++dma) {
    return_packet(node, report.queue, *dma);
  }
  if (node.runlist != Node::none && state_.runlists[node.runlist].switching) runlist_turns_.answered(node.runlist);
}

void Scheduler::return_packet(Node& node, std::uint32_t queue, DmaPacket& dma) {
  Context& context = state_.contexts[dma.context];
  FENCELINE_ASSERT(!context.in_flight.empty() && context.in_flight.back().packet.id == dma.id,
                   std::string(name()) + ": " + context.config.name + " packets came back out of order");
  Context::InFlight returned = std::move(context.in_flight.back());
  context.in_flight.pop_back();
  if (context.in_flight.empty()) left_hardware(node, dma.context);
  if (dma.stopped_ps > dma.piece_started_ps) {
    state_.rounds = 0;
    turns_.use(node, queue, dma, dma.stopped_ps - dma.piece_started_ps);
  }
  returned.packet.progress = std::make_unique<Progress>(std::move(static_cast<Progress&>(dma)));
  ++returned.packet.preemptions;
  node.leaving.push_back(dma.context);
  if (context.ready) queues_.withdraw(dma.context);  // what was next is behind it now
  if (state_.process_of(context).removed) {
    queues_.discard(context, returned.packet, nullptr, PacketStatus::discarded);
    if (context.in_flight.empty()) queues_.let_split_go(dma.context);
  } else {
    for (auto signal = returned.signals.rbegin(); signal != returned.signals.rend(); ++signal) {
      context.software_queue.push_front(std::move(*signal));
    }
    // Pieces behind the first one are alone, and run to their end where lists stay together.
    if (returned.has_more && returned.packet.pieces == 1) node.queues[queue].split_context = NodeQueue::none;
    context.software_queue.push_front(std::move(returned.packet));
  }
  residency_.something_left();
  state_.wake(dma.context);
}

/// The last of the context's packets has ended there, or come back.
void Scheduler::left_hardware(Node& node, std::uint32_t context) {
  node.on_hardware.erase(std::lower_bound(node.on_hardware.begin(), node.on_hardware.end(), context));
  log_.touch(context);
}

/// A turn begins, or goes on: who waits for its end is told when that is.
void Scheduler::packet_launched(Engine& engine, std::uint32_t queue) {
  Node& node = state_.nodes[state_.index_of(engine)];
  if (node.contexts < 2) return;
  turns_.begin_turns(node, queue);
  round_.request();
}

void Scheduler::places_wanted(Engine& engine, std::uint32_t queue, bool wanted) {
  Node& node = state_.nodes[state_.index_of(engine)];
  if (node.queues.size() == 1 || node.queues[queue].short_of_places == wanted) return;
  NodeQueue& hardware = node.queues[queue];
  hardware.short_of_places = wanted;
  const DmaPacket* first = wanted ? engine.first_packet(queue) : nullptr;
  if (first != nullptr) {
    hardware.short_again = first->id == hardware.short_packet;
    hardware.short_packet = first->id;
  }
  if (node.contexts > 1) round_.request();
}

}  // namespace fenceline
