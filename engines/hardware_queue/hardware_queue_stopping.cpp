// SPDX-License-Identifier: Apache-2.0
// HardwareQueue, how a request to preempt stops the front packet.
#include "engines/command/requested_level.hpp"
#include "engines/hardware_queue/hardware_queue.hpp"
#include "sim/assert.hpp"
#include "sim/kernel/now.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace fenceline {

void HardwareQueue::preempt(PreemptionLevel finest) {
  FENCELINE_ASSERT(!stop_, "a hardware queue was asked to preempt twice");
  stop_.emplace(finest, now_ps());
}

void HardwareQueue::deepen(PreemptionLevel finest) {
  if (stop_) stop_->level.deepen(finest, now_ps());
}

void HardwareQueue::request_counts() {
  if (!stop_) return;
  stop_->settled = true;
  try_stop();
}

std::uint64_t HardwareQueue::next_escalation_ps() const {
  std::uint64_t next_ps = Timer::never;
  if (!stop_ || phase_ == Phase::saving) return next_ps;
  if (stop_->retry_ps > now_ps()) next_ps = stop_->retry_ps;
  for (const LevelSchedule& schedule : engine_.schedules) {
    const auto step_ps = stop_->level.next_step_ps(schedule, now_ps());
    if (step_ps) next_ps = std::min(next_ps, *step_ps);
  }
  return next_ps;
}

Levels HardwareQueue::levels_in_force() const {
  return fenceline::levels_in_force(stop_->level, engine_.schedules, now_ps());
}

PreemptionLevel HardwareQueue::finest_level() const {
  return packets_.empty() ? PreemptionLevel::dma_buffer : execution_.level(finest_levels(engine_.schedules));
}

std::optional<std::uint64_t> HardwareQueue::running_since_ps() const {
  if (phase_ == Phase::idle || phase_ == Phase::launching || phase_ == Phase::loading) return {};
  if (phase_ == Phase::resetting) return {};
  return front().piece_started_ps;
}

std::uint64_t HardwareQueue::running_until_ps() const {
  if (phase_ == Phase::retiring) return front().finished_ps;
  return phase_ == Phase::saving ? front().stopped_ps : now_ps();
}

void HardwareQueue::try_stop() {
  if (!stop_ || !stop_->settled || phase_ == Phase::saving || phase_ == Phase::flushing) return;
  if (stuck()) return;  // it could at any level, and does at none
  if (phase_ == Phase::idle) {
    stop_->report.stopped_ps = stop_->report.free_ps = now_ps();
    answer();
    return;
  }
  const Levels levels = levels_in_force();
  const PreemptionLevel level = execution_.level(levels);
  const LevelTraits traits = traits_of(level);
  if (!traits.has(level_rule::withholds_packets)) return;
  withhold();
  if (!traits.has(level_rule::stops_packets) || phase_ == Phase::retiring || phase_ == Phase::loading) return;
  if (execution_.owes() && execution_.none_runs()) return;  // it begins first
  if (phase_ == Phase::launching) {
    save();
  } else if (!execution_.at_end() || execution_.can_halt(levels)) {  // else nothing is left to be issued
    halt();
  }
}

/// Packets behind the front one will not run before the request is answered.
void HardwareQueue::withhold() {
  if (packets_.size() < 2) return;
  stop_->withheld.assign(std::make_move_iterator(packets_.begin() + 1), std::make_move_iterator(packets_.end()));
  packets_.erase(packets_.begin() + 1, packets_.end());
}

/// No command is issued any more; those that run stop each at its own level.
void HardwareQueue::halt() {
  if (phase_ == Phase::running) {
    enter(Phase::halting);
    execution_.stop_issuing();
  }
  stop_->asking = true;
  stop_->retry_ps = execution_.halt(levels_in_force());
  stop_->asking = false;
  if (stop_->retry_ps != Timer::never) engine_.escalation_changed();
  if (execution_.none_runs()) all_stopped();
}

