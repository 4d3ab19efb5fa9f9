// SPDX-License-Identifier: Apache-2.0
#include "api/report/markers/marker_regions.hpp"

#include <algorithm>

namespace fenceline {
namespace {

std::string joined(std::string_view path, std::string_view name) {
  std::string all(path);
  if (!all.empty()) all += '/';
  all += name;
  return all;
}

}  // namespace

void MarkerRegions::marker(const EventLog& log, const MarkerRecord& marker) {
  if (marker.packet != 0) {
    List& list = lists_[marker.packet];
    if (list.stretches.empty()) list.stretches.emplace_back();
    list.markers.push_back(marker);
    list.stretches.emplace_back();
    return;
  }
  Queue& queue = queues_[marker.context];
  MarkerRow row{marker.kind == MarkerKind::begin, marker.context, marker.name, marker.color};
  switch (marker.kind) {
    case MarkerKind::begin:
      if (queue.open.size() >= MarkerPaths::most_nested) {
        ++queue.deeper;
        return;
      }
      paths_.marker(log, marker);
      row.path = paths_.of_queue(marker.context);
      row.start_ps = ~std::uint64_t{0};
      queue.open.push_back(begun_);
      regions_[begun_++] = {std::move(row)};
      return;
    case MarkerKind::end:
      if (queue.deeper > 0) {
        --queue.deeper;
        return;
      }
      paths_.marker(log, marker);
      if (queue.open.empty()) return;
      regions_[queue.open.back()].ended = true;
      end(log, queue.open.back());
      queue.open.pop_back();
      return;
    case MarkerKind::set:
      row.path = joined(paths_.of_queue(marker.context), log.text(marker.name));
      row.start_ps = row.end_ps = marker.at_ps;
      if (queue.last_packet == 0) return tell_(log, row);
      queue.set_behind.emplace_back(queue.last_packet, std::move(row));
      return;
  }
}

/// It is told once it has ended and nothing of it is under way.
void MarkerRegions::end(const EventLog& log, std::uint64_t region) {
  const auto found = regions_.find(region);
  if (!found->second.ended || found->second.under_way > 0) return;
  if (found->second.row.count > 0) tell_(log, found->second.row);
  regions_.erase(found);
}

void MarkerRegions::queued(const QueuedRecord& queued) {
  Queue& queue = queues_[queued.context];
  queue.last_packet = queued.packet;
  if (queue.open.empty() || queued.type != PacketType::render) return;
  List& list = lists_[queued.packet];
  list.regions = queue.open;
  list.path = paths_.of_queue(queued.context);
  for (const std::uint64_t region : list.regions) ++regions_[region].under_way;
}

void MarkerRegions::span(const Span& span) {
  if (span.kind != SpanKind::command || lists_.empty()) return;
  const auto found = lists_.find(span.id);
  if (found == lists_.end() || found->second.markers.empty()) return;
  List& list = found->second;
  const auto behind =
      std::upper_bound(list.markers.begin(), list.markers.end(), span.command,
                       [](std::size_t command, const MarkerRecord& one) { return command < one.command; });
  if (!span.stopped) list.complete = std::max(list.complete, span.command + 1);
  Stretch& stretch = list.stretches[static_cast<std::size_t>(behind - list.markers.begin())];
  stretch.start_ps = std::min(stretch.start_ps, span.start_ps);
  stretch.end_ps = std::max(stretch.end_ps, span.end_ps);
}

void MarkerRegions::packet(const EventLog& log, const PacketRecord& packet) {
  const auto found = lists_.find(packet.id);
  if (found != lists_.end()) {
    const List list = std::move(found->second);
    lists_.erase(found);
    const bool ran = packet.status != PacketStatus::discarded;
    if (ran) tell_list(log, list, packet);
    for (auto region = list.regions.rbegin(); region != list.regions.rend(); ++region) {
      Region& in = regions_[*region];
      --in.under_way;
      if (ran) {
        ++in.row.count;
        in.row.start_ps = std::min(in.row.start_ps, packet.started_ps);
        in.row.end_ps = std::max(in.row.end_ps, packet.finished_ps);
      }
      end(log, *region);
    }
  }
  const auto queue = queues_.find(packet.context);
  if (queue == queues_.end()) return;
  if (queue->second.last_packet == packet.id) queue->second.last_packet = 0;
  auto& behind = queue->second.set_behind;
  for (; !behind.empty() && behind.front().first == packet.id; behind.pop_front()) {
    MarkerRow& row = behind.front().second;
    row.start_ps = row.end_ps = std::max(row.start_ps, packet.finished_ps);
    tell_(log, row);
  }
}

void MarkerRegions::tell_list(const EventLog& log, const List& list, const PacketRecord& packet) const {
  // By marker: when what comes before it is complete, and when what comes behind it begins.
  std::vector<std::uint64_t> before(list.markers.size());
  std::vector<std::uint64_t> behind(list.markers.size());
  std::uint64_t end_ps = packet.started_ps;
  for (std::size_t i = 0; i < list.markers.size(); ++i) before[i] = end_ps = std::max(end_ps, list.stretches[i].end_ps);
  std::uint64_t start_ps = packet.finished_ps;
  for (std::size_t i = list.markers.size(); i-- > 0;) {
    behind[i] = start_ps = std::min(start_ps, list.stretches[i + 1].start_ps);
  }
  std::vector<std::pair<std::size_t, std::string>> open;  // markers, and the paths of their regions
  std::size_t deeper = 0;
  const auto tell_innermost = [&](std::uint64_t commands, std::uint64_t from_ps, std::uint64_t to_ps) {
    const MarkerRecord& begin = list.markers[open.back().first];
    MarkerRow row{true, packet.context, begin.name, begin.color, packet.id, begin.list};
    row.path = std::move(open.back().second);
    row.count = commands - begin.command;
    row.start_ps = from_ps;
    row.end_ps = to_ps;
    tell_(log, row);
    open.pop_back();
  };
  const bool is_whole = packet.status == PacketStatus::completed;
  // A command that a reset ended has no time of its own: it begins when those before it are complete.
  const auto begins_ps = [&](std::size_t i) {
    return is_whole || behind[i] < packet.finished_ps ? behind[i] : before[i];
  };
  for (std::size_t i = 0; i < list.markers.size(); ++i) {
    const MarkerRecord& marker = list.markers[i];
    if (!is_whole && marker.command > list.complete) break;
    const std::string_view path = open.empty() ? list.path : open.back().second;
    if (marker.kind == MarkerKind::begin && open.size() >= MarkerPaths::most_nested) {
      ++deeper;
    } else if (marker.kind == MarkerKind::end && deeper > 0) {
      --deeper;
    } else if (marker.kind == MarkerKind::begin) {
      open.emplace_back(i, joined(path, log.text(marker.name)));
    } else if (marker.kind == MarkerKind::set) {
      MarkerRow row{false, packet.context, marker.name, marker.color, packet.id, marker.list};
      row.path = joined(path, log.text(marker.name));
      row.start_ps = row.end_ps = begins_ps(i);
      tell_(log, row);
    } else if (!open.empty()) {
      const std::size_t begin = open.back().first;
      const std::uint64_t from_ps = std::min(behind[begin], before[i]);
      const bool has_commands = marker.command > list.markers[begin].command;
      tell_innermost(marker.command, from_ps, has_commands ? before[i] : from_ps);
    }
  }
  while (!is_whole && !open.empty()) {
    tell_innermost(list.complete, begins_ps(open.back().first), packet.finished_ps);
  }
}

void MarkerRegions::finish(const EventLog& log) {
  for (auto region = regions_.rbegin(); region != regions_.rend(); ++region) {
    if (region->second.row.count > 0) tell_(log, region->second.row);
  }
  regions_.clear();
}

}  // namespace fenceline
