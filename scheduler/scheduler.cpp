// SPDX-License-Identifier: Apache-2.0
#include "scheduler/scheduler.hpp"

#include "sim/assert.hpp"
#include "sim/duration.hpp"
#include "sim/kernel/kernel.hpp"
#include "sim/kernel/now.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace fenceline {

Scheduler::Scheduler(sc_core::sc_module_name module_name, const SchedulerConfig& config,
                     const std::vector<Engine*>& nodes, FenceUnit& fences, EventLog& log)
    : sc_module(module_name),
      config_(config),
      latency_ps_(ps_of_us(config.isr_us) + ps_of_us(config.dpc_us)),
      policy_(traits_of(config.policy)),
      preemption_timeout_ps_(policy_.stop_timeout ? ps_of_us(config.preemption_timeout_us) : never),
      random_(config.seed),
      fences_(fences),
      log_(log),
      agenda_("agenda"),
      schedule_("schedule", Callback::to<&Scheduler::schedule>(this)),
      settle_("settle", Callback::to<&Scheduler::settle>(this)),
      timer_("timer", Callback::to<&Scheduler::time_is_up>(this)) {
  for (Engine* engine : nodes) {
    engine->set_listener(*this);
    Node node{};
    node.engine = engine;
    node.floor = BandFloor(config.target_normal_band_percentage);
    node.ready = ReadyContexts(policy_, config.judged_one_by_one);
    node.path = log.name(engine->name());
    node.queues.resize(engine->engine_config().hardware_queues);
    if (policy_.process_slices) {
      const std::string& runlist = engine->engine_config().runlist;
      const auto known = std::find_if(runlists_.begin(), runlists_.end(), [&](const Runlist& one) {
        return !runlist.empty() && one.name == runlist;  // without a name the engine has one of its own
      });
      node.runlist = static_cast<std::uint32_t>(known - runlists_.begin());
      if (known == runlists_.end()) runlists_.emplace_back().name = runlist;
      runlists_[node.runlist].nodes.push_back(static_cast<std::uint32_t>(nodes_.size()));
    }
    nodes_.push_back(std::move(node));
  }
  create_process({});
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
  packet.wait_slot = waits_.add({static_cast<std::uint32_t>(context), reached, now_ps(), now_ps(), next_packet_id_});
  if (!reached) fences_.wait(fence, value, *this, packet.wait_slot);
  enqueue(static_cast<std::uint32_t>(context), std::move(packet));
}

void Scheduler::present(ContextId context, FenceId frames, std::uint64_t frame, Callback reached) {
  QueuePacket packet;
  packet.type = PacketType::present;
  packet.fence = frames;
  packet.value = frame;
  packet.reached = reached;
  enqueue(static_cast<std::uint32_t>(context), std::move(packet));
  const std::optional<std::uint32_t>& limit = config_.queued_present_limit;
  if (limit && frame >= *limit) wait(context, frames, frame - *limit + 1);
}

void Scheduler::enqueue(std::uint32_t context, QueuePacket packet) {
  if (packet.type != PacketType::render) fences_.hold(packet.fence);
  packet.id = next_packet_id_++;
  packet.submitted_ps = now_ps();
  ++outstanding_;
  rounds_ = 0;
  if (log_.enabled()) {
    const ContextConfig& config = contexts_[context].config;
    const bool fence = packet.type != PacketType::render;
    log_.queued({path_of(contexts_[context]), nodes_[config.node].path, packet.id, packet.type,
                 fence ? fences_.log_name_of(packet.fence) : LogName{}, packet.value,
                 fence ? fences_.value(packet.fence) : 0, now_ps()});
  }
  contexts_[context].software_queue.push_back(std::move(packet));
  wake(context);
}

std::vector<StuckContext> Scheduler::stuck() const {
  std::vector<StuckContext> result;
  const auto waits = [this](const QueuePacket& packet) {
    return packet.type == PacketType::wait && !waits_[packet.wait_slot].reached;
  };
  contexts_.for_each([&](std::uint32_t i, const Context& context) {
    const QueuePacket* first = !context.in_flight.empty()        ? &context.in_flight.front().packet
                               : !context.software_queue.empty() ? &context.software_queue.front()
                                                                 : nullptr;
    if (first == nullptr || !waits(*first)) return;
    result.push_back({static_cast<ContextId>(i), first->fence, first->value});
  });
  return result;
}

std::vector<ContextId> Scheduler::busy() const {
  std::vector<ContextId> result;
  contexts_.for_each([&](std::uint32_t i, const Context& context) {
    if (context.in_flight.empty() && context.software_queue.empty()) return;
    result.push_back(static_cast<ContextId>(i));
  });
  return result;
}

