// SPDX-License-Identifier: Apache-2.0
#include "scheduler/scheduler.hpp"

#include "sim/assert.hpp"
#include "sim/duration.hpp"
#include "sim/kernel.hpp"

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
  cost.to_device_share = path.to_device_share;
  cost.to_host_share = path.to_host_share;
  return cost;
}

std::uint64_t now_ps() { return sc_core::sc_time_stamp().value(); }

}  // namespace

void describe(Fields& f, SchedulerConfig& c) {
  f.about("the operating system's GPU scheduler");
  f.optional("source", c.source, "where the numbers are from");
  f.optional("quantum_us", c.quantum_us, "engine time of one turn among contexts of equal priority, microseconds",
             between(1, 1e9));
}

Scheduler::Scheduler(sc_core::sc_module_name module_name, const SchedulerConfig& config,
                     const std::vector<Engine*>& nodes, FenceUnit& fences, EventLog& log)
    : sc_module(module_name), quantum_ps_(ps_of_us(config.quantum_us)), fences_(fences), log_(log), agenda_("agenda") {
  for (Engine* engine : nodes) {
    engine->set_listener(*this);
    nodes_.push_back({engine, {}, std::vector<bool>(engine->engine_config().hardware_queues), 1, 0, no_context});
  }
  SC_HAS_PROCESS(Scheduler);
  SC_METHOD(schedule);
  sensitive << schedule_;
  dont_initialize();
}

ContextId Scheduler::create_context(const ContextConfig& config) {
  FENCELINE_ASSERT(config.node < nodes_.size(), std::string(name()) + ": context on a node that does not exist");
  Context context;
  context.config = config;
  context.path = log_.name(std::string(name()) + "." + config.name);
  context.cost = cost_of(config.path);
  Node& node = nodes_[config.node];
  const bool first = std::none_of(contexts_.begin(), contexts_.end(),
                                  [&](const Context& other) { return other.config.node == config.node; });
  node.lowest_priority = first ? config.priority : std::min(node.lowest_priority, config.priority);
  node.highest_priority = first ? config.priority : std::max(node.highest_priority, config.priority);
  contexts_.push_back(std::move(context));
  return static_cast<ContextId>(contexts_.size() - 1);
}

void Scheduler::execute(ContextId context, std::shared_ptr<const CommandStream> stream) {
  QueuePacket packet;
  packet.type = PacketType::render;
  packet.stream = std::move(stream);
  enqueue(static_cast<std::uint32_t>(context), std::move(packet));
}

void Scheduler::signal(ContextId context, FenceId fence, std::uint64_t value) {
  QueuePacket packet;
  packet.type = PacketType::signal;
  packet.fence = fence;
  packet.value = value;
  enqueue(static_cast<std::uint32_t>(context), std::move(packet));
}

void Scheduler::wait(ContextId context, FenceId fence, std::uint64_t value) {
  QueuePacket packet;
  packet.type = PacketType::wait;
  packet.fence = fence;
  packet.value = value;
  // The wait counts from now, even while it is still behind other packets.
  const bool reached = fences_.value(fence) >= value;
  packet.wait_slot = waits_.add({static_cast<std::uint32_t>(context), reached, now_ps()});
  if (!reached) fences_.wait(fence, value, *this, packet.wait_slot);
  enqueue(static_cast<std::uint32_t>(context), std::move(packet));
}

void Scheduler::enqueue(std::uint32_t context, QueuePacket packet) {
  packet.id = next_packet_id_++;
  packet.submitted_ps = now_ps();
  ++outstanding_;
  contexts_[context].software_queue.push_back(std::move(packet));
  wake(context);
}

std::vector<StuckContext> Scheduler::stuck() const {
  std::vector<StuckContext> result;
  for (std::size_t i = 0; i < contexts_.size(); ++i) {
    const auto& queue = contexts_[i].software_queue;
    if (queue.empty() || queue.front().type != PacketType::wait || waits_[queue.front().wait_slot].reached) continue;
    result.push_back({static_cast<ContextId>(i), queue.front().fence, queue.front().value});
  }
  return result;
}

std::vector<ContextId> Scheduler::holders(FenceId fence, std::uint64_t value) const {
  std::vector<ContextId> result;
  for (std::size_t i = 0; i < contexts_.size(); ++i) {
    const auto& queue = contexts_[i].software_queue;
    const bool holds = std::any_of(queue.begin(), queue.end(), [&](const QueuePacket& packet) {
      return packet.type == PacketType::signal && packet.fence == fence && packet.value >= value;
    });
    if (holds) result.push_back(static_cast<ContextId>(i));
  }
  return result;
}

void Scheduler::wake(std::uint64_t context) {
  if (contexts_[context].awake) return;
  contexts_[context].awake = true;
  awake_.push_back(static_cast<std::uint32_t>(context));
  schedule_.notify(sc_core::SC_ZERO_TIME);  // one round for all that happens in this delta cycle
}

