// SPDX-License-Identifier: Apache-2.0
// Checker, the family of rules about queue packets: their order, fences, time and end.
#include "scheduler/checker/checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace fenceline {

void Checker::queued(const EventLog&, const QueuedRecord& record) {
  moment(record.at_ps);
  if (rules_) rules_->queued(record);
  pieces_.queued(record);
  Context& context = context_of(record.context);
  Packet packet{};
  packet.type = record.type;
  packet.context = static_cast<std::uint32_t>(&context - contexts_.data());
  packet.node = record.node;
  packet.fence = record.fence;
  packet.value = record.fence_value;
  packet.queued_ps = record.at_ps;
  const auto wrong = [&](const std::string& expected, const std::string& found) {
    violation(record.at_ps, where(record.packet, packet), expected, found);
  };
  if (record.packet != last_packet_ + 1) {
    wrong(fmt::format("packet {} to be queued next", last_packet_ + 1), "another");
    if (record.packet <= last_packet_) return;
  }
  last_packet_ = record.packet;
  node_of(record.node, record.at_ps);
  if (context.node == LogName{}) context.node = record.node;
  if (context.node != record.node) wrong("its context on " + text(context.node), text(record.node));
  if (!has_commands(record.type)) {
    Fence& fence = fence_of(record.fence);
    if (fence.known && fence.value != record.stands_at) {
      wrong(fmt::format("{} at {}", text(record.fence), fence.value), fmt::format("at {}", record.stands_at));
    }
    fence.known = true;
    fence.value = record.stands_at;
    if (record.type == PacketType::wait) {
      packet.reached = record.stands_at >= record.fence_value;
      packet.reached_ps = record.at_ps;
      if (!packet.reached) fence.waits.emplace(record.fence_value, record.packet);
    }
  }
  context.left[static_cast<std::size_t>(record.type)].push_back(record.packet);
  packets_.emplace(record.packet, packet);
}

void Checker::counter(const EventLog&, const Counter& counter) {
  if (counter.kind != CounterKind::fence_value) return;
  // A fence that has been ended is at its highest value and stays there.
  const bool stays = counter.value == ~std::uint64_t{0} && fence_of(counter.track).value == counter.value;
  if (signal_ && signal_->fence == counter.track && (signal_->value == counter.value || stays) &&
      signal_->at_ps == counter.at_ps) {
    signal_.reset();
  }
  moment(counter.at_ps);
  Fence& fence = fence_of(counter.track);
  fence.known = true;
  fence.value = counter.value;
  while (!fence.waits.empty() && fence.waits.begin()->first <= counter.value) {
    const auto wait = packets_.find(fence.waits.begin()->second);
    fence.waits.erase(fence.waits.begin());
    if (wait == packets_.end()) continue;
    wait->second.reached = true;
    wait->second.reached_ps = counter.at_ps;
  }
}

void Checker::packet(const EventLog&, const PacketRecord& record) {
  moment(record.completed_ps);
  if (rules_) rules_->packet(record);
  if (recovery_) recovery_->packet(record);
  pieces_.packet(record);
  const Packet* found = packet_of(record.id, record.completed_ps, "its end");
  if (found == nullptr) return;
  const Packet packet = *found;
  check_record(record, packet);
  if (record.status == PacketStatus::completed) {
    check_order(record, packet);
    const bool by_node = has_commands(packet.type) || packet.place != Place::software;
    by_node ? check_run(record, packet) : check_moment(record, packet);
    if (packet.type == PacketType::signal && !record.awaits_others) {
      signal_ = Signal{record.id, packet.fence, packet.value, record.completed_ps};
    }
  }
  if (record.status != PacketStatus::completed && packet.dma_pieces > 0) {
    auto& split = queue_of(packet.node, packet.queue, record.completed_ps)->split_context;
    if (split == packet.context) split.reset();
  }
  if (packet.place == Place::hardware) {  // aborted there
    auto& queue = queue_of(packet.node, packet.queue, record.completed_ps)->packets;
    queue.erase(std::find(queue.begin(), queue.end(), record.id));
  }
  auto& left = contexts_[packet.context].left[static_cast<std::size_t>(packet.type)];
  left.erase(std::find(left.begin(), left.end(), record.id));
  packets_.erase(record.id);
}

void Checker::wrong(const PacketRecord& record, const Packet& packet, const std::string& expected,
                    const std::string& found) {
  violation(record.completed_ps, where(record.id, packet), expected, found);
}

