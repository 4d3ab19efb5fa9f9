// SPDX-License-Identifier: Apache-2.0
// Scheduler, the family of functions that hear of the engines: interrupts, and what a packet's end brings with it.
#include "scheduler/scheduler.hpp"
#include "sim/assert.hpp"
#include "sim/duration.hpp"
#include "sim/kernel/now.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace fenceline {

void Scheduler::packet_completed(Engine& engine, std::uint32_t queue, DmaPacket packet) {
  Report report;
  report.node = node_index(engine);
  report.queue = queue;
  report.fence_id = packet.submission_fence_id;
  report.packets.push_back(std::move(packet));
  interrupt(std::move(report));
}

void Scheduler::packets_preempted(Engine& engine, std::uint32_t queue, const PreemptionReport& preemption,
                                  std::vector<DmaPacket> packets) {
  Report report;
  report.node = node_index(engine);
  report.queue = queue;
  report.preempted = true;
  report.fence_id = nodes_[report.node].queues[queue].preemption_fence_id;
  report.preemption = preemption;
  report.packets = std::move(packets);
  interrupt(std::move(report));
}

/// From an interrupt until its service routine and the deferred call have run.
std::uint64_t Scheduler::interrupt_latency_ps() {
  if (config_.interrupt_jitter_us <= 0) return latency_ps_;
  const double uniform = (static_cast<double>(random_() >> 11) + 0.5) / 9007199254740992.0;
  return latency_ps_ + ps_of_us(-std::log(uniform) * config_.interrupt_jitter_us);
}

/// The engine tells; the scheduler learns of it when the service routine and the deferred call have run, one in
/// hardware at once.
void Scheduler::interrupt(Report report) {
  Node& node = nodes_[report.node];
  const std::uint64_t latency_ps = config_.hardware_scheduling ? 0 : interrupt_latency_ps();
  report.due_ps = std::max(node.last_report_ps, now_ps() + latency_ps);
  node.last_report_ps = report.due_ps;
  if (log_.enabled()) {
    log_.interrupt({node.path, report.queue,
                    report.preempted ? InterruptType::dma_preempted : InterruptType::dma_completed, report.fence_id,
                    report.preempted ? report.preemption.last_completed_fence_id : report.fence_id, now_ps(),
                    report.due_ps});
  }
  schedule_.request();
  if (report.due_ps > now_ps()) agenda_.at<&Scheduler::reconsider>(report.due_ps, this);
  reports_.push_back(std::move(report));
}

/// What the GPU does in the command stream when the packet has ended, before anybody on the CPU knows of it: fences
/// move. Where the interrupt takes no time `complete` does it.
void Scheduler::write_signals(const Report& report) {
  const DmaPacket& dma = report.packets.front();
  Context& context = contexts_[dma.context];
  const auto packet = std::find_if(context.in_flight.begin(), context.in_flight.end(),
                                   [&](const Context::InFlight& one) { return one.packet.id == dma.id; });
  packet->ended = true;
  std::vector<QueuePacket> signals;
  for (auto one = packet->signals.begin(); one != packet->signals.end();) {
    if (one->type != PacketType::signal) break;  // a present: the CPU's work
    signals.push_back(std::move(*one));
    one = packet->signals.erase(one);
  }
  for (const QueuePacket& signal : signals) take_place(context, signal, report.due_ps);
}

