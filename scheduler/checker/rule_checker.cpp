// SPDX-License-Identifier: Apache-2.0
#include "scheduler/checker/rule_checker.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace fenceline {

RuleChecker::RuleChecker(const SchedulingRules& rules, const std::vector<NodeLimits>& nodes, EventLog& log,
                         Violations& violations)
    : violations_(violations), model_(rules, nodes, log) {
  floors_.reserve(nodes.size());
  for (std::size_t node = 0; node < model_.nodes.size(); ++node) floors_.emplace_back(model_, node, violations);
}

void RuleChecker::context(const ContextRecord& record) {
  model_.tick(record.at_ps);
  const auto node = model_.node_index.find(record.node);
  if (node == model_.node_index.end()) return;
  const auto [entry, is_new] = model_.context_index.try_emplace(record.context, model_.contexts.size());
  if (is_new) {
    model_.contexts.emplace_back();
    model_.nodes[node->second].contexts.push_back(entry->second);
  }
  Context& context = model_.contexts[entry->second];
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
  context.changed_ps = model_.now_ps;
  if (is_new || !moves) return;
  look_at_wants(context);
  // What it had of a turn elsewhere, and when it came: the rules do not say.
  for (Party& party : model_.nodes[context.node].parties) {
    if (party.process != context.process) continue;
    for (Used& used : party.used) used.least_ps = 0;
    party.came_early_ps = 0;
    party.came_late_ps = never;
  }
  take_turns_along(context);
}

void RuleChecker::queued(const QueuedRecord& record) {
  model_.tick(record.at_ps);
  const auto context = model_.context_index.find(record.context);
  if (context == model_.context_index.end()) return;
  progress();
  Packet packet;
  packet.type = record.type;
  packet.context = context->second;
  packet.queued_at = model_.events;
  model_.packets.emplace(record.packet, packet);
}

void RuleChecker::ready(const ReadyRecord& record) {
  model_.tick(record.at_ps);
  Packet* packet = model_.packet_of(record.packet);
  if (packet == nullptr) return;
  Context& context = model_.contexts[packet->context];
  packet->ready_first_ps = std::min(packet->ready_first_ps, record.at_ps);
  packet->ready_ps = record.at_ps;
  model_.goes_on(context, record.packet);
  if (packet->returned) {
    packet->returned = false;
    --context.returned;
  }
  context.ready_packet = record.packet;
  look_at_wants(context);
}

void RuleChecker::submission(const SubmissionRecord& record) {
  model_.tick(record.at_ps);
  Packet* packet = model_.packet_of(record.packet);
  Queue* queue = model_.queue_of(record.node, record.hardware_queue);
  if (packet == nullptr || queue == nullptr) return;
  Node& node = *model_.node_of(record.node);
  Context& context = model_.contexts[packet->context];
  round(node, "submissions");
  while (!queue->news.empty() && queue->news.front() <= model_.now_ps) queue->news.pop_front();
  if (queue->packets.size() < node.depth && queue->packets.size() + queue->news.size() >= node.depth) {
    violations_.add(record.at_ps, model_.label(record.packet) + " to " + model_.text(record.node),
                    "a place that the scheduler knows to be free (rule 17)",
                    "one whose packet has ended, which it learns at " + Violations::time_of(queue->news.back()));
  }
  const bool follows = model_.rules.back_to_back && record.piece > 1;  // the piece before, whatever waits
  if (!follows) check_handed_over(record, *packet);
  packet->last = record.last;
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
    Packet* packet = model_.packet_of(span.id);
    if (packet != nullptr && span.end_ps > span.start_ps) packet->restored = true;
  }
  if (span.kind != SpanKind::packet) return;
  model_.tick(span.end_ps);
  Packet* packet = model_.packet_of(span.id);
  if (packet == nullptr || packet->place != Place::hardware) return;
  Node& node = model_.node_of(*packet);
  Queue& queue = node.queues[packet->queue];
  packet->ran = true;
  if (span.end_ps > span.start_ps) {
    packet->idle_rounds = packet->timeless_rounds = 0;
    progress();
  }
  const bool left_alone =
      packet->type == PacketType::render && node.held_ps == never && queue.request && queue.request->stops_ps == never;
  if (span.stopped && left_alone) {
    violations_.add(span.end_ps, model_.label(span.id) + " on " + model_.text(node.path),
                    "it left to finish: what is queued behind it was in the way (rule 12)", "it stopped");
  }
  check_begun(node, span.id, *packet, span);
  check_turn_over(node, packet->queue, *packet, span.start_ps);
  floors_[model_.contexts[packet->context].node].check(*packet, span);
  check_still_running(node, packet->queue, span.id, *packet, span);
  use(node, packet->queue, *packet, span);
  queue.free_ps = std::max(queue.free_ps, span.end_ps);
}