/// It says the same as when the packet was queued, and its stamps are in order.
void Checker::check_record(const PacketRecord& record, const Packet& packet) {
  const LogName context = contexts_[packet.context].path;
  if (record.type != packet.type) wrong(record, packet, "the type it was queued with", name_of(record.type));
  if (record.context != context) wrong(record, packet, "the context it was queued in", text(record.context));
  if (!has_commands(packet.type) && (record.label != packet.fence || record.fence_value != packet.value)) {
    wrong(record, packet, fmt::format("{} and {}, as it was queued", text(packet.fence), packet.value),
          fmt::format("{} and {}", text(record.label), record.fence_value));
  }
  if (record.preemptions != packet.returns) {
    wrong(record, packet, fmt::format("{} preemptions: so often it came back", packet.returns),
          std::to_string(record.preemptions));
  }
  if (record.submitted_ps != packet.queued_ps) {
    wrong(record, packet, "submitted at " + Violations::time_of(packet.queued_ps) + ", when it was queued",
          Violations::time_of(record.submitted_ps));
  }
  struct Stamp {
    const char* name;
    std::uint64_t at_ps;
  };
  const Stamp stamps[] = {{"submitted", record.submitted_ps}, {"head", record.head_ps},
                          {"ready", record.ready_ps},         {"hardware", record.hardware_ps},
                          {"started", record.started_ps},     {"finished", record.finished_ps},
                          {"completed", record.completed_ps}};
  for (std::size_t i = 1; i < std::size(stamps); ++i) {
    if (stamps[i].at_ps >= stamps[i - 1].at_ps) continue;
    wrong(record, packet,
          fmt::format("{} not before {} at {}", stamps[i].name, stamps[i - 1].name,
                      Violations::time_of(stamps[i - 1].at_ps)),
          Violations::time_of(stamps[i].at_ps));
  }
}

/// Work is held back by work and by waits, waits by waits, signals and presents by everything; a wait by its fence.
void Checker::check_order(const PacketRecord& record, const Packet& packet) {
  const auto& left = contexts_[packet.context].left;
  for (const PacketType type : {PacketType::render, PacketType::signal, PacketType::wait, PacketType::present,
                                PacketType::paging, PacketType::context_switch}) {
    const bool holds = type == PacketType::wait || takes_a_moment(packet.type) || type == packet.type;
    const auto& others = left[static_cast<std::size_t>(type)];
    if (!holds || others.empty() || others.front() >= record.id) continue;
    // The GPU writes a fence in its command stream: nobody on the CPU need know yet that what is before it has ended.
    if (packet.type == PacketType::signal && ended_until(others, record.id)) continue;
    wrong(record, packet,
          fmt::format("{} packet {}, queued before it, to complete first", name_of(type), others.front()),
          "it complete");
  }
  // One of a removed device that holds a hardware queue is let go.
  if (packet.type != PacketType::wait || (recovery_ && recovery_->is_removed(record.context))) return;
  if (!packet.reached) {
    wrong(record, packet,
          fmt::format("the fence at {} or above at some moment since {}", packet.value,
                      Violations::time_of(packet.queued_ps)),
          fmt::format("it at {}", fence_of(packet.fence).value));
  } else if (record.finished_ps < packet.reached_ps) {
    wrong(record, packet, "nothing before the fence is there at " + Violations::time_of(packet.reached_ps),
          "its end at " + Violations::time_of(record.finished_ps));
  }
}

/// On their nodes, of a context's packets of one type those queued before this one.
bool Checker::ended_until(const std::deque<std::uint64_t>& others, std::uint64_t id) const {
  return std::all_of(others.begin(), std::lower_bound(others.begin(), others.end(), id),
                     [&](std::uint64_t other) { return packets_.at(other).place == Place::done; });
}

/// It ran on a node: what the record says of that is what happened, and the time adds up.
void Checker::check_run(const PacketRecord& record, const Packet& packet) {
  if (packet.place != Place::done) {
    wrong(record, packet, "a packet that its node has reported as completed", "one that is not");
    return;
  }
  if (record.node != packet.node) wrong(record, packet, text(packet.node), text(record.node));
  if (record.submission_fence_id != packet.fence_id) {
    wrong(record, packet, fmt::format("submission {}, its last", packet.fence_id),
          std::to_string(record.submission_fence_id));
  }
  const auto at = [&](const char* what, std::uint64_t found_ps, std::uint64_t expected_ps) {
    if (found_ps == expected_ps) return;
    wrong(record, packet, fmt::format("{} at {}", what, Violations::time_of(expected_ps)),
          Violations::time_of(found_ps));
  };
  at("submitted for the run that started it", record.hardware_ps, packet.hardware_ps);
  at("started with its first piece", record.started_ps, packet.first_ps);
  at("finished with its last piece", record.finished_ps, packet.last_ps);
  at("completed when the scheduler learns of it,", record.completed_ps, packet.known_ps);
  if (has_commands(record.type) && record.pieces != packet.dma_pieces) {
    wrong(record, packet, fmt::format("{} pieces of its list, as submitted", packet.dma_pieces),
          std::to_string(record.pieces));
  }
  if (record.preempted_ps != packet.gaps_ps) {
    wrong(
        record, packet,
        fmt::format("{} preempted, the time between its {} pieces", Violations::time_of(packet.gaps_ps), packet.pieces),
        Violations::time_of(record.preempted_ps));
  }
}

