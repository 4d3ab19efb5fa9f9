// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/hazards/queue_order.hpp"

#include <algorithm>
#include <utility>

namespace fenceline::d3d12 {

QueueOrder::Queue& QueueOrder::queue_of(std::uint32_t index) {
  if (index >= queues_.size()) queues_.resize(index + 1);
  return queues_[index];
}

QueueOrder::Packet& QueueOrder::submit(std::uint32_t queue, std::uint64_t packet, Packet::What what) {
  std::deque<Packet>& packets = queue_of(queue).packets;
  packets.push_back({packet, what, cpu_});
  return packets.back();
}

void QueueOrder::submit_execution(std::uint32_t queue, std::uint64_t packet) {
  submit(queue, packet, Packet::What::execution);
}

void QueueOrder::submit_wait(std::uint32_t queue, std::uint64_t packet, std::uint32_t index, std::uint64_t value) {
  Packet& wait = submit(queue, packet, Packet::What::wait);
  Fence& fence = fences_[index];
  if (fence.history.value() >= value) {
    wait.brought = fence.history.reached(value);
  } else {
    fence.waits.push_back({value, queue, packet});
  }
}

void QueueOrder::submit_signal(std::uint32_t queue, std::uint64_t packet) {
  submit(queue, packet, Packet::What::signal);
}

void QueueOrder::cpu_learns(const QueueClock& clock) {
  if (cpu_->covers(clock)) return;
  QueueClock more = *cpu_;
  more.join(clock);
  cpu_ = std::make_shared<QueueClock>(std::move(more));
}

void QueueOrder::cpu_signals(std::uint32_t fence, std::uint64_t value) {
  cpu_learns(fences_[fence].frames);
  move(fences_[fence], value, *cpu_);
}

void QueueOrder::another_signals(std::uint32_t fence, std::uint64_t value) {
  QueueClock all = *cpu_;
  for (std::size_t queue = 0; queue < queues_.size(); ++queue) {
    all.set(queue, std::max(all[queue], queues_[queue].executions));
  }
  move(fences_[fence], value, all);
}

void QueueOrder::cpu_sees_value(std::uint32_t fence) {
  const FenceHistory& history = fences_[fence].history;
  cpu_learns(history.reached(history.value()));
  cpu_learns(history.last());
}

void QueueOrder::cpu_sees_reached(std::uint32_t fence, std::uint64_t value) {
  cpu_learns(fences_[fence].history.reached(value));
}

void QueueOrder::move(Fence& fence, std::uint64_t value, const QueueClock& clock) {
  fence.history.signal(value, clock);
  const auto ended = std::stable_partition(fence.waits.begin(), fence.waits.end(),
                                           [&](const Wait& wait) { return wait.value > value; });
  for (auto wait = ended; wait != fence.waits.end(); ++wait) {
    std::deque<Packet>& packets = queues_[wait->queue].packets;
    const auto packet = std::lower_bound(packets.begin(), packets.end(), wait->packet,
                                         [](const Packet& one, std::uint64_t wanted) { return one.id < wanted; });
    if (packet != packets.end() && packet->id == wait->packet) packet->brought = clock;
  }
  fence.waits.erase(ended, fence.waits.end());
  fence.history.forget(*cpu_);
}

/// The queue has come to that packet: what is before it has taken place, as far as it holds back what follows.
void QueueOrder::reach(Queue& queue, std::uint32_t index, std::uint64_t packet) {
  for (; !queue.packets.empty() && queue.packets.front().id <= packet; queue.packets.pop_front()) {
    Packet& reached = queue.packets.front();
    queue.clock.join(*reached.cpu);
    switch (reached.what) {
      case Packet::What::execution: queue.clock.set(index, ++queue.executions); break;
      case Packet::What::wait: queue.clock.join(reached.brought); break;
      case Packet::What::signal: queue.signals.emplace(reached.id, queue.clock); break;
    }
  }
}

QueueOrder::Execution QueueOrder::executed(std::uint32_t index, std::uint64_t packet) {
  Queue& queue = queue_of(index);
  reach(queue, index, packet);
  return {queue.executions, queue.clock};
}

/// What is known when a packet that needs no engine takes place, however far the queue is by then.
QueueClock QueueOrder::take_place(std::uint32_t index, std::uint64_t packet) {
  Queue& queue = queue_of(index);
  reach(queue, index, packet);
  const auto signal = queue.signals.find(packet);
  if (signal == queue.signals.end()) return queue.clock;
  QueueClock clock = std::move(signal->second);
  queue.signals.erase(signal);
  return clock;
}

void QueueOrder::signalled(std::uint32_t queue, std::uint64_t packet, std::uint32_t fence, std::uint64_t value) {
  move(fences_[fence], value, take_place(queue, packet));
}

void QueueOrder::presented(std::uint32_t queue, std::uint64_t packet, std::uint32_t fence) {
  fences_[fence].frames.join(take_place(queue, packet));
}

QueueClock QueueOrder::horizon() const {
  QueueClock known;
  for (std::size_t queue = 0; queue < cpu_->size(); ++queue) {
    std::uint64_t executions = (*cpu_)[queue];
    for (std::size_t other = 0; other < queues_.size(); ++other) {
      if (other == queue || queues_[other].packets.empty()) continue;
      const QueueClock& cpu = *queues_[other].packets.front().cpu;
      executions = std::min(executions, std::max(queues_[other].clock[queue], cpu[queue]));
    }
    known.set(queue, executions);
  }
  return known;
}

}  // namespace fenceline::d3d12
