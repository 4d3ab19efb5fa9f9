// SPDX-License-Identifier: Apache-2.0
#include "api/report/explain/deadline_work.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace fenceline {

void DeadlineWork::span(const EventLog&, const Span& span) {
  if (span.kind != SpanKind::packet) return;
  std::deque<Span>& spans = spans_[span.track];
  spans.push_back(span);
  if (spans.size() > most_spans) spans.pop_front();
}

void DeadlineWork::attempt(const EventLog& log, const AttemptRecord& attempt) {
  if (attempt.waiting_packet == 0 || attempt.running_packet == 0 || log.text(attempt.result) == "Success") return;
  attempts_.insert_or_assign(attempt.waiting_packet, attempt);
}

void DeadlineWork::queued(const EventLog&, const QueuedRecord& queued) {
  if (queued.type == PacketType::render) last_render_.insert_or_assign(queued.context, queued.packet);
  if (queued.type != PacketType::signal || fences_.count(queued.fence) == 0) return;
  const auto render = last_render_.find(queued.context);
  if (render == last_render_.end() || work_count_ >= most_work) return;
  ++work_count_;
  behind_.emplace(queued.packet, render->second);
  ++wanted_[render->second];
}

void DeadlineWork::packet(const EventLog&, const PacketRecord& packet) {
  if (packet.type == PacketType::render) {
    over(packet);
    return;
  }
  // The scheduler may hear of a signal before it hears that what stands before it is over.
  const auto behind = behind_.find(packet.id);
  if (behind != behind_.end()) {
    tell_signal(packet, behind->second);
    behind_.erase(behind);
  } else if (const auto last = last_over_.find(packet.context); last != last_over_.end()) {
    if (packet.type == PacketType::signal && fences_.count(packet.label) > 0 && work_count_ < most_work) {
      ++work_count_;  // it was queued before anybody listened
      ++wanted_[last->second];
      tell_signal(packet, last->second);
    }
  }
}

void DeadlineWork::tell_signal(const PacketRecord& signal, std::uint64_t render) {
  if (signal.status != PacketStatus::completed) return;
  work_[signal.label].push_back({signal.fence_value, signal.completed_ps, render});
}

void DeadlineWork::over(const PacketRecord& packet) {
  const auto missed = attempts_.find(packet.id);
  const auto last = last_over_.find(packet.context);
  if (last != last_over_.end() && wanted_.count(last->second) == 0) renders_.erase(last->second);
  last_over_.insert_or_assign(packet.context, packet.id);
  Render render{packet, std::nullopt, meanwhile(packet)};
  if (missed != attempts_.end()) {
    render.missed = missed->second;
    attempts_.erase(missed);
    for (const Span& span : spans_[packet.node]) {
      if (span.id == render.missed->running_packet) render.in_the_way = span.name;
    }
  }
  renders_.insert_or_assign(packet.id, std::move(render));
}

std::vector<DeadlineWork::Other> DeadlineWork::meanwhile(const PacketRecord& packet) const {
  std::vector<Other> others;
  const auto spans = spans_.find(packet.node);
  if (spans == spans_.end()) return others;
  for (const Span& span : spans->second) {
    const std::uint64_t from = std::max(span.start_ps, packet.ready_ps);
    const std::uint64_t to = std::min(span.end_ps, packet.started_ps);
    if (span.id == packet.id || from >= to) continue;
    const auto known = std::find_if(others.begin(), others.end(), [&](auto& one) { return one.list == span.name; });
    if (known != others.end()) {
      known->ps += to - from;
    } else {
      others.push_back({span.name, to - from});
    }
  }
  std::stable_sort(others.begin(), others.end(), [](const Other& a, const Other& b) { return a.ps > b.ps; });
  if (others.size() > most_others) others.resize(most_others);
  return others;
}

std::vector<DeadlineTime> DeadlineWork::times_of(const EventLog& log, const std::vector<DeadlineRow>& rows,
                                                 std::size_t most) const {
  std::vector<DeadlineTime> times;
  for (const DeadlineRow& row : rows) {
    if (times.size() == most) break;
    DeadlineTime time{std::string(log.text(row.name)), row.value, row.due_ps, row.reached_ps, std::nullopt};
    if (const auto work = work_.find(row.fence); work != work_.end()) {
      const auto found = std::find_if(work->second.begin(), work->second.end(), [&](const Work& one) {
        // A pass that is played again signals the same values again.
        return one.value >= row.value && (!row.reached_ps || one.signal_ps >= *row.reached_ps);
      });
      const auto render = found == work->second.end() ? renders_.end() : renders_.find(found->render);
      if (render != renders_.end()) time.packet = packet_of(log, render->second);
    }
    times.push_back(std::move(time));
  }
  return times;
}

DeadlinePacket DeadlineWork::packet_of(const EventLog& log, const Render& render) {
  const PacketRecord& packet = render.packet;
  DeadlinePacket told;
  told.id = packet.id;
  told.queue = log.text(packet.context);
  told.list = log.text(packet.label);
  told.engine = log.text(packet.node);
  told.submitted_ps = packet.submitted_ps;
  told.queued_ps = packet.head_ps - packet.submitted_ps;
  told.fence_ps = packet.ready_ps - packet.head_ps;
  told.engine_wait_ps = packet.started_ps - packet.ready_ps;
  told.running_ps = packet.finished_ps - packet.started_ps - packet.preempted_ps;
  told.preempted_ps = packet.preempted_ps;
  for (const Other& other : render.meanwhile) {
    told.meanwhile.push_back({std::string(log.text(other.list)), other.ps});
  }
  if (const auto& missed = render.missed) {
    told.could_not_stop = CouldNotStop{missed->running_packet, std::string(log.text(render.in_the_way)),
                                       std::string(log.text(missed->result)), missed->at_ps};
  }
  return told;
}

}  // namespace fenceline
