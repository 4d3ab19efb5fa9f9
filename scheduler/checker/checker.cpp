// SPDX-License-Identifier: Apache-2.0
#include "scheduler/checker/checker.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fenceline {
namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};

/// Place of a name's entry in a table by LogName; `none` where it has no entry yet.
std::uint32_t& entry(std::vector<std::uint32_t>& table, LogName name) {
  const auto at = static_cast<std::size_t>(name);
  if (at >= table.size()) table.resize(at + 1, none);
  return table[at];
}

}  // namespace

NodeLimits limits_of(const Engine& engine, PreemptionLevel stops_at) {
  const EngineConfig& config = engine.engine_config();
  return {engine.name(), config.hardware_queues, config.hardware_queue_depth, stops_at};
}

Checker::Checker(EventLog& log, const std::vector<NodeLimits>& nodes, const std::optional<SchedulingRules>& rules,
                 const std::vector<OutputLimits>& outputs, const std::optional<TdrRules>& tdr)
    : log_(log), pieces_(log, violations_), frames_(log, outputs, violations_) {
  for (const NodeLimits& limits : nodes) {
    Node node;
    node.path = log.name(limits.path);
    node.depth = limits.hardware_queue_depth;
    node.queues.resize(limits.hardware_queues);
    entry(node_index_, node.path) = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back(std::move(node));
  }
  if (rules) rules_.emplace(*rules, nodes, log, violations_);
  if (tdr) recovery_.emplace(log, *tdr, violations_);
  back_to_back_ = rules && rules->back_to_back;
  has_contexts_ = !rules || rules->has_contexts;
  log.attach(*this, EventLog::Detail::packets);
}

void Checker::context(const EventLog&, const ContextRecord& record) {
  if (rules_) rules_->context(record);
  if (recovery_) recovery_->context(record);
  if (!has_contexts_) context_of(record.context).owner = record.process;
}

void Checker::ready(const EventLog&, const ReadyRecord& record) {
  moment(record.at_ps);
  if (rules_) rules_->ready(record);
}

void Checker::patch(const EventLog&, const PatchRecord& record) {
  moment(record.at_ps);
  pieces_.patch(record);
}

void Checker::attempt(const EventLog&, const AttemptRecord& record) {
  moment(record.at_ps);
  if (rules_) rules_->attempt(record);
}

void Checker::frame(const EventLog&, const FrameRecord& record) { frames_.frame(record); }

Checker::~Checker() { log_.detach(*this); }

/// Something happens now: not before what has happened already, and not between a signal and its fence's move.
void Checker::moment(std::uint64_t at_ps) {
  if (at_ps < now_ps_) {
    violation(at_ps, "log", "no record before " + Violations::time_of(now_ps_), "an earlier one");
  }
  now_ps_ = std::max(now_ps_, at_ps);
  if (!signal_) return;
  violation(signal_->at_ps, fmt::format("{}, packet {}", text(signal_->fence), signal_->packet),
            fmt::format("the fence to move to {} with the signal", signal_->value), "something else first");
  signal_.reset();
}

std::string Checker::where(LogName node, std::uint32_t queue) const {
  return fmt::format("{} queue {}", text(node), queue);
}

std::string Checker::where(std::uint64_t id, const Packet& packet) const {
  return fmt::format("{}, {} packet {}", text(contexts_[packet.context].path), name_of(packet.type), id);
}

Checker::Packet* Checker::packet_of(std::uint64_t id, std::uint64_t at_ps, const char* what) {
  const auto found = packets_.find(id);
  if (found != packets_.end()) return &found->second;
  violation(at_ps, fmt::format("packet {}", id), "a packet that was queued and has not ended", what);
  return nullptr;
}

Checker::Node* Checker::node_of(LogName name, std::uint64_t at_ps) {
  const std::uint32_t index = entry(node_index_, name);
  if (index != none) return &nodes_[index];
  violation(at_ps, text(name), "a node of the machine", "a name that none has");
  return nullptr;
}

Checker::HardwareQueue* Checker::queue_of(LogName name, std::uint32_t queue, std::uint64_t at_ps) {
  Node* node = node_of(name, at_ps);
  if (node == nullptr) return nullptr;
  if (queue < node->queues.size()) return &node->queues[queue];
  violation(at_ps, where(name, queue), fmt::format("one of {} hardware queues", node->queues.size()), "another");
  return nullptr;
}

Checker::Context& Checker::context_of(LogName name) {
  std::uint32_t& index = entry(context_index_, name);
  if (index == none) {
    index = static_cast<std::uint32_t>(contexts_.size());
    contexts_.emplace_back();
    contexts_.back().path = contexts_.back().owner = name;
  }
  return contexts_[index];
}

Checker::Fence& Checker::fence_of(LogName name) {
  std::uint32_t& index = entry(fence_index_, name);
  if (index == none) {
    index = static_cast<std::uint32_t>(fences_.size());
    fences_.emplace_back();
  }
  return fences_[index];
}

}  // namespace fenceline
