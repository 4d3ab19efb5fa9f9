// SPDX-License-Identifier: Apache-2.0
#include "scheduler/checker/schedule_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fenceline {

ScheduleModel::ScheduleModel(const SchedulingRules& scheduling_rules, const std::vector<NodeLimits>& limits,
                             EventLog& event_log)
    : rules(scheduling_rules), log(event_log) {
  for (const NodeLimits& one : limits) {
    Node node;
    node.path = log.name(one.path);
    node.depth = one.hardware_queue_depth;
    node.stops_inside = rules.preempts && traits_of(one.stops_at).has(level_rule::stops_packets);
    node.withholds = rules.preempts && traits_of(one.stops_at).has(level_rule::withholds_packets);
    node.queues.resize(one.hardware_queues);
    node_index[node.path] = static_cast<std::uint32_t>(nodes.size());
    nodes.push_back(std::move(node));
  }
}

void ScheduleModel::tick(std::uint64_t at_ps) {
  now_ps = std::max(now_ps, at_ps);
  ++events;
}

ScheduleModel::Packet* ScheduleModel::packet_of(std::uint64_t id) {
  const auto found = packets.find(id);
  return found == packets.end() ? nullptr : &found->second;
}

ScheduleModel::Node* ScheduleModel::node_of(LogName name) {
  const auto found = node_index.find(name);
  return found == node_index.end() ? nullptr : &nodes[found->second];
}

ScheduleModel::Queue* ScheduleModel::queue_of(LogName name, std::uint32_t queue) {
  Node* node = node_of(name);
  return node != nullptr && queue < node->queues.size() ? &node->queues[queue] : nullptr;
}

ScheduleModel::Context* ScheduleModel::context_of(LogName name) {
  const auto found = context_index.find(name);
  return found == context_index.end() ? nullptr : &contexts[found->second];
}

std::string ScheduleModel::label(std::uint64_t id) const {
  const auto found = packets.find(id);
  if (found == packets.end()) return fmt::format("packet {}", id);
  return fmt::format("packet {} of {}", id, text(contexts[found->second.context].path));
}

ScheduleModel::Standing ScheduleModel::standing(const Context& a, const Context& b) const {
  const auto compared = [](auto x, auto y) {
    return x > y ? Standing::above : x < y ? Standing::below : Standing::equal;
  };
  if (!rules.policy->has_ranks()) return Standing::open;
  const bool beside_focus = std::min(a.band, b.band) == 1 && std::max(a.band, b.band) == 2;
  if (rules.floor > 0 && beside_focus) return Standing::open;
  if (a.band != b.band) return compared(a.band, b.band);
  if (a.level != b.level) return compared(a.level, b.level);
  const bool comparable = rules.policy->ranks == Ranks::everybody || a.process == b.process;
  return comparable ? compared(a.in_process, b.in_process) : Standing::equal;
}

bool ScheduleModel::wants(const Context& context) const {
  return context.ready_packet != 0 || !context.on_node.empty() || context.returned > 0;
}

std::uint64_t ScheduleModel::grace_of(const Context& running) const {
  if (!rules.policy->bands) return 0;
  return running.band == static_cast<std::uint8_t>(PriorityBand::idle) ? 0 : running.grace_ps;
}

bool ScheduleModel::takes_turns_with(const Context& a, const Context& b) const {
  if (!rules.policy->has_turns()) return false;
  return standing(a, b) == Standing::equal;
}

void ScheduleModel::goes_on(Context& context, std::uint64_t id) {
  Packet& packet = packets.at(id);
  if (!std::exchange(packet.between, false)) return;
  packet.place = Place::software;
  const auto there = std::find(context.on_node.begin(), context.on_node.end(), id);
  if (there != context.on_node.end()) context.on_node.erase(there);
}

void ScheduleModel::comes_back(Context& context, std::uint64_t id) {
  Packet& packet = packets.at(id);
  auto& held = nodes[context.node].queues[packet.queue].packets;
  held.erase(std::find(held.begin(), held.end(), id));
  context.on_node.erase(std::find(context.on_node.begin(), context.on_node.end(), id));
  packet.place = Place::software;
  context.ready_packet = 0;
  if (packet.type == PacketType::wait) {
    context.returned = 0;
    for (auto& [other_id, other] : packets) {
      if (other.context == packet.context) other.returned = false;
    }
  } else if (!context.suspended) {
    packet.returned = true;
    ++context.returned;
  }
}

void ScheduleModel::leaves(Context& context, std::uint64_t id) {
  const Packet& packet = packets.at(id);
  if (context.ready_packet == id) context.ready_packet = 0;
  if (packet.returned) --context.returned;
  const auto there = std::find(context.on_node.begin(), context.on_node.end(), id);
  if (there != context.on_node.end()) context.on_node.erase(there);
  if (packet.place != Place::hardware) return;  // else it was aborted there
  auto& on_queue = nodes[context.node].queues[packet.queue].packets;
  const auto held = std::find(on_queue.begin(), on_queue.end(), id);
  if (held != on_queue.end()) on_queue.erase(held);
}

}  // namespace fenceline
