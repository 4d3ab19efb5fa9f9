// SPDX-License-Identifier: Apache-2.0
#include "scheduler/scheduler.hpp"

#include "sim/kernel/kernel.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace fenceline {
namespace {

/// The runlist of that name, with the node on it: one of its own without a name.
std::uint32_t runlist_of(std::vector<Runlist>& runlists, const std::string& name, std::uint32_t node) {
  const auto known = std::find_if(runlists.begin(), runlists.end(),
                                  [&](const Runlist& one) { return !name.empty() && one.name == name; });
  const auto index = static_cast<std::uint32_t>(known - runlists.begin());
  if (known == runlists.end()) runlists.emplace_back().name = name;
  runlists[index].nodes.push_back(node);
  return index;
}

}  // namespace

Scheduler::Scheduler(sc_core::sc_module_name module_name, const SchedulerConfig& config,
                     const std::vector<Engine*>& nodes, FenceUnit& fences, EventLog& log, const TdrConfig& tdr,
                     const PagingConfig& paging)
    : sc_module(module_name),
      config_(config),
      tdr_(tdr, config),
      paging_(paging),
      agenda_("agenda"),
      round_("schedule", Callback::to<&Scheduler::decide_round>(this)),
      state_{name(),  config_, traits_of(config.policy),           tdr_, fences, log,
             agenda_, round_,  InterruptLine(config, nodes.size())},
      log_(state_),
      waits_(state_),
      candidates_(state_, waits_),
      turns_(state_, candidates_),
      priorities_(state_, log_, turns_),
      preemptor_(state_, candidates_, log_),
      runlist_turns_(state_, preemptor_),
      residency_(state_, paging_, *this),
      budgets_(state_, residency_),
      queues_(state_, log_, waits_, candidates_, turns_, priorities_, residency_),
      suspensions_(state_, log_, waits_, queues_, preemptor_, residency_),
      filler_(state_, log_, waits_, candidates_, preemptor_, queues_, residency_),
      devices_(state_, log_, queues_),
      recovery_(state_, log_, queues_, preemptor_, runlist_turns_, devices_, residency_, *this),
      settle_("settle", Callback::to<&Scheduler::settle>(this)),
      timer_("timer", Callback::to<&Scheduler::time_is_up>(this)) {
  for (Engine* engine : nodes) {
    engine->set_listener(*this);
    Node node{};
    node.engine = engine;
    node.floor = BandFloor(config.target_normal_band_percentage);
    node.ready = ReadyContexts(state_.policy, config.judged_one_by_one);
    node.log_name = log.name(engine->name());
    node.queues.resize(engine->engine_config().hardware_queues);
    if (state_.policy.process_slices) {
      const auto index = static_cast<std::uint32_t>(state_.nodes.size());
      node.runlist = runlist_of(state_.runlists, engine->engine_config().runlist, index);
    }
    state_.nodes.push_back(std::move(node));
  }
  for (Node& node : state_.nodes) {
    const auto& names = node.engine->engine_config().dependent_nodes;
    for (std::uint32_t i = 0; i < state_.nodes.size(); ++i) {
      const Engine& other = *state_.nodes[i].engine;
      const bool named = std::find(names.begin(), names.end(), other.basename()) != names.end();
      const bool same_adapter = other.get_parent_object() == node.engine->get_parent_object();  // of linked ones
      if (named && same_adapter) node.dependents.push_back(i);
    }
  }
  create_process({});
}

void Scheduler::change(const SchedulerConfig& config) {
  config_.bands = config.bands;
  config_.enable_preemption = config.enable_preemption;
  priorities_.allow_anew();
}

void Scheduler::mark(ContextId context, const Marker& marker) {
  if (!state_.log.enabled()) return;
  log_.marked(log_.log_name_of(state_.contexts[static_cast<std::uint32_t>(context)]), marker);
}

std::uint64_t Scheduler::execute(ContextId context, std::shared_ptr<const CommandStream> stream,
                                 std::shared_ptr<CommandEffects> effects) {
  QueuePacket packet;
  packet.type = PacketType::render;
  packet.stream = std::move(stream);
  packet.effects = std::move(effects);
  return queues_.enqueue(static_cast<std::uint32_t>(context), std::move(packet));
}

