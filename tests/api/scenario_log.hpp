// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/log.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fenceline::testing {

/// From, to, picoseconds.
using Piece = std::pair<std::uint64_t, std::uint64_t>;

/// Keeps when the render packets of each queue ran on an engine, and when fences changed.
class ScenarioLog final : public LogSink {
 public:
  struct Packet {
    std::vector<Piece> pieces;  ///< without those that took no time
    std::uint64_t started_ps = 0;
    std::uint64_t finished_ps = 0;
    std::uint64_t preemptions = 0;
    bool complete = false;
  };
  struct Change {
    std::uint64_t value;
    std::uint64_t at_ps;
  };

  /// In order of submission.
  const std::vector<Packet>& packets_of(const std::string& queue) const { return packets_[queue]; }
  /// All queues that render packets were submitted to.
  std::vector<std::string> queues() const {
    std::vector<std::string> names;
    for (const auto& [name, packets] : packets_) names.push_back(name);
    return names;
  }
  const std::vector<Change>& changes_of(const std::string& fence) const { return fences_[fence]; }

 private:
  void queued(const EventLog& log, const QueuedRecord& queued) override {
    if (queued.type != PacketType::render) return;
    std::vector<Packet>& packets = packets_[last_part(log.text(queued.context))];
    places_[queued.packet] = {last_part(log.text(queued.context)), packets.size()};
    packets.emplace_back();
  }
  void span(const EventLog&, const Span& span) override {
    if (span.kind != SpanKind::packet || span.start_ps == span.end_ps) return;
    if (Packet* packet = find(span.id)) packet->pieces.emplace_back(span.start_ps, span.end_ps);
  }
  void packet(const EventLog&, const PacketRecord& record) override {
    Packet* packet = find(record.id);
    if (!packet) return;
    packet->started_ps = record.started_ps;
    packet->finished_ps = record.finished_ps;
    packet->preemptions = record.preemptions;
    packet->complete = record.status == PacketStatus::completed;
  }
  void counter(const EventLog& log, const Counter& counter) override {
    if (counter.kind != CounterKind::fence_value) return;
    fences_[last_part(log.text(counter.track))].push_back({counter.value, counter.at_ps});
  }

  static std::string last_part(std::string_view path) { return std::string(path.substr(path.rfind('.') + 1)); }
  Packet* find(std::uint64_t id) {
    const auto place = places_.find(id);
    return place == places_.end() ? nullptr : &packets_[place->second.first][place->second.second];
  }

  mutable std::map<std::string, std::vector<Packet>> packets_;  // by queue
  mutable std::map<std::string, std::vector<Change>> fences_;
  std::map<std::uint64_t, std::pair<std::string, std::size_t>> places_;  // of packet ids
};

}  // namespace fenceline::testing
