// SPDX-License-Identifier: Apache-2.0
#include "api/report/preemption_sink.hpp"

#include <algorithm>
#include <utility>

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
    nodes_.back().track = track;
    nodes_.back().sums.node = log.text(track);
  }
  return nodes_[index];
}

void PreemptionSink::queued(const EventLog&, const QueuedRecord& queued) { rows_.queued(queued); }

void PreemptionSink::ready(const EventLog&, const ReadyRecord& ready) { rows_.ready(ready); }

void PreemptionSink::context(const EventLog& log, const ContextRecord& context) {
  contexts_.try_emplace(context.context, log.text(context.context));
  rows_.context(context);
}

void PreemptionSink::attempt(const EventLog& log, const AttemptRecord& attempt) {
  rows_.attempt(attempt, log.text(attempt.result));
}

void PreemptionSink::submission(const EventLog&, const SubmissionRecord& submission) { rows_.submission(submission); }

void PreemptionSink::interrupt(const EventLog&, const InterruptRecord& interrupt) { rows_.interrupt(interrupt); }

void PreemptionSink::request(const EventLog& log, const PreemptionRequest& request) {
  node_of(log, request.node);
  rows_.request(request);
}

void PreemptionSink::preemption(const EventLog& log, const PreemptionRecord& preemption) {
  rows_.preemption(preemption);
  add_settled(log);
}

void PreemptionSink::packet(const EventLog& log, const PacketRecord& packet) {
  rows_.packet(packet);
  add_settled(log);
}

void PreemptionSink::span(const EventLog& log, const Span& span) {
  rows_.span(span);
  if (!moves_state(span.kind)) return;
  node_of(log, span.track).moving.add(span.start_ps, span.end_ps);
}

void PreemptionSink::add_settled(const EventLog& log) {
  while (const auto row = rows_.take_settled()) add(node_of(log, row->request.node), *row);
}

void PreemptionSink::add(Node& node, const PreemptionRow& row) {
  if (!row.answer) return;
  const PreemptionRecord& answer = *row.answer;
  ++node.sums.requests;
  node.times.latency.push_back(answer.free_ps - row.began_ps());
  node.times.from_request.push_back(answer.free_ps - row.request.at_ps);
  for (const TurnWait& wait : row.turns) add_wait(node.turns, wait);
  if (row.deepened) return;  // what it cost counts once, for the last request of the answer
  if (answer.packets > 0) ++node.sums.stopped;
  node.sums.packets += answer.packets;
  node.sums.saved_bytes += answer.saved_bytes;
  node.sums.saved += answer.saved;
  node.times.drain.push_back(row.drain_ps());
  node.times.save.push_back(row.save_ps());
}

std::deque<PreemptionSink::Node> PreemptionSink::all() const {
  std::deque<Node> nodes = nodes_;
  for (const PreemptionRow& row : rows_.open()) {
    const auto node =
        std::find_if(nodes.begin(), nodes.end(), [&](const Node& one) { return one.track == row.request.node; });
    add(*node, row);
  }
  return nodes;
}

std::vector<PreemptionStats> PreemptionSink::nodes(const StatsSink& stats) const { return stats_of(all(), stats); }

std::vector<std::uint64_t> PreemptionSink::latencies() const {
  std::vector<std::uint64_t> latencies;
  for (const Node& node : all()) {
    latencies.insert(latencies.end(), node.times.latency.begin(), node.times.latency.end());
  }
  return latencies;
}

std::vector<PreemptionStats> PreemptionSink::stats_of(const std::deque<Node>& nodes, const StatsSink& stats) const {
  const std::vector<TrackStats> tracks = stats.tracks();
  std::vector<PreemptionStats> result;
  for (const Node& node : nodes) {
    PreemptionStats one = node.sums;
    one.latency = distribution_of(node.times.latency);
    one.from_request = distribution_of(node.times.from_request);
    one.drain = distribution_of(node.times.drain);
    one.save = distribution_of(node.times.save);
    one.lost_ps = node.moving.length();
    for (const TrackStats& track : tracks) {
      if (track.track != one.node) continue;
      one.lost_ps -= common_length(node.moving.pieces(), track.busy);
      one.engine_ps = track.busy_ps;
    }
    one.engine_ps += one.lost_ps;
    for (const TurnWait& wait : node.turns) {
      one.turns.push_back({wait.knob, wait.band, contexts_.at(wait.context), wait.waited_ps});
    }
    result.push_back(one);
  }
  return result;
}

PreemptionStats PreemptionSink::total(const StatsSink& stats) const {
  PreemptionStats total;
  const std::deque<Node> nodes = all();
  for (const PreemptionStats& node : stats_of(nodes, stats)) {
    total.requests += node.requests;
    total.stopped += node.stopped;
    total.packets += node.packets;
    total.saved_bytes += node.saved_bytes;
    total.saved += node.saved;
    total.lost_ps += node.lost_ps;
    total.engine_ps += node.engine_ps;
  }
  Times times;
  for (const Node& node : nodes) {
    append(times.latency, node.times.latency);
    append(times.from_request, node.times.from_request);
    append(times.drain, node.times.drain);
    append(times.save, node.times.save);
  }
  total.latency = distribution_of(std::move(times.latency));
  total.from_request = distribution_of(std::move(times.from_request));
  total.drain = distribution_of(std::move(times.drain));
  total.save = distribution_of(std::move(times.save));
  return total;
}

}  // namespace fenceline