/// It needed no node: it takes place at one moment.
void Checker::check_moment(const PacketRecord& record, const Packet& packet) {
  if (record.node != LogName{} || record.submission_fence_id != 0) {
    wrong(record, packet, "neither node nor submission, as it completed in the software queue",
          fmt::format("\"{}\", submission {}", text(record.node), record.submission_fence_id));
  }
  if (record.hardware_ps != record.completed_ps || record.started_ps != record.completed_ps ||
      record.finished_ps != record.completed_ps || record.preempted_ps != 0) {
    wrong(record, packet, "one moment", "time on a node");
  }
}

/// What has not completed when nothing happens any more waits for a fence, or is behind a packet that does.
void Checker::rests(std::uint64_t at_ps) {
  moment(at_ps);
  if (recovery_) recovery_->rests(at_ps);
  // A wait that holds a hardware queue also holds what other contexts have there, or want to bring there.
  const bool held = std::any_of(nodes_.begin(), nodes_.end(), [&](const Node& node) {
    return std::any_of(node.queues.begin(), node.queues.end(), [&](const HardwareQueue& queue) {
      if (queue.packets.empty()) return false;
      const Packet& first = packets_.at(queue.packets.front());
      return first.stuck || (first.type == PacketType::wait && !first.reached);
    });
  });
  for (const Context& context : contexts_) {
    if (!context.suspended) check_left(context, at_ps, held);
  }
  for (const Node& node : nodes_) {
    for (std::uint32_t i = 0; i < node.queues.size(); ++i) {
      const HardwareQueue& queue = node.queues[i];
      if (queue.request && !held) {
        violation(at_ps, where(node.path, i),
                  fmt::format("an answer to request {}", queue.request->preemption_fence_id), "none");
      }
      if (!queue.returns.empty()) {
        violation(at_ps, where(node.path, i),
                  fmt::format("the scheduler to take back what request {} stopped", queue.returns.front().fence_id),
                  "no record of it");
      }
    }
  }
}

void Checker::check_left(const Context& context, std::uint64_t at_ps, bool held) {
  const auto first = [&](PacketType type) {
    const auto& left = context.left[static_cast<std::size_t>(type)];
    return left.empty() ? ~std::uint64_t{0} : left.front();
  };
  const std::uint64_t wait = first(PacketType::wait);
  const std::uint64_t other =
      std::min({first(PacketType::render), first(PacketType::signal), first(PacketType::present),
                first(PacketType::paging), first(PacketType::context_switch)});
  const std::uint64_t id = std::min(wait, other);
  if (id == ~std::uint64_t{0}) return;
  const Packet& packet = packets_.at(id);
  if (id == wait && !packet.reached) return;
  if (held && packet.place != Place::done && (id != wait || packet.place == Place::hardware)) return;
  violation(at_ps, where(id, packet),
            id == wait ? fmt::format("it to pass, its fence was at {}", packet.value) : "it to complete",
            packet.place == Place::software   ? "it left in its software queue"
            : packet.place == Place::hardware ? "it left in a hardware queue"
                                              : "no record of its end");
}

void Checker::instant(const EventLog&, const Instant& instant) {
  if (instant.kind == InstantKind::other) {
    if (rules_) rules_->instant(instant);
    return;
  }
  moment(instant.at_ps);
  if (instant.kind == InstantKind::stuck) {
    Packet* packet = packet_of(instant.value, instant.at_ps, "it stuck");
    if (packet != nullptr) packet->stuck = true;
    return;
  }
  if (rules_) rules_->instant(instant);
  context_of(instant.track).suspended = instant.kind == InstantKind::suspended;
}

void Checker::finish(const EventLog&, std::uint64_t end_ps) { rests(end_ps); }

}  // namespace fenceline
