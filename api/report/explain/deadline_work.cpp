// SPDX-License-Identifier: Apache-2.0
#include "api/report/explain/deadline_work.hpp"

#include "sim/process_turn_record.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace fenceline {
namespace {

/// In place of a packet's number in a span.
constexpr std::uint64_t no_packet = ~std::uint64_t{0};

/// A fence as the workload has it.
std::string fence_name(const std::string& path) {
  for (const std::string_view below : {".fences.", ".display."}) {
    if (const std::size_t at = path.find(below); at != std::string::npos) return path.substr(at + below.size());
  }
  return path;
}

}  // namespace

void DeadlineWork::span(const EventLog&, const Span& span) {
  if (moves_state(span.kind)) keep({span, What::moved_state});
  if (span.kind != SpanKind::packet) return;
  begun_.erase(span.id);
  const auto wait = pending_waits_.find(span.id);
  if (wait == pending_waits_.end()) {
    keep({span, What::ran});
  } else {
    keep({span, What::waited, wait->second});
  }
}

void DeadlineWork::begun(const EventLog&, const BeginRecord& begin) { begun_.insert_or_assign(begin.packet, begin); }

void DeadlineWork::room(const EventLog&, const RoomRecord& room) {
  if (room.where != RoomRecord::Where::shader_array) return;
  NoPlace& one = no_places_[room.packet];
  end_no_place(one, room.at_ps);
  if (!room.waits) return;
  one.since_ps = room.at_ps;
  one.holders = room.holders;
}

/// Who had the places since it was told last, and how long.
void DeadlineWork::end_no_place(NoPlace& one, std::uint64_t at_ps) const {
  if (!one.since_ps) return;
  const std::uint64_t ps = at_ps - std::min(at_ps, *one.since_ps);
  one.since_ps.reset();
  one.ps += ps;
  for (const RoomRecord::Holder& holder : one.holders) {
    const auto runs = begun_.find(holder.packet);
    if (runs == begun_.end()) continue;
    const BeginRecord& begin = runs->second;
    const auto known = std::find_if(one.others.begin(), one.others.end(), [&](const Other& other) {
      return other.list == begin.label && other.engine == begin.node;
    });
    if (known != one.others.end()) {
      known->ps += ps;
    } else {
      one.others.push_back({begin.label, What::ran, SpanKind::packet, ps, begin.node});
    }
  }
}

void DeadlineWork::counter(const EventLog&, const Counter& counter) {
  const bool by_removal = counter.kind == CounterKind::fence_value && removed_ps_ == counter.at_ps &&
                          counter.value == std::numeric_limits<std::uint64_t>::max();
  if (by_removal && fences_.count(counter.track) > 0) raised_by_removal_.emplace(counter.track, counter.at_ps);
}

void DeadlineWork::recovery(const EventLog&, const RecoveryRecord& record) {
  using To = RecoveryRecord::Step;
  if (record.step == To::device_removed) removed_ps_ = record.at_ps;
  const bool of_engine = record.step == To::engine_reset || record.step == To::engine_reset_done;
  const bool of_adapter = record.step == To::adapter_reset || record.step == To::adapter_reset_done;
  if (!of_engine && !of_adapter) return;
  const LogName node = of_engine ? record.node : LogName{};
  if (record.step == To::engine_reset || record.step == To::adapter_reset) {
    resets_.insert_or_assign(node, record.at_ps);
    return;
  }
  const auto since = resets_.find(node);
  if (since == resets_.end()) return;
  const auto keep_of = [&](LogName one) {
    keep({{one, SpanKind::task, {}, since->second, record.at_ps, no_packet}, What::was_reset});
  };
  if (of_engine) {
    keep_of(node);
  } else {
    std::vector<LogName> nodes;
    for (const auto& [one, spans] : spans_) nodes.push_back(one);
    for (const LogName one : nodes) keep_of(one);
  }
  resets_.erase(since);
}

void DeadlineWork::turn(const EventLog&, const ProcessTurnRecord& turn) {
  if (turn.what == ProcessTurnRecord::What::loads) loads_.insert_or_assign(turn.node, turn.at_ps);
  const auto loads = loads_.find(turn.node);
  if (turn.what != ProcessTurnRecord::What::begins || loads == loads_.end()) return;
  keep({{turn.node, SpanKind::context_switch, turn.process, loads->second, turn.at_ps, no_packet},
        What::switched_process});
  loads_.erase(loads);
}

void DeadlineWork::keep(const Did& did) {
  std::deque<Did>& spans = spans_[did.span.track];
  spans.push_back(did);
  if (spans.size() > most_spans) spans.pop_front();
}

void DeadlineWork::attempt(const EventLog& log, const AttemptRecord& attempt) {
  if (attempt.waiting_packet == 0 || attempt.running_packet == 0 || log.text(attempt.result) == "Success") return;
  attempts_.insert_or_assign(attempt.waiting_packet, attempt);
}

void DeadlineWork::queued(const EventLog&, const QueuedRecord& queued) {
  if (queued.type == PacketType::wait) pending_waits_.insert_or_assign(queued.packet, queued.context);
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
    pending_waits_.erase(packet.id);
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
  const bool done = signal.status == PacketStatus::completed;
  work_[signal.label].push_back({signal.fence_value, signal.completed_ps, render, done});
}