std::uint64_t Scheduler::execute(const std::vector<ContextId>& contexts,
                                 const std::shared_ptr<const CommandStream>& stream,
                                 std::shared_ptr<CommandEffects> effects) {
  Broadcast broadcast{0, static_cast<std::uint32_t>(contexts.size())};
  for (const ContextId context : contexts) {
    QueuePacket packet;
    packet.type = PacketType::render;
    packet.stream = stream;
    packet.effects = std::exchange(effects, nullptr);
    const std::uint64_t id = queues_.enqueue(static_cast<std::uint32_t>(context), std::move(packet), broadcast);
    if (broadcast.first == 0) broadcast.first = id;
  }
  return broadcast.first;
}

namespace {

QueuePacket signal_of(FenceId fence, std::uint64_t value) {
  QueuePacket packet;
  packet.type = PacketType::signal;
  packet.fence = fence;
  packet.value = value;
  return packet;
}

}  // namespace

void Scheduler::signal(ContextId context, FenceId fence, std::uint64_t value) {
  queues_.enqueue(static_cast<std::uint32_t>(context), signal_of(fence, value));
}

void Scheduler::signal(const std::vector<ContextId>& contexts, FenceId fence, std::uint64_t value) {
  if (contexts.size() == 1) {
    signal(contexts.front(), fence, value);
    return;
  }
  const auto joint = std::make_shared<JointEnd>(JointEnd{static_cast<std::uint32_t>(contexts.size())});
  Broadcast broadcast{0, static_cast<std::uint32_t>(contexts.size())};
  for (const ContextId context : contexts) {
    QueuePacket packet = signal_of(fence, value);
    packet.joint = joint;
    const std::uint64_t id = queues_.enqueue(static_cast<std::uint32_t>(context), std::move(packet), broadcast);
    if (broadcast.first == 0) broadcast.first = id;
  }
}

void Scheduler::wait(ContextId context, FenceId fence, std::uint64_t value) {
  QueuePacket packet;
  packet.type = PacketType::wait;
  packet.fence = fence;
  packet.value = value;
  waits_.add(state_.place_of(context), packet);
  queues_.enqueue(static_cast<std::uint32_t>(context), std::move(packet));
}

void Scheduler::present(ContextId context, FenceId frames, std::uint64_t frame, Callback reached, Callback dropped) {
  present(std::vector<ContextId>{context}, frames, frame, reached, dropped);
}

void Scheduler::present(const std::vector<ContextId>& contexts, FenceId frames, std::uint64_t frame, Callback reached,
                        Callback dropped) {
  const auto joint =
      std::make_shared<JointEnd>(JointEnd{static_cast<std::uint32_t>(contexts.size()), reached, dropped});
  Broadcast broadcast{0, static_cast<std::uint32_t>(contexts.size())};
  for (const ContextId context : contexts) {
    QueuePacket packet;
    packet.type = PacketType::present;
    packet.fence = frames;
    packet.value = frame;
    packet.joint = joint;
    const std::uint64_t id = queues_.enqueue(static_cast<std::uint32_t>(context), std::move(packet), broadcast);
    if (broadcast.first == 0) broadcast.first = id;
    const std::optional<std::uint32_t>& limit = config_.queued_present_limit;
    if (limit && frame >= *limit) wait(context, frames, frame - *limit + 1);
  }
}

void Scheduler::decide_round(std::uint64_t) {
  if (gave_up() || bugchecked() || ++state_.rounds > config_.rounds_without_progress) return;
  std::vector<EngineReport> due = state_.interrupts.take_due();
  for (const EngineReport* report : state_.interrupts.take_fresh()) write_signals(*report);
  // A fault may reset other engines: what these have raised by now is handled.
  std::stable_partition(due.begin(), due.end(), [](const EngineReport& report) { return !report.page_fault; });
  for (EngineReport& report : due) handle(report);
  recovery_.consider(std::exchange(settled_, false));
  if (bugchecked()) return;
  if (std::exchange(state_.purged, false)) residency_.purged();
  advance_awake();
  priorities_.judge_focus();
  runlist_turns_.consider();
  for (Node& node : state_.nodes) serve(node);
  if (preemptor_.warns()) {
    for (Node& node : state_.nodes) preemptor_.warn_overdue(node);
  }
  log_.end_round();
  free_closed();
  set_timer();
}

