// SPDX-License-Identifier: Apache-2.0
#include "scheduler/checker/rule_checker.hpp"

#include "scheduler/config/scheduler_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace fenceline {

SchedulingRules rules_of(const SchedulerConfig& config) {
  SchedulingRules rules;
  rules.policy = &traits_of(config.policy);
  for (std::size_t i = 0; i < priority_bands; ++i) {
    const Allowance allowance = allowance_of(config, static_cast<PriorityBand>(i));
    rules.process_quantum_ps[i] = allowance.process_quantum_ps;
    rules.process_grace_ps[i] = allowance.process_grace_ps;
  }
  rules.floor = rules.policy->bands ? config.target_normal_band_percentage / 100 : 0;
  rules.preempts = config.enable_preemption && config.caps.preemption_aware;
  return rules;
}

RuleChecker::RuleChecker(const SchedulingRules& rules, const std::vector<NodeLimits>& nodes, EventLog& log,
                         Violations& violations)
    : rules_(rules), log_(log), violations_(violations) {
  for (const NodeLimits& limits : nodes) {
    Node node;
    node.path = log.name(limits.path);
    node.depth = limits.hardware_queue_depth;
    node.stops_inside = rules.preempts && traits_of(limits.stops_at).has(level_rule::stops_packets);
    node.withholds = rules.preempts && traits_of(limits.stops_at).has(level_rule::withholds_packets);
    node.queues.resize(limits.hardware_queues);
    node_index_[node.path] = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back(std::move(node));
  }
}

void RuleChecker::tick(std::uint64_t at_ps) {
  now_ps_ = std::max(now_ps_, at_ps);
  ++events_;
}

RuleChecker::Packet* RuleChecker::packet_of(std::uint64_t id) {
  const auto found = packets_.find(id);
  return found == packets_.end() ? nullptr : &found->second;
}

RuleChecker::Node* RuleChecker::node_of(LogName name) {
  const auto found = node_index_.find(name);
  return found == node_index_.end() ? nullptr : &nodes_[found->second];
}

RuleChecker::Queue* RuleChecker::queue_of(LogName name, std::uint32_t queue) {
  Node* node = node_of(name);
  return node != nullptr && queue < node->queues.size() ? &node->queues[queue] : nullptr;
}

RuleChecker::Context* RuleChecker::context_of(LogName name) {
  const auto found = context_index_.find(name);
  return found == context_index_.end() ? nullptr : &contexts_[found->second];
}

std::string RuleChecker::label(std::uint64_t id) const {
  const auto found = packets_.find(id);
  if (found == packets_.end()) return fmt::format("packet {}", id);
  return fmt::format("packet {} of {}", id, text(contexts_[found->second.context].path));
}

/// Who goes before whom, whatever has run. `open`: the floor decides, or nothing but the order of submission does.
RuleChecker::Standing RuleChecker::standing(const Context& a, const Context& b) const {
  const auto compared = [](auto x, auto y) {
    return x > y ? Standing::above : x < y ? Standing::below : Standing::equal;
  };
  if (!rules_.policy->has_ranks()) return Standing::open;
  const bool beside_focus = std::min(a.band, b.band) == 1 && std::max(a.band, b.band) == 2;
  if (rules_.floor > 0 && beside_focus) return Standing::open;
  if (a.band != b.band) return compared(a.band, b.band);
  if (a.level != b.level) return compared(a.level, b.level);
  const bool comparable = rules_.policy->ranks == Ranks::everybody || a.process == b.process;
  return comparable ? compared(a.in_process, b.in_process) : Standing::equal;
}

bool RuleChecker::wants(const Context& context) const {
  return context.ready_packet != 0 || !context.on_node.empty() || context.returned > 0;
}

void RuleChecker::context(const ContextRecord& record) {
  tick(record.at_ps);
  const auto node = node_index_.find(record.node);
  if (node == node_index_.end()) return;
  const auto [entry, is_new] = context_index_.try_emplace(record.context, contexts_.size());
  if (is_new) {
    contexts_.emplace_back();
    nodes_[node->second].contexts.push_back(entry->second);
  }
  Context& context = contexts_[entry->second];
  const bool moves =
      context.band != record.band || context.level != record.level || context.in_process != record.in_process;
  context.path = record.context;
  context.process = record.process;
  context.node = node->second;
  context.band = record.band;
  context.level = record.level;
  context.in_process = record.in_process;
  context.quantum_ps = record.quantum_ps;
  context.grace_ps = record.grace_ps;
  context.grace_same_priority_ps = record.grace_same_priority_ps;
  context.changed_ps = now_ps_;
  if (is_new || !moves) return;
  look_at_wants(context);
  // What it had of a turn elsewhere, and when it came: the rules do not say.
  for (Party& party : nodes_[context.node].parties) {
    if (party.process != context.process) continue;
    for (Used& used : party.used) used.least_ps = 0;
    party.came_early_ps = 0;
    party.came_late_ps = never;
  }
  take_turns_along(context);
}

