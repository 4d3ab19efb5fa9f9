// SPDX-License-Identifier: Apache-2.0
#include "api/validation/play/moment_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace fenceline {
namespace {

constexpr std::string_view fence_track = "adapter.fences.";

template <class Map>
const typename Map::mapped_type& found(const Map& map, const std::string& name, const char* what) {
  const auto entry = map.find(name);
  if (entry == map.end()) throw std::logic_error(fmt::format("validation: {} \"{}\" was not seen", what, name));
  return entry->second;
}

}  // namespace

void MomentLog::Times::add(std::uint64_t start, std::uint64_t end) {
  start_ps = std::min(start_ps, start);
  end_ps = std::max(end_ps, end);
}

void MomentLog::span(const EventLog& log, const Span& span) {
  const SpanKind kind = span.kind;
  if (kind == SpanKind::packet) runs_.push_back({span.start_ps, span.end_ps, std::string(log.text(span.name))});
  if (kind == SpanKind::command) {
    commands_[span.id].add(span.start_ps, span.end_ps);
    all_commands_.add(span.start_ps, span.end_ps);
  }
  if (kind == SpanKind::wave) groups_[span.id].add(span.start_ps, span.end_ps);
}

void MomentLog::packet(const EventLog& log, const PacketRecord& packet) {
  if (packet.type != PacketType::render) return;
  const std::string list(log.text(packet.label));
  submitted_.emplace(list, packet.submitted_ps);
  lists_[list].add(packet.started_ps, packet.finished_ps);
  for (auto* of_packets : {&groups_, &commands_}) {
    const auto times = of_packets->find(packet.id);
    if (times == of_packets->end()) continue;
    if (of_packets == &groups_ || work_.count(list) == 0) work_[list].add(times->second.start_ps, times->second.end_ps);
    of_packets->erase(times);
  }
}

void MomentLog::counter(const EventLog& log, const Counter& counter) {
  const std::string_view track = log.text(counter.track);
  if (track.substr(0, fence_track.size()) != fence_track) return;
  fences_.emplace(track.substr(fence_track.size()), counter.at_ps);
}

double MomentLog::us_of(const Moment& moment) const {
  using Of = Moment::Of;
  std::uint64_t ps = 0;
  switch (moment.of) {
    case Of::release: break;
    case Of::submitted: ps = found(submitted_, moment.name, "list"); break;
    case Of::list_start: ps = found(lists_, moment.name, "list").start_ps; break;
    case Of::list_end: ps = found(lists_, moment.name, "list").end_ps; break;
    case Of::work_start: ps = found(work_, moment.name, "work of list").start_ps; break;
    case Of::work_end: ps = found(work_, moment.name, "work of list").end_ps; break;
    case Of::first_start:
    case Of::last_end: {
      Times all;
      for (const auto& [list, times] : lists_) all.add(times.start_ps, times.end_ps);
      ps = moment.of == Of::last_end ? all.end_ps : lists_.empty() ? 0 : all.start_ps;
      break;
    }
    case Of::first_command: ps = std::min(all_commands_.start_ps, all_commands_.end_ps); break;
    case Of::last_command_end: ps = all_commands_.end_ps; break;
    case Of::fence: ps = found(fences_, moment.name, "fence"); break;
  }
  return static_cast<double>(ps) / 1e6;
}

}  // namespace fenceline