void Scheduler::complete(Report& report) {
  DmaPacket& dma = report.packets.front();
  Node& node = nodes_[report.node];
  Context& context = contexts_[dma.context];
  FENCELINE_ASSERT(!context.in_flight.empty() && context.in_flight.front().packet.id == dma.id,
                   std::string(name()) + ": " + context.config.name + " packets completed out of order");
  const Context::InFlight done = std::move(context.in_flight.front());
  context.in_flight.pop_front();
  if (context.in_flight.empty()) left_hardware(node, dma.context);
  HardwareQueue& hardware = node.queues[report.queue];
  --hardware.packets;
  rounds_ = 0;
  const auto& refill = node.engine->engine_config().hardware_queue_refill;
  if (!refill || hardware.packets <= *refill) hardware.filling = true;
  hardware.short_of_places = hardware.short_of_places && hardware.packets > 0;
  node.leaving.push_back(dma.context);
  if (node.contexts > 1 || config_.focus_quantum_without_present_us)
    use(node, report.queue, dma, dma.finished_ps - dma.piece_started_ps);
  for (const auto& [slot, at_ps] : dma.timestamps) {
    timestamps_.push_back({static_cast<ContextId>(dma.context), dma.id, slot, at_ps});
  }
  --outstanding_;
  record(context, done.packet, &dma);
  if (done.packet.type == PacketType::wait) {
    waits_.remove(done.packet.wait_slot);
    fences_.let_go(done.packet.fence);
  }
  for (const QueuePacket& packet : done.signals) take_place(context, packet, now_ps());
  if (context.stopping && context.in_flight.empty()) suspension_over(dma.context);
  wake(dma.context);
}

/// A signal or present. `known_ps` is when the deferred call that tells of what was before it handles a fence's
/// interrupt, too; without it the signal raises one of its own.
void Scheduler::take_place(Context& context, const QueuePacket& packet, std::optional<std::uint64_t> known_ps) {
  --outstanding_;
  record(context, packet, nullptr);
  if (packet.type == PacketType::signal) {
    signal_now(context, packet, known_ps);
  } else {
    packet.reached();
    Process& process = processes_[static_cast<std::uint32_t>(context.config.process)];
    if (process.config.focus) focus_presents(process);
  }
  fences_.let_go(packet.fence);
}

void Scheduler::signal_now(Context& context, const QueuePacket& packet, std::optional<std::uint64_t> known_ps) {
  InterruptRecord interrupt{};
  const bool interrupts = fences_.interrupts_at(packet.fence, packet.value);
  interrupt.at_ps = now_ps();
  const bool handled = known_ps && !config_.hardware_scheduling;
  interrupt.dpc_ps = handled ? *known_ps : interrupts ? now_ps() + interrupt_latency_ps() : now_ps();
  // Hardware that schedules sees the value; else the scheduler, which holds queues back, is told as the CPU is.
  signal_known_ps_ = config_.hardware_scheduling ? now_ps() : known_ps.value_or(now_ps());
  fences_.signal(packet.fence, packet.value, static_cast<Signaller>(context.config.node), interrupt.dpc_ps);
  if (!interrupts || !log_.enabled()) return;
  interrupt.node = nodes_[context.config.node].path;
  interrupt.hardware_queue = context.hardware_queue;
  interrupt.type = fences_.fence_kind() == FenceKind::native ? InterruptType::native_fence_signaled
                                                             : InterruptType::monitored_fence_signaled;
  log_.interrupt(interrupt);
}

void Scheduler::record(const Context& context, const QueuePacket& packet, const DmaPacket* dma) {
  if (!log_.enabled()) return;
  PacketRecord record{};
  record.id = packet.id;
  record.context = path_of(context);
  record.type = packet.type;
  record.preemptions = packet.preemptions;
  record.fence_value = packet.value;
  record.submitted_ps = packet.submitted_ps;
  record.head_ps = packet.head_ps;
  record.ready_ps = packet.ready_ps;
  record.completed_ps = now_ps();
  if (dma != nullptr) {
    record.node = nodes_[context.config.node].path;
    record.label = dma->label;
    record.submission_fence_id = dma->submission_fence_id;
    record.hardware_ps = packet.hardware_ps;
    record.started_ps = dma->started_ps;
    record.finished_ps = dma->finished_ps;
    record.preempted_ps = dma->preempted_ps;
  } else {
    record.label = fences_.log_name_of(packet.fence);
    record.hardware_ps = record.started_ps = record.finished_ps = record.completed_ps;
  }
  log_.packet(record);
}

std::uint32_t Scheduler::node_index(const Engine& engine) const {
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].engine == &engine) return i;
  }
  FENCELINE_ASSERT(false, std::string(name()) + ": heard of an unknown engine");
}

}  // namespace fenceline