void Scheduler::schedule() {
  guarded([this] {
    // SystemC gives events of one moment no order: nodes and packets do.
    std::sort(completions_.begin(), completions_.end(), [](const Completion& a, const Completion& b) {
      return a.node != b.node ? a.node < b.node : a.packet.submission_fence_id < b.packet.submission_fence_id;
    });
    for (Completion& completion : completions_) complete(completion);
    completions_.clear();
    while (!awake_.empty()) {  // a signal may wake further contexts
      std::sort(awake_.begin(), awake_.end());
      const std::vector<std::uint32_t> round = std::exchange(awake_, {});
      for (const std::uint32_t context : round) contexts_[context].awake = false;
      for (const std::uint32_t context : round) advance(context);
    }
    for (std::uint32_t node = 0; node < nodes_.size(); ++node) serve(node);
  });
}

/// Takes the packets at the head of a context that need no engine, until one does or must wait.
void Scheduler::advance(std::uint32_t index) {
  Context& context = contexts_[index];
  while (!context.software_queue.empty()) {
    QueuePacket& packet = context.software_queue.front();
    if (packet.head_ps == QueuePacket::no_time) packet.head_ps = now_ps();
    switch (packet.type) {
      case PacketType::wait:
        if (!pass_wait(context, packet, index)) return;
        break;
      case PacketType::signal:
        packet.ready_ps = now_ps();
        if (context.in_flight.empty()) {
          signal_now(context, packet, static_cast<Signaller>(context.config.node));
        } else {
          context.in_flight.back().signals.push_back(packet);
        }
        break;
      case PacketType::render:
        if (packet.ready_ps == QueuePacket::no_time) packet.ready_ps = now_ps();
        if (!context.ready) {
          context.ready = true;
          nodes_[context.config.node].ready.push_back(index);
        }
        return;
    }
    context.software_queue.pop_front();
  }
}

/// True: the wait is satisfied and over.
bool Scheduler::pass_wait(Context& context, QueuePacket& packet, std::uint32_t index) {
  const Wait& wait = waits_[packet.wait_slot];
  if (!wait.reached) return false;
  if (wait.release_ps > now_ps()) {
    agenda_.at<&Scheduler::wake>(wait.release_ps, this, index);
    return false;
  }
  packet.ready_ps = now_ps();
  waits_.remove(packet.wait_slot);
  --outstanding_;
  record(context, packet, nullptr);
  return true;
}

void Scheduler::fence_reached(std::uint64_t slot, Signaller by) {
  Wait& wait = waits_[slot];
  const ContextConfig& config = contexts_[wait.context].config;
  const NodePath& path = config.path;
  const auto node = static_cast<Signaller>(config.node);
  const double hop_ns = by == Signaller::cpu ? path.fence_from_cpu_ns
                        : by == node         ? path.fence_same_node_ns
                                             : path.fence_cross_node_ns;
  wait.reached = true;
  wait.release_ps = now_ps();
  // Nobody waits yet when the context still has other packets before this one.
  const auto& queue = contexts_[wait.context].software_queue;
  if (queue.empty() || queue.front().type != PacketType::wait || queue.front().wait_slot != slot) return;
  released_ = released_at_ps_ == now_ps() ? released_ : 0;
  released_at_ps_ = now_ps();
  wait.release_ps += ps_of_ns(hop_ns + released_++ * config.fence_next_waiter_ns);
  wake(wait.context);
}

void Scheduler::signal_now(Context& context, const QueuePacket& packet, Signaller by) {
  --outstanding_;
  record(context, packet, nullptr);
  fences_.signal(packet.fence, packet.value, by);
}

void Scheduler::packet_completed(Engine& engine, std::uint32_t, DmaPacket packet) {
  completions_.push_back({node_index(engine), std::move(packet)});
  schedule_.notify(sc_core::SC_ZERO_TIME);
}

void Scheduler::complete(Completion& completion) {
  DmaPacket& dma = completion.packet;
  Context& context = contexts_[dma.context];
  FENCELINE_ASSERT(!context.in_flight.empty() && context.in_flight.front().packet.id == dma.id,
                   std::string(name()) + ": " + context.config.name + " packets completed out of order");
  const Context::InFlight done = std::move(context.in_flight.front());
  context.in_flight.pop_front();
  context.turn_used_ps += dma.finished_ps - dma.started_ps;
  for (const auto& [slot, at_ps] : dma.timestamps) {
    timestamps_.push_back({static_cast<ContextId>(dma.context), dma.id, slot, at_ps});
  }
  --outstanding_;
  record(context, done.packet, &dma);
  for (const QueuePacket& signal : done.signals) signal_now(context, signal, static_cast<Signaller>(completion.node));
  wake(dma.context);
}

void Scheduler::record(const Context& context, const QueuePacket& packet, const DmaPacket* dma) {
  if (!log_.enabled()) return;
  PacketRecord record{};
  record.id = packet.id;
  record.context = context.path;
  record.type = packet.type;
  record.preemptions = packet.preemptions;
  record.fence_value = packet.value;
  record.submitted_ps = packet.submitted_ps;
  record.head_ps = packet.head_ps;
  record.ready_ps = packet.ready_ps;
  record.completed_ps = now_ps();
  if (dma != nullptr) {
    record.node = log_.name(nodes_[context.config.node].engine->name());
    record.label = dma->label;
    record.submission_fence_id = dma->submission_fence_id;
    record.hardware_ps = dma->hardware_ps;
    record.started_ps = dma->started_ps;
    record.finished_ps = dma->finished_ps;
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
