// SPDX-License-Identifier: Apache-2.0
#include "api/report/explain/deadline_work.hpp"

#include "sim/process_turn_record.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace fenceline {
namespace {

/// In place of a packet's number in a span: the node was switched to a process.
constexpr std::uint64_t of_process = ~std::uint64_t{0};

std::string text_of(SpanKind kind, bool is_process) { return is_process ? "process_switch" : name_of(kind); }

}  // namespace

void DeadlineWork::span(const EventLog&, const Span& span) {
  if (span.kind == SpanKind::packet || moves_state(span.kind)) keep(span);
}

void DeadlineWork::turn(const EventLog&, const ProcessTurnRecord& turn) {
  if (turn.what == ProcessTurnRecord::What::loads) loads_.insert_or_assign(turn.node, turn.at_ps);
  const auto loads = loads_.find(turn.node);
  if (turn.what != ProcessTurnRecord::What::begins || loads == loads_.end()) return;
  keep({turn.node, SpanKind::context_switch, turn.process, loads->second, turn.at_ps, of_process});
  loads_.erase(loads);
}

void DeadlineWork::keep(const Span& span) {
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
  if (packet.type == PacketType::wait) {
    std::deque<Waited>& waits = waits_[packet.context];
    waits.push_back({packet.id, packet.head_ps, packet.completed_ps});
    if (waits.size() > most_waits) waits.pop_front();
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
  render.queued_fence_ps = waited_ps(packet, packet.submitted_ps, packet.head_ps);
  render.engine_fence_ps = waited_ps(packet, packet.ready_ps, packet.started_ps);
  if (missed != attempts_.end()) {
    render.missed = missed->second;
    attempts_.erase(missed);
    for (const Span& span : spans_[packet.node]) {
      if (span.kind == SpanKind::packet && span.id == render.missed->running_packet) render.in_the_way = span.name;
    }
  }
  renders_.insert_or_assign(packet.id, std::move(render));
}

/// What the engine did while it was to run the packet, and did not: before it began, and where it was stopped.
std::vector<DeadlineWork::Other> DeadlineWork::meanwhile(const PacketRecord& packet) const {
  std::vector<Other> others;
  const auto found = spans_.find(packet.node);
  if (found == spans_.end()) return others;
  const std::deque<Span>& spans = found->second;
  const auto first =
      std::upper_bound(spans.begin(), spans.end(), packet.ready_ps,
                       [](std::uint64_t at_ps, const Span& span) { return at_ps < span.end_ps; });  // they end in order
  const auto is_own = [&](const Span& span) { return span.id == packet.id && span.kind == SpanKind::packet; };
  std::vector<std::pair<std::uint64_t, std::uint64_t>> waits;
  std::uint64_t from_ps = packet.ready_ps;
  for (auto span = first; packet.preempted_ps > 0 && span != spans.end(); ++span) {
    if (!is_own(*span)) continue;
    waits.emplace_back(from_ps, span->start_ps);
    from_ps = span->end_ps;
  }
  if (waits.empty()) waits.emplace_back(packet.ready_ps, packet.started_ps);
  const auto list_of = [&](const Span& span) {
    if (span.kind == SpanKind::packet || span.id == of_process) return span.name;
    if (span.id == packet.id) return packet.label;
    const auto ran = std::find_if(spans.begin(), spans.end(),
                                  [&](const Span& one) { return one.id == span.id && one.kind == SpanKind::packet; });
    return ran == spans.end() ? LogName{} : ran->name;
  };
  for (auto span = first; span != spans.end(); ++span) {
    if (is_own(*span)) continue;
    std::uint64_t ps = 0;
    for (const auto& [wait_from, wait_to] : waits) {
      const std::uint64_t from = std::max(span->start_ps, wait_from);
      ps += std::max(from, std::min(span->end_ps, wait_to)) - from;
    }
    if (ps == 0) continue;
    const Other other{list_of(*span), span->kind, span->id == of_process, ps};
    const auto known = std::find_if(others.begin(), others.end(), [&](const Other& one) {
      return one.list == other.list && one.kind == other.kind && one.of_process == other.of_process;
    });
    if (known != others.end()) {
      known->ps += ps;
    } else {
      others.push_back(other);
    }
  }
  std::stable_sort(others.begin(), others.end(), [](const Other& a, const Other& b) { return a.ps > b.ps; });
  if (others.size() > most_others) others.resize(most_others);
  return others;
}

/// Of a span of time how long a wait before the packet was the first of its queue.
std::uint64_t DeadlineWork::waited_ps(const PacketRecord& packet, std::uint64_t from_ps, std::uint64_t to_ps) const {
  std::uint64_t waited_ps = 0;
  const auto waits = waits_.find(packet.context);
  if (waits == waits_.end()) return 0;
  auto wait = std::upper_bound(waits->second.begin(), waits->second.end(), from_ps,
                               [](std::uint64_t at_ps, const Waited& one) { return at_ps < one.to_ps; });
  for (; wait != waits->second.end(); ++wait) {  // in the order of their ends
    if (wait->packet > packet.id) continue;
    const std::uint64_t from = std::max(wait->from_ps, from_ps);
    const std::uint64_t to = std::max(from, std::min(wait->to_ps, to_ps));
    waited_ps += to - from;
    from_ps = std::max(from_ps, to);
  }
  return waited_ps;
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
  told.queued_ps = packet.head_ps - packet.submitted_ps - render.queued_fence_ps;
  told.fence_ps = render.queued_fence_ps + render.engine_fence_ps;
  told.memory_ps = packet.ready_ps - packet.head_ps;  // a list waits for nothing else there
  told.engine_wait_ps = packet.started_ps - packet.ready_ps - render.engine_fence_ps;
  told.running_ps = packet.finished_ps - packet.started_ps - packet.preempted_ps;
  told.preempted_ps = packet.preempted_ps;
  for (const Other& other : render.meanwhile) {
    std::string list(log.text(other.list));
    constexpr std::string_view before = "process ";
    if (other.of_process && list.rfind(before, 0) == 0) list.erase(0, before.size());
    told.meanwhile.push_back({std::move(list), other.ps, std::nullopt});
    if (other.kind != SpanKind::packet) told.meanwhile.back().moved = text_of(other.kind, other.of_process);
  }
  if (const auto& missed = render.missed) {
    told.could_not_stop = CouldNotStop{missed->running_packet, std::string(log.text(render.in_the_way)),
                                       std::string(log.text(missed->result)), missed->at_ps};
  }
  return told;
}

}  // namespace fenceline