std::vector<ContextId> Scheduler::holders(FenceId fence, std::uint64_t value) const {
  std::vector<ContextId> result;
  contexts_.for_each([&](std::uint32_t i, const Context& context) {
    const auto& queue = context.software_queue;
    const auto brings = [&](const QueuePacket& packet) {
      return packet.type == PacketType::signal && packet.fence == fence && packet.value >= value;
    };
    const auto& in_flight = context.in_flight;
    const bool holds = std::any_of(queue.begin(), queue.end(), brings) ||
                       std::any_of(in_flight.begin(), in_flight.end(), [&](const Context::InFlight& one) {
                         return std::any_of(one.signals.begin(), one.signals.end(), brings);
                       });
    if (holds) result.push_back(static_cast<ContextId>(i));
  });
  return result;
}

void Scheduler::wake(std::uint64_t id) {
  const auto index = static_cast<std::uint32_t>(id);
  if (!contexts_.contains(index) || std::exchange(contexts_[index].awake, true)) return;
  awake_.push_back(index);
  schedule_.request();
}

void Scheduler::reconsider(std::uint64_t) { schedule_.request(); }

/// A quantum or grace period is over. What the engines do at this moment comes first: a packet that ends need not be
/// stopped, and a unit of work that begins on the boundary has begun.
void Scheduler::time_is_up(std::uint64_t) { settle_.request(); }

void Scheduler::settle(std::uint64_t) { Kernel::when_settled(Callback::to<&Scheduler::settled>(this)); }

void Scheduler::settled(std::uint64_t) {
  as_method([this] { schedule(0); });
}

void Scheduler::schedule(std::uint64_t) {
  if (gave_up() || ++rounds_ > config_.rounds_without_progress) return;
  // SystemC gives events of one moment no order: nodes and packets do.
  std::vector<Report> due;
  const auto later = std::stable_partition(reports_.begin(), reports_.end(),
                                           [](const Report& report) { return report.due_ps <= now_ps(); });
  due.assign(std::make_move_iterator(reports_.begin()), std::make_move_iterator(later));
  reports_.erase(reports_.begin(), later);
  std::sort(due.begin(), due.end(), [](const Report& a, const Report& b) {
    if (a.due_ps != b.due_ps) return a.due_ps < b.due_ps;
    return a.node != b.node ? a.node < b.node : a.fence_id < b.fence_id;
  });
  std::vector<const Report*> fresh;
  for (Report& report : reports_) {
    if (std::exchange(report.fresh, false) && !report.preempted) fresh.push_back(&report);
  }
  std::sort(fresh.begin(), fresh.end(), [](const Report* a, const Report* b) {
    return a->node != b->node ? a->node < b->node : a->fence_id < b->fence_id;
  });
  for (const Report* report : fresh) write_signals(*report);
  for (Report& report : due) report.preempted ? preempted(report) : complete(report);
  while (!awake_.empty()) {  // a signal may wake further contexts
    std::sort(awake_.begin(), awake_.end());
    const std::vector<std::uint32_t> round = std::exchange(awake_, {});
    for (const std::uint32_t context : round) contexts_[context].awake = false;
    for (const std::uint32_t context : round) {
      advance(context);
      close_if_done(context);
    }
  }
  judge_focus();
  for (std::uint32_t runlist = 0; runlist < runlists_.size(); ++runlist) consider(runlist);
  for (std::uint32_t node = 0; node < nodes_.size(); ++node) serve(node);
  for (Node& node : nodes_) warn_overdue(node);
  log_states();
  free_closed();
  set_timer();
}

/// When there is something to decide without news. A timer of its own instead of the agenda's: it is taken back when
/// nobody waits any more, so that the simulation ends with its work.
void Scheduler::set_timer() {
  std::uint64_t next_ps = never;
  for (const Node& node : nodes_) {
    next_ps = std::min(next_ps, node.retry_ps);
    for (const HardwareQueue& queue : node.queues) next_ps = std::min(next_ps, queue.overdue_ps);
  }
  for (const Runlist& runlist : runlists_) {
    if (runlist.demanded && !runlist.switching) next_ps = std::min(next_ps, runlist.slice_end_ps);
  }
  timer_.set(std::min(next_ps, outstays_ps_));
}

