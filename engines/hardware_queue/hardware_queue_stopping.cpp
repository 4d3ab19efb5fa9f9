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

/// The coarsest level in force for what runs now, or for what is next where nothing runs.
PreemptionLevel HardwareQueue::level_of_front(const Levels& levels) const {
  const CommandExecutor& executor = engine_.executor;
  const DmaPacket& packet = front();
  if (!running_.empty()) {
    PreemptionLevel coarsest = finest_preemption_level;
    for (const std::uint32_t id : running_) {
      coarsest = std::min(coarsest, level_of(executor, packet, *engine_.commands[id].command, levels));
    }
    return coarsest;
  }
  if (!packet.halted.empty()) return level_of(executor, packet, *packet.halted.front().command, levels);
  if (packet.stream != nullptr && !at_end()) return level_of(executor, packet, front_end_.next(packet), levels);
  const PreemptionLevel level = level_between_packets(executor, levels);
  // A wait gives way before its condition holds.
  const bool gives_way = packet.stream == nullptr && traits_of(level).has(level_rule::withholds_packets);
  return gives_way ? PreemptionLevel::command : level;
}

PreemptionLevel HardwareQueue::level_of_command(std::uint32_t id) const {
  return level_of(engine_.executor, front(), *engine_.commands[id].command, levels_in_force());
}

PreemptionLevel HardwareQueue::finest_level() const {
  return packets_.empty() ? PreemptionLevel::dma_buffer : level_of_front(finest_levels(engine_.schedules));
}

std::optional<std::uint64_t> HardwareQueue::running_since_ps() const {
  if (phase_ == Phase::idle || phase_ == Phase::launching || phase_ == Phase::loading) return {};
  return front().piece_started_ps;
}

std::uint64_t HardwareQueue::running_until_ps() const {
  if (phase_ == Phase::retiring) return front().finished_ps;
  return phase_ == Phase::saving ? front().stopped_ps : now_ps();
}

void HardwareQueue::try_stop() {
  if (!stop_ || !stop_->settled || phase_ == Phase::saving || phase_ == Phase::flushing) return;
  if (phase_ == Phase::idle) {
    stop_->report.stopped_ps = stop_->report.free_ps = now_ps();
    answer();
    return;
  }
  const PreemptionLevel level = level_of_front(levels_in_force());
  const LevelTraits traits = traits_of(level);
  if (!traits.has(level_rule::withholds_packets)) return;
  withhold();
  if (!traits.has(level_rule::stops_packets) || phase_ == Phase::retiring || phase_ == Phase::loading) return;
  if (owes_ && running_.empty()) return;  // it begins first
  if (phase_ == Phase::launching) {
    save();
  } else if (!at_end() || can_halt()) {  // else nothing is left to be issued
    halt();
  }
}

/// Packets behind the front one will not run before the request is answered.
void HardwareQueue::withhold() {
  if (packets_.size() < 2) return;
  stop_->withheld.assign(std::make_move_iterator(packets_.begin() + 1), std::make_move_iterator(packets_.end()));
  packets_.erase(packets_.begin() + 1, packets_.end());
}

/// The front packet has commands, and all of them have begun.
bool HardwareQueue::at_end() const {
  const DmaPacket& packet = front();
  return packet.stream != nullptr && packet.cursor.command == packet.stream->commands.size() && packet.halted.empty();
}

/// A command that runs can be stopped inside.
bool HardwareQueue::can_halt() const {
  return std::any_of(running_.begin(), running_.end(),
                     [&](std::uint32_t id) { return traits_of(level_of_command(id)).has(level_rule::stops_packets); });
}

/// It is the oldest command of a packet that does a unit of work before it is stopped, and has not done it.
bool HardwareQueue::owes_work(std::uint32_t id, PreemptionLevel level) const {
  if (!owes_ || id != running_.front()) return false;
  return !traits_of(level).has(level_rule::stops_commands) || !engine_.executor.has_worked(id, level);
}

/// No command is issued any more; those that run stop each at its own level.
void HardwareQueue::halt() {
  if (phase_ == Phase::running) {
    enter(Phase::halting);
    ++generation_;
    front_end_.stop(front(), now_ps());
  }
  stop_->asking = true;
  halt_commands();
  stop_->asking = false;
  if (stop_->retry_ps != Timer::never) engine_.escalation_changed();
  if (running_.empty()) all_stopped();
}

void HardwareQueue::halt_commands() {
  constexpr std::uint64_t longest_wait_ps = 1'000'000;
  stop_->retry_ps = Timer::never;
  const std::vector<std::uint32_t> running = running_;
  for (const std::uint32_t id : running) {
    const PreemptionLevel level = level_of_command(id);
    if (!traits_of(level).has(level_rule::stops_packets)) continue;
    if (!owes_work(id, level)) {
      engine_.executor.halt(id, level);
    } else if (traits_of(level).has(level_rule::stops_commands)) {
      // Asked again after a cycle, and if it is waiting for others, after ever longer.
      const std::uint64_t waited_ps = now_ps() - engine_.commands[id].start_ps;
      stop_->retry_ps = engine_.clock.after(now_ps() + std::min(waited_ps, longest_wait_ps), 1);
    }
  }
}

void HardwareQueue::command_halted(std::uint32_t id, CommandRemainder left) {
  stop_->report.reached = std::max(stop_->report.reached, level_of_command(id));
  const RunningCommand stopped = leave(id, true);
  front().halted.push_back({stopped, std::move(left)});
  if (!stop_->asking && running_.empty()) all_stopped();
}

/// Nothing runs any more.
void HardwareQueue::all_stopped() {
  if (at_end()) {  // all of it had its turn: it ends as it would have
    enter(Phase::running);
    proceed();
  } else if (complete_ps_ > now_ps()) {
    enter(Phase::flushing);
    engine_.agenda.at<&HardwareQueue::flushed>(complete_ps_, this);
  } else {
    save();
  }
}

void HardwareQueue::flushed(std::uint64_t) { save(); }

void HardwareQueue::save() {
  DmaPacket& packet = front();
  PreemptionReport& report = stop_->report;
  report.stopped_ps = now_ps();
  report.reached = std::max(report.reached, PreemptionLevel::command);
  packet.turned_back = phase_ == Phase::launching;
  std::sort(packet.halted.begin(), packet.halted.end(),
            [](const HaltedCommand& a, const HaltedCommand& b) { return a.sequence < b.sequence; });
  if (packet.turned_back) {
    ++generation_;
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

}  // namespace fenceline
