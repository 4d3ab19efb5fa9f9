// SPDX-License-Identifier: Apache-2.0
#include "api/report/explain/deadline_work.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace fenceline {

using Json = nlohmann::ordered_json;

void DeadlineWork::span(const EventLog&, const Span& span) {
  if (span.kind != SpanKind::packet) return;
  std::deque<Span>& spans = spans_[span.track];
  spans.push_back(span);
  if (spans.size() > most_spans) spans.pop_front();
}

void DeadlineWork::attempt(const EventLog& log, const AttemptRecord& attempt) {
  if (attempt.waiting_packet == 0 || log.text(attempt.result) == "Success") return;
  attempts_.insert_or_assign(attempt.waiting_packet, attempt);
}

void DeadlineWork::packet(const EventLog&, const PacketRecord& packet) {
  if (packet.type == PacketType::render) {
    Render render{packet, std::nullopt};
    if (const auto missed = attempts_.find(packet.id); missed != attempts_.end()) {
      render.missed = missed->second;
      attempts_.erase(missed);
    }
    last_render_.insert_or_assign(packet.context, render);
    return;
  }
  if (packet.type != PacketType::signal || fences_.count(packet.label) == 0) return;
  const auto render = last_render_.find(packet.context);
  if (render == last_render_.end() || work_count_ >= most_work) return;
  ++work_count_;
  Work work{packet.fence_value, packet.completed_ps, render->second, meanwhile(render->second.packet)};
  if (work.render.missed) {
    for (const Span& span : spans_[work.render.packet.node]) {
      if (span.id == work.render.missed->running_packet) work.in_the_way = span.name;
    }
  }
  work_[packet.label].push_back(std::move(work));
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

Json DeadlineWork::json_of(const EventLog& log, const std::vector<DeadlineRow>& rows, std::size_t most) const {
  Json all = Json::array();
  for (const DeadlineRow& row : rows) {
    if (all.size() == most) break;
    Json json = {{"deadline", log.text(row.name)}, {"value", row.value}, {"due_ps", row.due_ps}};
    json["reached_ps"] = row.reached_ps ? Json(*row.reached_ps) : Json(nullptr);
    if (const auto work = work_.find(row.fence); work != work_.end()) {
      const auto found = std::find_if(work->second.begin(), work->second.end(), [&](const Work& one) {
        // A pass that is played again signals the same values again.
        return one.value >= row.value && (!row.reached_ps || one.signal_ps >= *row.reached_ps);
      });
      if (found != work->second.end()) json["packet"] = json_of(log, *found);
    }
    all.push_back(std::move(json));
  }
  return all;
}

Json DeadlineWork::json_of(const EventLog& log, const Work& work) const {
  const PacketRecord& packet = work.render.packet;
  Json json = {{"id", packet.id},
               {"queue", log.text(packet.context)},
               {"list", log.text(packet.label)},
               {"engine", log.text(packet.node)},
               {"submitted_ps", packet.submitted_ps},
               {"queued_ps", packet.head_ps - packet.submitted_ps},
               {"fence_ps", packet.ready_ps - packet.head_ps},
               {"engine_wait_ps", packet.started_ps - packet.ready_ps},
               {"running_ps", packet.finished_ps - packet.started_ps - packet.preempted_ps},
               {"preempted_ps", packet.preempted_ps}};
  json["meanwhile"] = Json::array();
  for (const Other& other : work.meanwhile) {
    json["meanwhile"].push_back({{"list", log.text(other.list)}, {"ps", other.ps}});
  }
  if (const auto& missed = work.render.missed) {
    json["could_not_stop"] = {{"packet", missed->running_packet},
                              {"list", log.text(work.in_the_way)},
                              {"result", log.text(missed->result)},
                              {"at_ps", missed->at_ps}};
  }
  return json;
}

}  // namespace fenceline