void DeadlineWork::over(const PacketRecord& packet) {
  const auto missed = attempts_.find(packet.id);
  const auto last = last_over_.find(packet.context);
  if (last != last_over_.end() && wanted_.count(last->second) == 0) renders_.erase(last->second);
  last_over_.insert_or_assign(packet.context, packet.id);
  Render render{packet, std::nullopt, meanwhile(packet)};
  render.queued_fence_ps = waited_ps(packet, packet.submitted_ps, packet.head_ps);
  render.engine_fence_ps = waited_ps(packet, packet.ready_ps, packet.started_ps);
  begun_.erase(packet.id);
  if (const auto no_place = no_places_.find(packet.id); no_place != no_places_.end()) {
    end_no_place(no_place->second, packet.finished_ps);
    render.no_place = std::move(no_place->second);
    no_places_.erase(no_place);
  }
  if (missed != attempts_.end()) {
    render.missed = missed->second;
    attempts_.erase(missed);
    for (const auto& [span, what, context] : spans_[packet.node]) {
      if (span.kind != SpanKind::packet || span.id != render.missed->running_packet) continue;
      render.in_the_way = span.name;
      render.wait_in_the_way = what == What::waited;
    }
  }
  renders_.insert_or_assign(packet.id, std::move(render));
}

/// What the engine did while it was to run the packet, and did not: before it began, and where it was stopped.
std::vector<DeadlineWork::Other> DeadlineWork::meanwhile(const PacketRecord& packet) const {
  std::vector<Other> others;
  const auto found = spans_.find(packet.node);
  if (found == spans_.end()) return others;
  const std::deque<Did>& spans = found->second;
  const auto first = std::upper_bound(
      spans.begin(), spans.end(), packet.ready_ps,
      [](std::uint64_t at_ps, const Did& did) { return at_ps < did.span.end_ps; });  // they end in order
  const auto is_own = [&](const Did& did) { return did.span.id == packet.id && did.what == What::ran; };
  std::vector<std::pair<std::uint64_t, std::uint64_t>> waits;
  std::uint64_t from_ps = packet.ready_ps;
  for (auto did = first; packet.preempted_ps > 0 && did != spans.end(); ++did) {
    if (!is_own(*did)) continue;
    waits.emplace_back(from_ps, did->span.start_ps);
    from_ps = did->span.end_ps;
  }
  if (waits.empty()) waits.emplace_back(packet.ready_ps, packet.started_ps);
  const auto list_of = [&](const Did& did) {
    if (did.what != What::moved_state) return did.span.name;
    if (did.span.id == packet.id) return packet.label;
    const auto ran = std::find_if(spans.begin(), spans.end(), [&](const Did& one) {
      return one.span.id == did.span.id && one.span.kind == SpanKind::packet;
    });
    return ran == spans.end() ? LogName{} : ran->span.name;
  };
  for (auto did = first; did != spans.end(); ++did) {
    // A wait of its own queue is waiting for a fence, not for the engine.
    if (is_own(*did) || (did->what == What::waited && did->context == packet.context)) continue;
    std::uint64_t ps = 0;
    for (const auto& [wait_from, wait_to] : waits) {
      const std::uint64_t from = std::max(did->span.start_ps, wait_from);
      ps += std::max(from, std::min(did->span.end_ps, wait_to)) - from;
    }
    if (ps == 0) continue;
    const Other other{list_of(*did), did->what, did->span.kind, ps};
    const auto known = std::find_if(others.begin(), others.end(), [&](const Other& one) {
      return one.list == other.list && one.what == other.what && one.kind == other.kind;
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
    DeadlineTime time{
        std::string(log.text(row.name)), row.value, row.due_ps, row.reached_ps, std::nullopt, std::nullopt};
    const bool by_removal = is_by_removal(row);
    if (by_removal) time.device_removed = true;
    if (const auto work = work_.find(row.fence); work != work_.end()) {
      const auto found = std::find_if(work->second.begin(), work->second.end(), [&](const Work& one) {
        // A pass that is played again signals the same values again.
        return one.done != by_removal && one.value >= row.value &&
               (!row.reached_ps || one.signal_ps >= *row.reached_ps);
      });
      const auto render = found == work->second.end() ? renders_.end() : renders_.find(found->render);
      // What was queued once the device was removed was not behind it.
      const bool too_late =
          by_removal && render != renders_.end() && render->second.packet.submitted_ps > *row.reached_ps;
      if (render != renders_.end() && !too_late) time.packet = packet_of(log, render->second);
    }
    times.push_back(std::move(time));
  }
  return times;
}

bool DeadlineWork::is_by_removal(const DeadlineRow& row) const {
  return row.reached_ps && raised_by_removal_.count({row.fence, *row.reached_ps}) > 0;
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
  if (render.no_place.ps > 0) told.no_place_ps = render.no_place.ps;
  const auto add = [&](const Other& other) {
    std::string list(log.text(other.list));
    constexpr std::string_view before = "process ";
    if (other.what == What::waited) list = fence_name(list);
    if (other.what == What::switched_process && list.rfind(before, 0) == 0) list.erase(0, before.size());
    RanMeanwhile ran{std::move(list), other.ps, std::nullopt, std::nullopt};
    if (other.engine != LogName{}) ran.engine = log.text(other.engine);
    switch (other.what) {
      case What::ran: break;
      case What::moved_state: ran.moved = name_of(other.kind); break;
      case What::switched_process: ran.moved = "process_switch"; break;
      case What::waited: ran.moved = "wait"; break;
      case What::was_reset: ran.moved = "reset"; break;
    }
    told.meanwhile.push_back(std::move(ran));
  };
  for (const Other& other : render.meanwhile) add(other);
  for (std::size_t i = 0; i < std::min(render.no_place.others.size(), most_others); ++i) add(render.no_place.others[i]);
  if (const auto& missed = render.missed) {
    CouldNotStop other{missed->running_packet, std::string(log.text(render.in_the_way)), std::nullopt,
                       std::string(log.text(missed->result)), missed->at_ps};
    if (render.wait_in_the_way) {
      other.list = fence_name(other.list);
      other.wait = true;
    }
    told.could_not_stop = std::move(other);
  }
  return told;
}

}  // namespace fenceline
