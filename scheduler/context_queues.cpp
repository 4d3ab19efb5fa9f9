// SPDX-License-Identifier: Apache-2.0
#include "scheduler/context_queues.hpp"

#include "sim/kernel/now.hpp"

#include <algorithm>
#include <utility>

namespace fenceline {

std::uint64_t ContextQueues::enqueue(std::uint32_t queue, QueuePacket packet, Broadcast broadcast) {
  const std::uint32_t context = s_.place_of(static_cast<ContextId>(queue));
  if (context != queue) packet.queue = queue;
  if (!has_commands(packet.type)) s_.fences.hold(packet.fence);
  const std::uint64_t id = s_.next_packet_id++;
  packet.id = id;
  packet.submitted_ps = now_ps();
  ++s_.outstanding;
  s_.rounds = 0;
  if (broadcast.copies > 1 && broadcast.first == 0) broadcast.first = id;
  log_.queued(s_.contexts[context], packet, broadcast);
  if (s_.process_of(s_.contexts[context]).removed) {
    discard(s_.contexts[context], packet, nullptr, PacketStatus::discarded);
    return id;
  }
  s_.contexts[context].software_queue.push_back(std::move(packet));
  s_.wake(context);
  return id;
}

namespace {

/// The packet before it has ended on the GPU, which then writes its signals: but for those behind a present, which
/// waits for the CPU.
bool takes_place_at_end(const Context& context, const QueuePacket& packet) {
  return context.in_flight.back().ended && !context.presents_wait_before(context.in_flight.size()) &&
         packet.type == PacketType::signal;
}

}  // namespace

void ContextQueues::advance(std::uint32_t index) {
  Context& context = s_.contexts[index];
  while (!context.suspended() && !context.software_queue.empty() && !context.is_split()) {
    QueuePacket& packet = context.software_queue.front();
    if (packet.head_ps == QueuePacket::no_time) packet.head_ps = now_ps();
    switch (packet.type) {
      case PacketType::wait: {
        // Nothing passes a wait on the hardware, not even another wait.
        const bool behind_wait = std::any_of(context.in_flight.begin(), context.in_flight.end(),
                                             [](const auto& one) { return one.packet.type == PacketType::wait; });
        if (!waits_.blocks(packet) && !behind_wait) {
          if (context.ready) withdraw(index);
          if (pass_wait(context, packet, index)) break;
          return;
        }
        // One that had to give way there waits here.
        if (s_.config.hardware_waits && packet.preemptions == 0) get_ready(context, packet, index);
        return;
      }
      case PacketType::signal:
      case PacketType::present:
        if (packet.ready_ps == QueuePacket::no_time) packet.ready_ps = now_ps();
        if (context.in_flight.empty() || takes_place_at_end(context, packet)) {
          take_place(context, packet);
        } else {
          context.in_flight.back().signals.push_back(std::move(packet));
        }
        break;
      case PacketType::render:
      case PacketType::paging:
      case PacketType::context_switch:
        if (context.ready || !residency_.active() || has_memory(context, packet, index))
          get_ready(context, packet, index);
        return;
    }
    context.software_queue.pop_front();
  }
}

void ContextQueues::go_on(std::uint32_t index, QueuePacket packet, const std::vector<std::uint32_t>& leaking) {
  Context& context = s_.contexts[index];
  s_.wake(index);
  if (s_.process_of(context).removed) {
    discard(context, packet, nullptr, PacketStatus::discarded);
    return;
  }
  if (!leaking.empty()) {
    packet.rejected = true;
    log_.rejected(context, packet, leaking);
  }
  context.software_queue.push_front(std::move(packet));
}

/// What it needs of video memory is there. One that was on the hardware already ceases to want it where it is not.
bool ContextQueues::has_memory(const Context& context, const QueuePacket& packet, std::uint32_t index) {
  const bool ceases = packet.progress != nullptr && !residency_.holds(packet.id);
  if (residency_.may_run(index, packet)) return true;
  if (ceases) log_.waits_for_memory(context);
  return false;
}

/// The packet wants to go to the hardware.
void ContextQueues::get_ready(Context& context, QueuePacket& packet, std::uint32_t index) {
  if (packet.ready_ps == QueuePacket::no_time) packet.ready_ps = now_ps();
  if (context.ready) return;
  context.ready = true;
  log_.touch(index);
  turns_.begin_wanting(context, packet.id);
  Node& node = s_.node_of(context);
  node.ready.add(candidates_.order_of(node, index));
  if (s_.log.enabled()) s_.log.ready({log_.log_name_of(context, packet), node.log_name, packet.id, now_ps()});
}

void ContextQueues::discard(const Context& context, const QueuePacket& packet, const DmaPacket* dma,
                            PacketStatus status) {
  --s_.outstanding;
  log_.ended(context, packet, dma, status);
  if (residency_.active() && has_commands(packet.type))
    residency_.ended(SchedulerState::process_index(context), packet, false);
  if (packet.type == PacketType::wait) {
    waits_.drop(packet);
  } else if (!has_commands(packet.type)) {
    JointEnd* joint = packet.joint.get();
    if (joint != nullptr && --joint->awaited == 0 && joint->dropped) joint->dropped();
    s_.fences.let_go(packet.fence);
  }
}

void ContextQueues::let_split_go(std::uint32_t index) {
  const Context& context = s_.contexts[index];
  std::uint32_t& split = s_.node_of(context).queues[context.hardware_queue].split_context;
  if (split == index) split = NodeQueue::none;
}

void ContextQueues::withdraw(std::uint32_t index) {
  Context& context = s_.contexts[index];
  s_.node_of(context).ready.remove(index);
  context.ready = false;
  s_.node_of(context).leaving.push_back(index);
  log_.touch(index);
}

/// The wait's fence has been there. True: the news has come, too, and the wait is over.
bool ContextQueues::pass_wait(const Context& context, QueuePacket& packet, std::uint32_t index) {
  if (!waits_.known(packet, index)) return false;
  packet.ready_ps = now_ps();
  --s_.outstanding;
  log_.completed(context, packet, nullptr);
  waits_.remove(packet);
  return true;
}

void ContextQueues::take_place(Context& context, const QueuePacket& packet, std::optional<std::uint64_t> known_ps) {
  --s_.outstanding;
  const bool awaits_others = packet.joint != nullptr && --packet.joint->awaited > 0;
  log_.completed(context, packet, nullptr, awaits_others);
  if (awaits_others) {
    s_.rounds = 0;
  } else if (packet.type == PacketType::signal) {
    signal_now(context, packet, known_ps);
  } else {
    packet.joint->reached();
    Process& process = s_.process_of(context);
    if (process.config.focus) priorities_.presents(process);
  }
  s_.fences.let_go(packet.fence);
}

void ContextQueues::signal_now(Context& context, const QueuePacket& packet, std::optional<std::uint64_t> known_ps) {
  InterruptRecord interrupt{};
  const bool interrupts = s_.fences.interrupts_at(packet.fence, packet.value);
  interrupt.at_ps = now_ps();
  const bool handled = known_ps && !s_.config.hardware_scheduling;
  interrupt.dpc_ps = handled ? *known_ps : interrupts ? now_ps() + s_.interrupts.next_latency_ps() : now_ps();
  // Hardware that schedules sees the value; else the scheduler, which holds queues back, is told as the CPU is.
  waits_.signal_known_at(s_.config.hardware_scheduling ? now_ps() : known_ps.value_or(now_ps()));
  s_.fences.signal(packet.fence, packet.value, static_cast<Signaller>(context.config.node), interrupt.dpc_ps);
  if (!interrupts || !s_.log.enabled()) return;
  interrupt.node = s_.node_of(context).log_name;
  interrupt.hardware_queue = context.hardware_queue;
  interrupt.type = s_.fences.fence_kind() == FenceKind::native ? InterruptType::native_fence_signaled
                                                               : InterruptType::monitored_fence_signaled;
  s_.log.interrupt(interrupt);
}

}  // namespace fenceline