void RuleChecker::queued(const QueuedRecord& record) {
  tick(record.at_ps);
  const auto context = context_index_.find(record.context);
  if (context == context_index_.end()) return;
  progress();
  Packet packet;
  packet.type = record.type;
  packet.context = context->second;
  packet.queued_at = events_;
  packets_.emplace(record.packet, packet);
}

void RuleChecker::ready(const ReadyRecord& record) {
  tick(record.at_ps);
  Packet* packet = packet_of(record.packet);
  if (packet == nullptr) return;
  Context& context = contexts_[packet->context];
  packet->ready_first_ps = std::min(packet->ready_first_ps, record.at_ps);
  packet->ready_ps = record.at_ps;
  if (packet->returned) {
    packet->returned = false;
    --context.returned;
  }
  context.ready_packet = record.packet;
  look_at_wants(context);
}

void RuleChecker::submission(const SubmissionRecord& record) {
  tick(record.at_ps);
  Packet* packet = packet_of(record.packet);
  Queue* queue = queue_of(record.node, record.hardware_queue);
  if (packet == nullptr || queue == nullptr) return;
  Node& node = *node_of(record.node);
  Context& context = contexts_[packet->context];
  round(node, "submissions");
  while (!queue->news.empty() && queue->news.front() <= now_ps_) queue->news.pop_front();
  if (queue->packets.size() < node.depth && queue->packets.size() + queue->news.size() >= node.depth) {
    violations_.add(record.at_ps, label(record.packet) + " to " + text(record.node),
                    "a place that the scheduler knows to be free (rule 17)",
                    "one whose packet has ended, which it learns at " + Violations::time_of(queue->news.back()));
  }
  check_handed_over(record, *packet);
  if (packet->returned) {
    packet->returned = false;
    --context.returned;
  }
  if (context.ready_packet == record.packet) context.ready_packet = 0;
  context.on_node.push_back(record.packet);
  packet->place = Place::hardware;
  packet->queue = record.hardware_queue;
  packet->submitted_ps = record.at_ps;
  packet->ran = packet->restored = false;
  queue->packets.push_back(record.packet);
  party_of(node, context, true).served = true;
  look_at_wants(context);
}

void RuleChecker::span(const Span& span) {
  if (span.kind == SpanKind::restore) {
    // One that takes no time keeps nobody from working.
    Packet* packet = packet_of(span.id);
    if (packet != nullptr && span.end_ps > span.start_ps) packet->restored = true;
  }
  if (span.kind != SpanKind::packet) return;
  tick(span.end_ps);
  Packet* packet = packet_of(span.id);
  if (packet == nullptr || packet->place != Place::hardware) return;
  Node& node = node_of(*packet);
  Queue& queue = node.queues[packet->queue];
  packet->ran = true;
  if (span.end_ps > span.start_ps) {
    packet->idle_rounds = packet->timeless_rounds = 0;
    progress();
  }
  const bool left_alone = packet->type == PacketType::render && queue.request && queue.request->stops_ps == never;
  if (span.stopped && left_alone) {
    violations_.add(span.end_ps, label(span.id) + " on " + text(node.path),
                    "it left to finish: what is queued behind it was in the way (rule 12)", "it stopped");
  }
  check_begun(node, span.id, *packet, span);
  check_turn_over(node, packet->queue, *packet, span.start_ps);
  check_floor(node, packet->queue, *packet, span);
  check_still_running(node, packet->queue, span.id, *packet, span);
  use(node, packet->queue, *packet, span);
  queue.free_ps = std::max(queue.free_ps, span.end_ps);
}

void RuleChecker::interrupt(const InterruptRecord& record) {
  if (record.type != InterruptType::dma_completed && record.type != InterruptType::dma_preempted) return;
  tick(record.at_ps);
  Queue* queue = queue_of(record.node, record.hardware_queue);
  if (queue == nullptr) return;
  Node& node = *node_of(record.node);
  while (!queue->pieces.empty() && queue->pieces.front().known_ps <= now_ps_) queue->pieces.pop_front();
  if (!queue->pieces.empty()) queue->pieces.back().known_ps = std::min(queue->pieces.back().known_ps, record.dpc_ps);
  if (record.type == InterruptType::dma_completed) {
    if (queue->packets.empty()) return;
    packets_.at(queue->packets.front()).place = Place::done;
    queue->packets.pop_front();
    queue->news.push_back(record.dpc_ps);
    progress();
  } else {
    for (const std::uint64_t id : queue->packets) {
      Packet& packet = packets_.at(id);
      if (!packet.ran) check_turn_over(node, record.hardware_queue, packet, record.at_ps);
      check_work_done(node, id, packet);
    }
    queue->request.reset();
    queue->turns_over.clear();
  }
  queue->known_before_ps = queue->known_ps;
  queue->known_ps = std::max(queue->known_ps, record.dpc_ps);
}

