// SPDX-License-Identifier: Apache-2.0
#include "api/report/stats.hpp"

#include "api/report/packets.hpp"

#include <cstddef>

namespace fenceline {
void StatsSink::span(const EventLog& log, const Span& span) {
  if (span.kind != SpanKind::packet) return;
  const auto [index, is_new] = seen_tracks_.number_of(span.track);
  if (is_new) tracks_.push_back({std::string(log.text(span.track)), 0, {}});
  Track& track = tracks_[index];
  ++track.packet_spans;
  track.busy.add(span.start_ps, span.end_ps);
}

void StatsSink::counter(const EventLog& log, const Counter& counter) {
  if (counter.kind != CounterKind::fence_value) return;
  const auto [index, is_new] = seen_fences_.number_of(counter.track);
  if (is_new) fences_.push_back({std::string(log.text(counter.track)), 0, 0});
  fences_[index].last_value = counter.value;
  ++fences_[index].signals;
}

void StatsSink::packet(const EventLog& log, const PacketRecord& packet) {
  const auto [queued, fence, node, running, preempted, completing] = reasons_of(log, packet);
  const auto [index, is_new] = seen_contexts_.number_of(packet.context);
  if (is_new) contexts_.push_back({{std::string(log.text(packet.context)), 0, {}, 0, 0, 0, 0, 0, 0}, {}});
  Context& context = contexts_[index];
  ++totals_.packets;
  context.sums.fence_ps += fence.end_ps - fence.start_ps;
  if (!has_commands(packet.type)) return;
  ++context.sums.render_packets;
  context.sums.running_ps += running.end_ps - running.start_ps;
  context.sums.preempted_ps += preempted.end_ps - preempted.start_ps;
  context.sums.preemptions += packet.preemptions;
  context.sums.pieces += packet.pieces;
  context.sums.rejected_pieces += packet.rejected ? 1 : 0;
  context.queue_ps.push_back(node.end_ps - queued.start_ps);
}

void StatsSink::finish(const EventLog&, std::uint64_t end_ps) { totals_.end_ps = end_ps; }

std::vector<TrackStats> StatsSink::tracks() const {
  std::vector<TrackStats> result;
  for (const Track& track : tracks_)
    result.push_back({track.name, track.packet_spans, track.busy.length(), track.busy.pieces()});
  return result;
}

std::vector<ContextStats> StatsSink::contexts() const {
  std::vector<ContextStats> result;
  for (const Context& context : contexts_) {
    result.push_back(context.sums);
    result.back().queue = distribution_of({context.queue_ps.begin(), context.queue_ps.end()});
  }
  return result;
}

}  // namespace fenceline