/// Takes the packets at the head of a context that need no engine, until one does or must wait.
void Scheduler::advance(std::uint32_t index) {
  Context& context = contexts_[index];
  while (!context.suspended && !context.software_queue.empty()) {
    QueuePacket& packet = context.software_queue.front();
    if (packet.head_ps == QueuePacket::no_time) packet.head_ps = now_ps();
    switch (packet.type) {
      case PacketType::wait: {
        // Nothing passes a wait on the hardware, not even another wait.
        const bool behind_wait = std::any_of(context.in_flight.begin(), context.in_flight.end(),
                                             [](const auto& one) { return one.packet.type == PacketType::wait; });
        if (waits_[packet.wait_slot].reached && !behind_wait) {
          if (context.ready) withdraw(index);
          if (pass_wait(context, packet, index)) break;
          return;
        }
        // One that had to give way there waits here.
        if (config_.hardware_waits && packet.preemptions == 0) get_ready(context, packet, index);
        return;
      }
      case PacketType::signal:
      case PacketType::present:
        if (packet.ready_ps == QueuePacket::no_time) packet.ready_ps = now_ps();
        if (context.in_flight.empty() || (packet.type == PacketType::signal && context.in_flight.back().ended)) {
          take_place(context, packet);
        } else {
          context.in_flight.back().signals.push_back(std::move(packet));
        }
        break;
      case PacketType::render: get_ready(context, packet, index); return;
    }
    context.software_queue.pop_front();
  }
}

/// The packet wants to go to the hardware.
void Scheduler::get_ready(Context& context, QueuePacket& packet, std::uint32_t index) {
  if (packet.ready_ps == QueuePacket::no_time) packet.ready_ps = now_ps();
  if (context.ready) return;
  context.ready = true;
  touch(index);
  begin_wanting(context, packet.id);
  Node& node = nodes_[context.config.node];
  node.ready.add(ready_context(node, index));
  if (log_.enabled()) log_.ready({path_of(context), node.path, packet.id, now_ps()});
}

/// What was next of the context is not any more.
void Scheduler::withdraw(std::uint32_t index) {
  Context& context = contexts_[index];
  nodes_[context.config.node].ready.remove(index);
  context.ready = false;
  nodes_[context.config.node].leaving.push_back(index);
  touch(index);
}

/// The wait's fence has been there. True: the news has come, too, and the wait is over.
bool Scheduler::pass_wait(Context& context, QueuePacket& packet, std::uint32_t index) {
  const Wait& wait = waits_[packet.wait_slot];
  if (wait.known_ps > now_ps()) {
    agenda_.at<&Scheduler::wake>(wait.known_ps, this, index);
    return false;
  }
  packet.ready_ps = now_ps();
  waits_.remove(packet.wait_slot);
  --outstanding_;
  record(context, packet, nullptr);
  fences_.let_go(packet.fence);
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
  rounds_ = 0;
  wait.reached = true;
  wait.release_ps = now_ps();
  wait.known_ps = by == Signaller::cpu ? now_ps() : std::max(now_ps(), signal_known_ps_);
  const Context& context = contexts_[wait.context];
  const auto& queue = context.software_queue;
  const bool at_head = !queue.empty() && queue.front().type == PacketType::wait && queue.front().wait_slot == slot;
  const bool on_hardware = std::any_of(context.in_flight.begin(), context.in_flight.end(),
                                       [&](const Context::InFlight& one) { return one.packet.id == wait.packet; });
  // Nobody waits yet when the context still has other packets before this one.
  if (!at_head && !on_hardware) return;
  released_ = released_at_ps_ == now_ps() ? released_ : 0;
  released_at_ps_ = now_ps();
  wait.release_ps += ps_of_ns(hop_ns + released_++ * config.fence_next_waiter_ns);
  wait.known_ps += wait.release_ps - now_ps();
  if (on_hardware) {
    agenda_.at<&Scheduler::release_wait>(wait.release_ps, this, slot);
  } else {
    wake(wait.context);
  }
}

/// The condition of a wait in a hardware queue holds.
void Scheduler::release_wait(std::uint64_t slot) {
  const Wait& wait = waits_[slot];
  if (!wait.reached || wait.release_ps > now_ps()) return;  // another one's by now
  if (!contexts_.contains(wait.context)) return;            // nobody's
  const Context& context = contexts_[wait.context];
  const bool on_hardware = std::any_of(context.in_flight.begin(), context.in_flight.end(),
                                       [&](const Context::InFlight& one) { return one.packet.id == wait.packet; });
  if (on_hardware) {
    nodes_[context.config.node].engine->release(context.hardware_queue, wait.packet);
    if (nodes_[context.config.node].contexts > 1) schedule_.request();  // it may have others stopped now
  } else {
    wake(wait.context);  // it was preempted meanwhile
  }
}

}  // namespace fenceline