/// The scheduler has learned that what the hardware queue held is back.
void RuleChecker::preemption(const PreemptionRecord& record) {
  Queue* queue = queue_of(record.node, record.hardware_queue);
  if (queue == nullptr) return;
  tick(queue->known_ps);
  std::set<std::uint32_t> waiting;  // contexts that want nothing before a wait is over
  for (const std::uint64_t id : queue->packets) {
    Packet& packet = packets_.at(id);
    Context& context = contexts_[packet.context];
    packet.place = Place::software;
    context.on_node.erase(std::find(context.on_node.begin(), context.on_node.end(), id));
    context.ready_packet = 0;
    if (packet.type == PacketType::wait) waiting.insert(packet.context);
    if (waiting.count(packet.context) == 0 && !context.suspended) {
      packet.returned = true;
      ++context.returned;
    }
  }
  const std::deque<std::uint64_t> back = std::exchange(queue->packets, {});
  for (const std::uint64_t id : back) look_at_wants(contexts_[packets_.at(id).context]);
}

void RuleChecker::packet(const PacketRecord& record) {
  tick(record.completed_ps);
  const auto found = packets_.find(record.id);
  if (found == packets_.end()) return;
  progress();
  Context& context = contexts_[found->second.context];
  if (record.type == PacketType::wait) context.waited_ps = record.completed_ps;
  leaves(context, record.id);
  packets_.erase(found);
  look_at_wants(context);
}

void RuleChecker::leaves(Context& context, std::uint64_t id) {
  const Packet& packet = packets_.at(id);
  if (context.ready_packet == id) context.ready_packet = 0;
  if (packet.returned) --context.returned;
  const auto there = std::find(context.on_node.begin(), context.on_node.end(), id);
  if (there != context.on_node.end()) context.on_node.erase(there);
  if (packet.place != Place::hardware) return;  // else it was aborted there
  auto& packets = nodes_[context.node].queues[packet.queue].packets;
  const auto held = std::find(packets.begin(), packets.end(), id);
  if (held != packets.end()) packets.erase(held);
}

void RuleChecker::instant(const Instant& instant) {
  if (instant.kind == InstantKind::other) return;
  Context* context = context_of(instant.track);
  if (context == nullptr) return;
  tick(instant.at_ps);
  context->suspended = instant.kind == InstantKind::suspended;
  if (!context->suspended) return;
  context->ready_packet = 0;
  for (auto& [id, packet] : packets_) {
    if (packet.returned && &contexts_[packet.context] == context) packet.returned = false;
  }
  context->returned = 0;
  look_at_wants(*context);
}

/// The context's process, and its band, may want the node now, or no more.
void RuleChecker::look_at_wants(Context& changed) {
  Node& node = nodes_[changed.node];
  party_of(node, changed, true);
  party_of(node, changed, false);
  look_at_bands(node);
  for (Party& one : node.parties) {
    if (one.process != changed.process) continue;
    bool wanted = false;
    bool elsewhere = false;  // with another rank
    for (const std::uint32_t index : node.contexts) {
      const Context& context = contexts_[index];
      const bool is_its = one.is_process ? context.process == one.process : context.path == one.owner;
      if (!is_its || !wants(context)) continue;
      const bool here = context.band == one.band && context.level == one.level;
      (here ? wanted : elsewhere) = true;
    }
    const bool was_away = one.away;
    one.away = !wanted && elsewhere && (one.wants || one.away);
    if (wanted == one.wants) continue;
    one.wants = wanted;
    if (!wanted) {
      one.idle_ps = now_ps_;
      one.idle_at = events_;
      continue;
    }
    const std::uint64_t next = changed.ready_packet;
    const bool followed = one.idle_ps == now_ps_ && next != 0 && packets_.at(next).queued_at < one.idle_at &&
                          changed.waited_ps != now_ps_;
    if (followed) continue;  // it never ceased to want the node
    const bool may_go_on = was_away || one.idle_ps == now_ps_;
    for (Used& used : one.used) {
      used.least_ps = 0;
      if (!may_go_on) used = {};
    }
    one.came_late_ps = now_ps_;
    if (!may_go_on) {
      one.came_early_ps = now_ps_;
      one.served = false;
    }
  }
}

}  // namespace fenceline
