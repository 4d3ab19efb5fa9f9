// SPDX-License-Identifier: Apache-2.0
#include "api/report/markers/marker_paths.hpp"

namespace fenceline {

void MarkerPaths::marker(const EventLog& log, const MarkerRecord& marker) {
  if (marker.packet == 0) {
    Queue& queue = queues_[marker.context];
    if (marker.kind == MarkerKind::begin && queue.lengths.size() >= most_nested) {
      ++queue.deeper;
    } else if (marker.kind == MarkerKind::end && queue.deeper > 0) {
      --queue.deeper;
    } else if (marker.kind == MarkerKind::begin) {
      queue.lengths.push_back(queue.path.size());
      if (queue.lengths.size() > 1) queue.path += '/';
      queue.path += log.text(marker.name);
    } else if (marker.kind == MarkerKind::end && !queue.lengths.empty()) {
      queue.path.resize(queue.lengths.back());
      queue.lengths.pop_back();
    }
    return;
  }
  if (marker.kind == MarkerKind::set) return;
  Packet& packet = packets_[marker.packet];
  if (marker.kind == MarkerKind::end) {
    if (packet.depth > 0) --packet.depth;
    return;
  }
  if (packet.depth++ > 0) return;
  if (++packet.outermost > most_named + 1) return;
  if (packet.outermost > 1) {
    packet.path += " + ";
  } else if (!packet.path.empty()) {
    packet.path += '/';
  }
  packet.path += packet.outermost > most_named ? "..." : log.text(marker.name);
}

void MarkerPaths::queued(const QueuedRecord& queued) {
  const std::string_view path = of_queue(queued.context);
  if (!path.empty()) packets_[queued.packet].path = path;
}

std::string_view MarkerPaths::of(std::uint64_t packet) const {
  const auto found = packets_.find(packet);
  return found == packets_.end() ? std::string_view() : found->second.path;
}

std::string_view MarkerPaths::of_queue(LogName context) const {
  const auto found = queues_.find(context);
  return found == queues_.end() ? std::string_view() : found->second.path;
}

}  // namespace fenceline