void HardwareQueue::command_halted(std::uint32_t id, CommandRemainder left) {
  if (phase_ == Phase::resetting) {
    execution_.stopped(id, std::move(left));
    if (!abandoning_ && execution_.none_runs()) reset_over();
    return;
  }
  stop_->report.reached = std::max(stop_->report.reached, execution_.level_of(id, levels_in_force()));
  execution_.stopped(id, std::move(left));
  if (!stop_->asking && execution_.none_runs()) all_stopped();
}

/// Nothing runs any more.
void HardwareQueue::all_stopped() {
  if (phase_ == Phase::resetting) {
    if (!abandoning_) reset_over();
    return;
  }
  if (execution_.at_end()) {  // all of it had its turn: it ends as it would have
    enter(Phase::running);
    execution_.proceed();
  } else if (execution_.complete_ps() > now_ps()) {
    enter(Phase::flushing);
    engine_.agenda.at<&HardwareQueue::flushed>(execution_.complete_ps(), this, turn_);
  } else {
    save();
  }
}

void HardwareQueue::flushed(std::uint64_t number) {
  if (number == turn_) save();
}

void HardwareQueue::save() {
  DmaPacket& packet = front();
  PreemptionReport& report = stop_->report;
  report.stopped_ps = now_ps();
  report.reached = std::max(report.reached, PreemptionLevel::command);
  packet.turned_back = phase_ == Phase::launching;
  std::sort(packet.halted.begin(), packet.halted.end(),
            [](const HaltedCommand& a, const HaltedCommand& b) { return a.sequence < b.sequence; });
  if (packet.turned_back) {
    ++turn_;
    if (packet.begun()) left_ = packet.id;  // what the piece before has left is still there
  } else {
    packet.stopped_ps = now_ps();
    engine_.log.packet(packet, true);
  }
  enter(Phase::saving);
  moves_.save(packet, report);
}

void HardwareQueue::saved(std::uint64_t) { answer(); }

/// The hardware queue is empty and free again; what it held goes back.
void HardwareQueue::answer() {
  StopRequest stop = std::move(*stop_);
  stop_.reset();
  stop.report.last_completed_fence_id = last_completed_;
  std::vector<DmaPacket> packets(std::make_move_iterator(packets_.begin()), std::make_move_iterator(packets_.end()));
  packets.insert(packets.end(), std::make_move_iterator(stop.withheld.begin()),
                 std::make_move_iterator(stop.withheld.end()));
  packets_.clear();
  if (phase_ != Phase::idle) enter(Phase::idle);
  engine_.escalation_changed();
  engine_.listener->packets_preempted(engine_.engine, index_, stop.report, std::move(packets));
}

void HardwareQueue::reset() {
  FENCELINE_ASSERT(phase_ != Phase::resetting, "a hardware queue was reset twice");
  ++turn_;
  left_ = 0;
  moves_.abandon();
  if (stop_) {
    packets_.insert(packets_.end(), std::make_move_iterator(stop_->withheld.begin()),
                    std::make_move_iterator(stop_->withheld.end()));
    stop_.reset();
    engine_.escalation_changed();
  }
  if (phase_ == Phase::idle) {
    engine_.listener->queue_reset(engine_.engine, index_, {});
    return;
  }
  const bool ran = running_since_ps().has_value();
  const bool logged = phase_ == Phase::saving || phase_ == Phase::retiring;  // its last piece
  enter(Phase::resetting);
  DmaPacket& packet = front();
  if (ran && !logged) {
    packet.stopped_ps = now_ps();
    engine_.log.packet(packet, true);
  }
  abandoning_ = true;
  execution_.abandon();
  abandoning_ = false;
  if (execution_.none_runs()) reset_over();
}

void HardwareQueue::reset_over() {
  std::vector<DmaPacket> packets(std::make_move_iterator(packets_.begin()), std::make_move_iterator(packets_.end()));
  packets_.clear();
  context_ = no_context;
  enter(Phase::idle);
  engine_.listener->queue_reset(engine_.engine, index_, std::move(packets));
}

}  // namespace fenceline
