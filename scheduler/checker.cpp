// SPDX-License-Identifier: Apache-2.0
#include "scheduler/checker.hpp"

#include "sim/trace/time_text.hpp"

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

NodeLimits limits_of(const Engine& engine) {
  const EngineConfig& config = engine.engine_config();
  return {engine.name(), config.hardware_queues, config.hardware_queue_depth};
}

Checker::Checker(EventLog& log, const std::vector<NodeLimits>& nodes)
    : log_(log),
      packet_category_(log.name("packet")),
      fence_value_(log.name("value")),
      suspended_(log.name("suspended")),
      resumed_(log.name("resumed")) {
  for (const NodeLimits& limits : nodes) {
    Node node;
    node.path = log.name(limits.path);
    node.depth = limits.hardware_queue_depth;
    node.queues.resize(limits.hardware_queues);
    entry(node_index_, node.path) = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back(std::move(node));
  }
  log.attach(*this, EventLog::Detail::packets);
}

Checker::~Checker() { log_.detach(*this); }

std::string Checker::report() const {
  if (passed()) return {};
  constexpr std::size_t shown = 3;
  std::string text = fmt::format("{} {} broken: ", count_, count_ == 1 ? "rule was" : "rules were");
  for (std::size_t i = 0; i < std::min(shown, violations_.size()); ++i) {
    text += (i == 0 ? "" : "; ") + violations_[i];
  }
  if (count_ > shown) text += fmt::format("; and {} more", count_ - shown);
  return text;
}

void Checker::violation(std::uint64_t at_ps, const std::string& where, const std::string& expected,
                        const std::string& found) {
  constexpr std::size_t most_kept = 100;
  ++count_;
  if (violations_.size() >= most_kept) return;
  violations_.push_back(fmt::format("{}, at {}: expected {}, found {}", where, time_of(at_ps), expected, found));
}

/// Something happens now: not before what has happened already, and not between a signal and its fence's move.
void Checker::moment(std::uint64_t at_ps) {
  if (at_ps < now_ps_) {
    violation(at_ps, "log", "no record before " + time_of(now_ps_), "an earlier one");
  }
  now_ps_ = std::max(now_ps_, at_ps);
  if (!signal_) return;
  violation(signal_->at_ps, fmt::format("{}, packet {}", text(signal_->fence), signal_->packet),
            fmt::format("the fence to move to {} with the signal", signal_->value), "something else first");
  signal_.reset();
}

std::string Checker::time_of(std::uint64_t ps) { return fmt::format("{} us", TimeText(ps).view()); }

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
    contexts_.back().path = name;
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
