// SPDX-License-Identifier: Apache-2.0
#include "api/report/packet_times.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace fenceline {
namespace {

/// The queue's own name at the end of its path.
std::string queue_name(std::string_view context) {
  constexpr std::string_view scheduler = "adapter.scheduler.";
  if (context.substr(0, scheduler.size()) == scheduler) context.remove_prefix(scheduler.size());
  return std::string(context);
}

}  // namespace

PacketTimes::PacketTimes(EventLog& log) : log_(&log) { log.attach(*this, EventLog::Detail::packets); }

PacketTimes::~PacketTimes() {
  if (log_ != nullptr) log_->detach(*this);
}

std::vector<PacketTime> PacketTimes::of_queue(const std::string& queue) const {
  std::vector<PacketTime> found;
  for (const PacketTime& time : times_) {
    if (time.queue == queue) found.push_back(time);
  }
  return found;
}

const PacketTime& PacketTimes::of_list(const std::string& list, std::size_t n) const {
  std::size_t complete = 0;
  std::string known;
  for (const PacketTime& time : times_) {
    if (!time.complete) continue;
    if (time.list == list && complete++ == n) return time;
    const std::string name = '"' + time.list + '"';
    if (known.find(name) == std::string::npos) known += (known.empty() ? "" : ", ") + name;
  }
  throw std::out_of_range("command list \"" + list + "\": expected more than " + std::to_string(n) +
                          " complete packets, found " + std::to_string(complete) +
                          "; complete are those of: " + (known.empty() ? "none" : known));
}

const PacketTime& PacketTimes::of_packet(std::uint64_t packet) const {
  const std::size_t place = place_of(packet);
  if (place == times_.size()) {
    throw std::out_of_range("packet " + std::to_string(packet) + ": expected a command list that was executed here");
  }
  return times_[place];
}

std::size_t PacketTimes::place_of(std::uint64_t packet) const {
  const auto at = std::lower_bound(times_.begin(), times_.end(), packet,
                                   [](const PacketTime& time, std::uint64_t number) { return time.packet < number; });
  return at == times_.end() || at->packet != packet ? times_.size() : static_cast<std::size_t>(at - times_.begin());
}

void PacketTimes::queued(const EventLog& log, const QueuedRecord& queued) {
  if (queued.type != PacketType::render) return;
  PacketTime time;
  time.packet = queued.packet;
  time.queue = queue_name(log.text(queued.context));
  time.submitted_ps = queued.at_ps;
  times_.push_back(std::move(time));
}

void PacketTimes::span(const EventLog&, const Span& span) {
  if (span.start_ps == span.end_ps || span.kind != SpanKind::packet) return;
  const std::size_t place = place_of(span.id);
  if (place < times_.size()) times_[place].pieces.emplace_back(span.start_ps, span.end_ps);
}

void PacketTimes::packet(const EventLog& log, const PacketRecord& record) {
  const std::size_t place = place_of(record.id);
  if (place == times_.size()) return;
  PacketTime& time = times_[place];
  time.list = log.text(record.label);
  time.started_ps = record.started_ps;
  time.finished_ps = record.finished_ps;
  time.completed_ps = record.completed_ps;
  time.preempted_ps = record.preempted_ps;
  time.preemptions = record.preemptions;
  time.status = record.status;
  time.ended = true;
  time.dma_pieces = record.pieces;
  time.complete = record.status == PacketStatus::completed;
}

}  // namespace fenceline
