// SPDX-License-Identifier: Apache-2.0
#include "engines/hardware_queue/hardware_queue.hpp"

#include "sim/assert.hpp"
#include "sim/duration.hpp"
#include "sim/kernel/now.hpp"

#include <string>
#include <utility>

namespace fenceline {

HardwareQueue::HardwareQueue(EngineParts& engine, std::uint32_t index)
    : engine_(engine),
      index_(index),
      execution_(engine, index, *this),
      moves_(engine, Callback::to<&HardwareQueue::loaded>(this), Callback::to<&HardwareQueue::saved>(this)) {}

void HardwareQueue::enter(Phase phase) {
  FENCELINE_ASSERT(can_change(phase_, phase), std::string(name_of(phase_)) + " to " + name_of(phase));
  const Phase from = std::exchange(phase_, phase);
  execution_.set_going(phase == Phase::running);
  engine_.listener->phase_changed(engine_.engine, index_, from, phase);
}

void HardwareQueue::submit(DmaPacket packet) {
  packet.hardware_ps = now_ps();
  packets_.push_back(std::move(packet));
  if (phase_ == Phase::idle) launch(false);
}

void HardwareQueue::release(std::uint64_t id) {
  for (DmaPacket& packet : packets_) {
    if (packet.id == id) packet.released = true;
  }
  if (phase_ == Phase::running && front().id == id) execution_.proceed();
}

void HardwareQueue::rerank(std::uint32_t context, int priority, int in_process_priority) {
  for (DmaPacket& packet : packets_) {
    if (packet.context != context) continue;
    packet.priority = priority;
    packet.in_process_priority = in_process_priority;
    if (&packet == &front()) engine_.executor.reranked(packet);
  }
}

/// The front packet's turn has come: behind another one, or in an empty queue.
void HardwareQueue::launch(bool follows) {
  DmaPacket& packet = front();
  packet.load = {};
  const bool is_there = context_ == packet.context || context_ == no_context;
  context_ = packet.context;
  if (!is_there) packet.load.switch_ps = ps_of_us(engine_.config.context_state.switch_us);
  const std::uint64_t left = std::exchange(left_, 0);
  packet.load.restores = packet.begun() && left != packet.id;
  if (left != packet.id) packet.load.saves = left;
  const bool loads = packet.load.restores || packet.load.switch_ps > 0 || packet.load.saves != 0;
  execution_.take(packet, packet.stream != nullptr && (loads || packet.turned_back));
  const std::uint64_t launch_ps = packet.cost.launch_ps + (follows ? packet.cost.follow_ps : 0);
  if (loads) {
    enter(Phase::loading);
    moves_.load(packet, launch_ps);
  } else {
    enter(Phase::launching);
    engine_.agenda.at<&HardwareQueue::launched>(now_ps() + launch_ps, this, turn_);
  }
}

void HardwareQueue::launched(std::uint64_t number) {
  if (number == turn_) run();
}

/// The front packet's context is there; a request that came meanwhile begins to count.
void HardwareQueue::loaded(std::uint64_t) {
  if (stop_) stop_->report.drain_from_ps = now_ps();
  run();
}

/// The front packet begins, or goes on.
void HardwareQueue::run() {
  DmaPacket& packet = front();
  enter(Phase::running);
  packet.piece_started_ps = now_ps();
  engine_.log.begun(packet);
  if (packet.started_ps == Progress::not_started) {
    packet.started_ps = now_ps();
  } else {
    packet.preempted_ps += now_ps() - packet.stopped_ps;
  }
  engine_.listener->packet_launched(engine_.engine, index_);
  execution_.resume();
  execution_.proceed();
}

/// The condition of a wait holds, or all commands are complete.
void HardwareQueue::executed() {
  DmaPacket& packet = front();
  enter(Phase::retiring);
  packet.finished_ps = now_ps();
  if (packet.has_more()) {
    packet.stopped_ps = now_ps();
  } else if (packet.effects != nullptr) {
    packet.effects->finish();
  }
  engine_.log.packet(packet, false);
  engine_.agenda.at<&HardwareQueue::retire>(now_ps() + packet.cost.retire_ps, this, turn_);
}

void HardwareQueue::retire(std::uint64_t number) {
  if (number != turn_) return;
  DmaPacket packet = std::move(front());
  packets_.pop_front();
  last_completed_ = packet.submission_fence_id;
  if (packet.has_more()) left_ = packet.id;
  if (stop_) stop_->report.reached = PreemptionLevel::dma_buffer;
  if (packets_.empty()) {
    enter(Phase::idle);
  } else {
    launch(true);
  }
  engine_.listener->packet_completed(engine_.engine, index_, std::move(packet));
  try_stop();
}

}  // namespace fenceline