/// What the contexts' software queues do by themselves.
void Scheduler::advance_awake() {
  while (!state_.awake.empty()) {  // a signal may wake further contexts
    std::sort(state_.awake.begin(), state_.awake.end());
    advancing_.swap(state_.awake);
    state_.awake.clear();
    for (const std::uint32_t context : advancing_) state_.contexts[context].awake = false;
    for (const std::uint32_t context : advancing_) {
      queues_.advance(context);
      Context& one = state_.contexts[context];
      suspensions_.look_at(one);
      if (one.closed && one.software_queue.empty() && one.in_flight.empty()) closed_.push_back(context);
    }
  }
}

/// Judges what waits on the hardware, and fills the node's hardware queues from its ready contexts.
void Scheduler::serve(Node& node) {
  node.retry_ps = Node::never;
  turns_.end_turns(node);
  if (node.held > 0 || (node.contexts < 2 && node.idle())) return;
  if (node.contexts > 1) {
    turns_.count_floor(node);
    preemptor_.judge_queues(node);
    preemptor_.judge_places(node);
  }
  filler_.fill(node);
  if (config_.hardware_waits && config_.caps.preemption_aware) preemptor_.yield_waits(node);
}

/// When there is something to decide without news. A timer of its own instead of the agenda's: it is taken back when
/// nobody waits any more, so that the simulation ends with its work.
void Scheduler::set_timer() {
  std::uint64_t next_ps = std::min(runlist_turns_.next_end_ps(), priorities_.outstays_ps());
  next_ps = std::min(next_ps, recovery_.next_ps());
  for (const Node& node : state_.nodes) {
    next_ps = std::min(next_ps, node.retry_ps);
    if (!preemptor_.warns()) continue;
    for (const NodeQueue& queue : node.queues) next_ps = std::min(next_ps, queue.overdue_ps);
  }
  timer_.set(next_ps);
}

/// A quantum or grace period is over. What the engines do at this moment comes first: a packet that ends need not be
/// stopped, and a unit of work that begins on the boundary has begun.
void Scheduler::time_is_up(std::uint64_t) { settle_.request(); }

void Scheduler::settle(std::uint64_t) { Kernel::when_settled(Callback::to<&Scheduler::settled>(this)); }

void Scheduler::settled(std::uint64_t) {
  as_method([this] {
    settled_ = true;
    decide_round(0);
  });
}

std::vector<StuckContext> Scheduler::stuck() const {
  std::vector<StuckContext> result;
  state_.contexts.for_each([&](std::uint32_t i, const Context& context) {
    const QueuePacket* first = !context.in_flight.empty()        ? &context.in_flight.front().packet
                               : !context.software_queue.empty() ? &context.software_queue.front()
                                                                 : nullptr;
    if (first == nullptr || !waits_.blocks(*first)) return;
    result.push_back({static_cast<ContextId>(i), first->fence, first->value});
  });
  return result;
}

std::vector<ContextId> Scheduler::stuck_on_hardware() const {
  std::vector<ContextId> result;
  for (const Node& node : state_.nodes) {
    for (std::uint32_t queue = 0; queue < node.queues.size(); ++queue) {
      if (!node.engine->stuck(queue)) continue;
      result.push_back(static_cast<ContextId>(node.engine->first_packet(queue)->context));
    }
  }
  return result;
}

std::vector<ContextId> Scheduler::busy() const {
  std::vector<ContextId> result;
  state_.contexts.for_each([&](std::uint32_t i, const Context& context) {
    if (context.in_flight.empty() && context.software_queue.empty()) return;
    result.push_back(static_cast<ContextId>(i));
  });
  return result;
}

std::vector<ContextId> Scheduler::holders(FenceId fence, std::uint64_t value) const {
  std::vector<ContextId> result;
  state_.contexts.for_each([&](std::uint32_t i, const Context& context) {
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

std::vector<ContextId> Scheduler::held() const {
  std::vector<ContextId> result;
  state_.contexts.for_each([&](std::uint32_t i, const Context& context) {
    if (context.suspended() && !context.software_queue.empty()) result.push_back(static_cast<ContextId>(i));
  });
  return result;
}

}  // namespace fenceline
