// SPDX-License-Identifier: Apache-2.0
#include "api/report/html/packet_timeline.hpp"

#include <algorithm>

namespace fenceline {
namespace {

constexpr std::uint64_t columns_across = 1000;  // about the pixels of a timeline: shorter bars would hide each other

/// A span whose packet never told of its end.
PacketRecord unfinished_packet_of(const Span& span) {
  PacketRecord packet{};
  packet.id = span.id;
  packet.label = span.name;
  packet.node = span.track;
  packet.submitted_ps = packet.head_ps = packet.ready_ps = packet.hardware_ps = packet.started_ps = span.start_ps;
  packet.finished_ps = packet.completed_ps = span.end_ps;
  return packet;
}

}  // namespace

void PacketTimeline::span(const Span& span) {
  waiting_.push_back(span);
  if (waiting_.size() <= most_waiting_spans) return;
  add_to_engine(waiting_.front(), unfinished_packet_of(waiting_.front()), colour_of_no_queue);
  waiting_.pop_front();
}

void PacketTimeline::packet(const PacketRecord& packet) {
  const auto [index, is_new] = seen_queues_.number_of(packet.context);
  const auto colour = static_cast<std::uint32_t>(index % queue_colours);
  if (is_new && index < most_queues) queues_.push_back({packet.context, colour, {}, {}, {}, {}, {}});
  if (is_new && index >= most_queues) ++queues_left_out_;
  Queue* const queue = index < most_queues ? &queues_[index] : nullptr;

  if (queue != nullptr && packet.ready_ps > packet.head_ps) {
    queue->fence.add({packet.head_ps, packet.ready_ps, colour, packet});
  }
  if (packet.type == PacketType::signal && queue != nullptr) {
    queue->signals.add({packet.completed_ps, packet.completed_ps, colour, packet});
  }
  if (packet.type != PacketType::render) return;
  if (queue != nullptr && packet.started_ps > packet.ready_ps) {
    queue->node.add({packet.ready_ps, packet.started_ps, colour, packet});
  }
  // A preempted packet has several spans.
  bool has_spans = false;
  std::uint64_t stopped_ps = 0;
  for (auto span = waiting_.begin(); packet.id != 0 && span != waiting_.end();) {
    if (span->id != packet.id) {
      ++span;
      continue;
    }
    if (has_spans && queue != nullptr && span->start_ps > stopped_ps) {
      queue->preempted.add({stopped_ps, span->start_ps, colour, packet});
    }
    has_spans = true;
    stopped_ps = span->end_ps;
    add_to_engine(*span, packet, colour);
    if (queue != nullptr) queue->running.add({span->start_ps, span->end_ps, colour, packet});
    span = waiting_.erase(span);
  }
  if (!has_spans && queue != nullptr) queue->running.add({packet.started_ps, packet.finished_ps, colour, packet});
}

void PacketTimeline::task(const TaskRecord& task) {
  if (task.what == TaskRecord::What::cancelled) return;
  const auto [index, is_new] = seen_workers_.number_of(task.track);
  if (index >= most_workers) {
    workers_left_out_ += is_new ? 1 : 0;
    return;
  }
  if (is_new) workers_.push_back({task.track, {}, {}});
  if (task.what == TaskRecord::What::started) {
    workers_[index].running = task;
  } else {
    add_to_worker(workers_[index], task, task.at_ps);
  }
}

void PacketTimeline::settle(std::uint64_t end_ps) {
  end_ps_ = end_ps;
  for (const Span& span : waiting_) add_to_engine(span, unfinished_packet_of(span), colour_of_no_queue);
  waiting_.clear();
  for (Worker& worker : workers_) {
    if (worker.running) add_to_worker(worker, *worker.running, end_ps);
  }

  const std::uint64_t shortest_ps = end_ps / columns_across;
  for (BarLane* lane : lanes()) lane->shrink(BarLane::most_bars, shortest_ps);
  // Every lane may keep the same number of bars, and what short lanes do not need goes to the others.
  const std::vector<BarLane*> all = lanes();
  std::size_t each = 0;
  for (std::size_t step = BarLane::most_bars; step > 0; step /= 2) {
    std::size_t total = 0;
    for (const BarLane* lane : all) total += std::min(lane->bars().size(), each + step);
    if (total <= most_bars) each += step;
  }
  for (BarLane* lane : all) lane->shrink(each, shortest_ps);
}

void PacketTimeline::add_to_engine(const Span& span, const PacketRecord& packet, std::uint32_t colour) {
  const auto [index, is_new] = seen_engines_.number_of(span.track);
  if (index >= most_engines) {
    engines_left_out_ += is_new ? 1 : 0;
    return;
  }
  if (is_new) engines_.push_back({span.track, {}});
  engines_[index].running.add({span.start_ps, span.end_ps, colour, packet});
}

void PacketTimeline::add_to_worker(Worker& worker, const TaskRecord& task, std::uint64_t end_ps) {
  PacketRecord bar{};
  bar.id = task.task;
  bar.label = task.name;
  bar.completed_ps = task.what == TaskRecord::What::finished ? end_ps : 0;
  worker.tasks.add({task.started_ps, end_ps, 0, bar});
  worker.running.reset();
}

std::vector<BarLane*> PacketTimeline::lanes() {
  std::vector<BarLane*> result;
  for (Engine& engine : engines_) result.push_back(&engine.running);
  for (Queue& queue : queues_) {
    for (BarLane* lane : {&queue.running, &queue.fence, &queue.node, &queue.preempted, &queue.signals})
      result.push_back(lane);
  }
  for (Worker& worker : workers_) result.push_back(&worker.tasks);
  return result;
}

}  // namespace fenceline
