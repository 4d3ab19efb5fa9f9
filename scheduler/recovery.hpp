// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/context_log.hpp"
#include "scheduler/context_queues.hpp"
#include "scheduler/preemptor.hpp"
#include "scheduler/recovery/reset_episode.hpp"
#include "scheduler/recovery/watchdog.hpp"
#include "scheduler/removed_devices.hpp"
#include "scheduler/runlist_turns.hpp"
#include "scheduler/state/scheduler_state.hpp"
#include "sim/log.hpp"

#include <cstdint>
#include <deque>
#include <list>
#include <vector>

namespace fenceline {

class Residency;

/// Who handles interrupts, and takes packets back: the scheduler.
class ReportHandler {
 public:
  virtual ~ReportHandler() = default;
  /// As if the deferred call of the interrupt ran now.
  virtual void handle(EngineReport& report) = 0;
  /// The packet, the last of its context there, comes back from the hardware queue.
  virtual void return_packet(Node& node, std::uint32_t queue, DmaPacket& packet) = 0;
  /// Nothing of the context is there any more.
  virtual void left_hardware(Node& node, std::uint32_t context) = 0;
};

/// Timeout detection and recovery: what is done when an engine does not stop, and after page faults
/// (docs/recovery.md). It is asked in each round of decisions.
class Recovery {
 public:
  Recovery(SchedulerState& state, ContextLog& log, ContextQueues& queues, Preemptor& preemptor, RunlistTurns& runlists,
           RemovedDevices& devices, const Residency& residency, ReportHandler& handler)
      : s_(state),
        log_(log),
        queues_(queues),
        preemptor_(preemptor),
        runlists_(runlists),
        devices_(devices),
        residency_(residency),
        handler_(handler) {}

  /// Timeouts, and how far the resets under way are; those of this very moment where what else happens at it has
  /// happened (`settled`).
  void consider(bool settled);
  /// When there is something to do without news.
  std::uint64_t next_ps();
  /// The operating system knows of a page fault of the packet with that submission fence id.
  void page_fault(std::uint32_t node, std::uint32_t queue, std::uint64_t fence_id);
  /// The engine has stopped in one of its hardware queues.
  void queue_reset(std::uint32_t node, std::uint32_t queue, std::vector<DmaPacket> packets);
  /// The run has ended.
  bool bugchecked() const { return bugchecked_; }

 private:
  void judge(std::uint32_t node, std::uint32_t queue, std::uint64_t until_ps);
  std::uint64_t next_timeout_ps() const;

  // How an episode begins.
  void begin(std::uint32_t node, std::uint32_t queue, RecoveryRecord::Step step, LogName reason, bool resets_adapter);
  bool out_of_limits(ResetEpisode& episode);
  void bugcheck(const ResetEpisode& episode);
  void flush(const ResetEpisode& episode, std::uint32_t node);
  void hold(ResetEpisode& episode, std::uint32_t node);
  void ask_dependents(ResetEpisode& episode);

  // How it goes on: recovery_resets.cpp.
  bool answered(const ResetEpisode& episode) const;
  void advance(ResetEpisode& episode, std::uint64_t until_ps);
  void begin_resets(ResetEpisode& episode);
  void reset_next(ResetEpisode& episode);
  void engine_done(ResetEpisode& episode);
  void collect_ended(ResetEpisode& episode, std::uint32_t node);
  void reset_adapter(ResetEpisode& episode);
  void abort_all(ResetEpisode& episode);
  void abort(ResetEpisode& episode, AbortedQueue& queue);
  void remove_devices(ResetEpisode& episode);
  void let_go(ResetEpisode& episode);
  void record(const ResetEpisode& episode, RecoveryRecord::Step step, std::uint32_t node,
              std::optional<std::uint32_t> queue, std::uint64_t fence_id);

  SchedulerState& s_;
  ContextLog& log_;
  ContextQueues& queues_;
  Preemptor& preemptor_;
  RunlistTurns& runlists_;
  RemovedDevices& devices_;
  const Residency& residency_;
  ReportHandler& handler_;
  std::list<ResetEpisode> episodes_;  // under way
  std::uint64_t watch_from_ps_ = 0;   // nothing on the nodes runs out before this, as far as next_ps knew
  std::uint64_t last_episode_ = 0;
  std::vector<std::uint64_t> adapter_resets_ps_;  // of timeouts
  bool bugchecked_ = false;
};

}  // namespace fenceline
