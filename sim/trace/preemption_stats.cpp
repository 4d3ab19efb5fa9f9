// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/preemption_stats.hpp"

namespace fenceline {
namespace {

void append(std::vector<std::uint64_t>& all, const std::vector<std::uint64_t>& some) {
  all.insert(all.end(), some.begin(), some.end());
}

}  // namespace

PreemptionSink::Node& PreemptionSink::node_of(const EventLog& log, LogName track) {
  const auto [index, is_new] = seen_.number_of(track);
  if (is_new) {
    nodes_.emplace_back();
    nodes_.back().sums.node = log.text(track);
  }
  return nodes_[index];
}

void PreemptionSink::preemption(const EventLog& log, const PreemptionRecord& preemption) {
  Node& node = node_of(log, preemption.node);
  ++node.sums.requests;
  if (preemption.packets > 0) ++node.sums.stopped;
  node.sums.packets += preemption.packets;
  node.sums.saved_bytes += preemption.saved_bytes;
  node.times.latency.push_back(preemption.free_ps - preemption.requested_ps);
  node.times.drain.push_back(preemption.stopped_ps - preemption.requested_ps);
  node.times.save.push_back(preemption.free_ps - preemption.stopped_ps);
}

void PreemptionSink::span(const EventLog& log, const Span& span) {
  if (log.text(span.category) != "preemption") return;
  node_of(log, span.track).moving.add(span.start_ps, span.end_ps);
}

std::vector<PreemptionStats> PreemptionSink::nodes(const StatsSink& stats) const {
  const std::vector<TrackStats> tracks = stats.tracks();
  std::vector<PreemptionStats> result;
  for (const Node& node : nodes_) {
    PreemptionStats one = node.sums;
    one.latency = distribution_of(node.times.latency);
    one.drain = distribution_of(node.times.drain);
    one.save = distribution_of(node.times.save);
    one.lost_ps = node.moving.length();
    for (const TrackStats& track : tracks) {
      if (track.track != one.node) continue;
      one.lost_ps -= common_length(node.moving.pieces(), track.busy);
      one.engine_ps = track.busy_ps;
    }
    one.engine_ps += one.lost_ps;
    result.push_back(one);
  }
  return result;
}

PreemptionStats PreemptionSink::total(const StatsSink& stats) const {
  PreemptionStats total;
  for (const PreemptionStats& node : nodes(stats)) {
    total.requests += node.requests;
    total.stopped += node.stopped;
    total.packets += node.packets;
    total.saved_bytes += node.saved_bytes;
    total.lost_ps += node.lost_ps;
    total.engine_ps += node.engine_ps;
  }
  Times times;
  for (const Node& node : nodes_) {
    append(times.latency, node.times.latency);
    append(times.drain, node.times.drain);
    append(times.save, node.times.save);
  }
  total.latency = distribution_of(std::move(times.latency));
  total.drain = distribution_of(std::move(times.drain));
  total.save = distribution_of(std::move(times.save));
  return total;
}

}  // namespace fenceline