void RuleChecker::interrupt(const InterruptRecord& record) {
  if (record.type != InterruptType::dma_completed && record.type != InterruptType::dma_preempted) return;
  model_.tick(record.at_ps);
  Queue* queue = model_.queue_of(record.node, record.hardware_queue);
  if (queue == nullptr) return;
  Node& node = *model_.node_of(record.node);
  while (!queue->pieces.empty() && queue->pieces.front().known_ps <= model_.now_ps) queue->pieces.pop_front();
  if (!queue->pieces.empty()) queue->pieces.back().known_ps = std::min(queue->pieces.back().known_ps, record.dpc_ps);
  if (record.type == InterruptType::dma_completed) {
    if (queue->packets.empty()) return;
    Packet& ended = model_.packets.at(queue->packets.front());
    ended.place = Place::done;
    ended.between = !ended.last;
    queue->packets.pop_front();
    queue->news.push_back(record.dpc_ps);
    progress();
  } else {
    for (const std::uint64_t id : queue->packets) {
      Packet& packet = model_.packets.at(id);
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
  Queue* queue = model_.queue_of(record.node, record.hardware_queue);
  if (queue == nullptr) return;
  model_.tick(queue->known_ps);
  std::set<std::uint32_t> waiting;  // contexts that want nothing before a wait is over
  for (const std::uint64_t id : queue->packets) {
    Packet& packet = model_.packets.at(id);
    Context& context = model_.contexts[packet.context];
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
  for (const std::uint64_t id : back) look_at_wants(model_.contexts[model_.packets.at(id).context]);
}

void RuleChecker::packet(const PacketRecord& record) {
  model_.tick(record.completed_ps);
  const auto found = model_.packets.find(record.id);
  if (found == model_.packets.end()) return;
  progress();
  Context& context = model_.contexts[found->second.context];
  if (record.type == PacketType::wait) context.waited_ps = record.completed_ps;
  model_.leaves(context, record.id);
  model_.packets.erase(found);
  look_at_wants(context);
}

void RuleChecker::instant(const Instant& instant) {
  const bool waits = instant.kind == InstantKind::other && model_.text(instant.name) == "waits for video memory";
  if (instant.kind != InstantKind::suspended && instant.kind != InstantKind::resumed && !waits) return;
  Context* context = model_.context_of(instant.track);
  if (context == nullptr) return;
  model_.tick(instant.at_ps);
  if (waits) context->waited_ps = model_.now_ps;
  if (!waits) context->suspended = instant.kind == InstantKind::suspended;
  if (!context->suspended && !waits) return;
  context->ready_packet = 0;
  for (auto& [id, packet] : model_.packets) {
    if (packet.between && &model_.contexts[packet.context] == context) model_.goes_on(*context, id);
    if (packet.returned && &model_.contexts[packet.context] == context) packet.returned = false;
  }
  context->returned = 0;
  look_at_wants(*context);
}

/// The context's process, and its band, may want the node now, or no more.
void RuleChecker::look_at_wants(Context& changed) {
  Node& node = model_.nodes[changed.node];
  party_of(node, changed, true);
  party_of(node, changed, false);
  floors_[changed.node].look_at_bands();
  for (Party& one : node.parties) {
    if (one.process != changed.process) continue;
    bool wanted = false;
    bool elsewhere = false;  // with another rank
    for (const std::uint32_t index : node.contexts) {
      const Context& context = model_.contexts[index];
      const bool is_its = one.is_process ? context.process == one.process : context.path == one.owner;
      if (!is_its || !model_.wants(context)) continue;
      const bool here = context.band == one.band && context.level == one.level;
      (here ? wanted : elsewhere) = true;
    }
    const bool was_away = one.away;
    one.away = !wanted && elsewhere && (one.wants || one.away);
    if (wanted == one.wants) continue;
    one.wants = wanted;
    if (!wanted) {
      one.idle_ps = model_.now_ps;
      one.idle_at = model_.events;
      continue;
    }
    const std::uint64_t next = changed.ready_packet;
    const bool followed = one.idle_ps == model_.now_ps && next != 0 &&
                          model_.packets.at(next).queued_at < one.idle_at && changed.waited_ps != model_.now_ps;
    if (followed) continue;  // it never ceased to want the node
    const bool may_go_on = was_away || one.idle_ps == model_.now_ps;
    for (Used& used : one.used) {
      used.least_ps = 0;
      if (!may_go_on) used = {};
    }
    one.came_late_ps = model_.now_ps;
    if (!may_go_on) {
      one.came_early_ps = model_.now_ps;
      one.served = false;
    }
  }
}

}  // namespace fenceline
