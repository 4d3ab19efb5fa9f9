// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/policies/runlist.hpp"
#include "scheduler/preemptor.hpp"
#include "scheduler/state/scheduler_state.hpp"
#include "sim/process_turn_record.hpp"

#include <cstdint>

namespace fenceline {

/// Processes that take turns on runlists' engines: stops those whose turn is over, and loads the next.
class RunlistTurns {
 public:
  RunlistTurns(SchedulerState& state, Preemptor& preemptor) : s_(state), preemptor_(preemptor) {}

  /// Whose turn it is on each runlist, at this moment.
  void consider();
  /// One of the runlist's hardware queues has stopped, for the next process.
  void answered(std::uint32_t runlist);
  /// When a turn ends that somebody waits for; Node::never if none does.
  std::uint64_t next_end_ps() const;

 private:
  std::uint32_t next_process(const Runlist& runlist) const;
  bool busy(const Runlist& runlist) const;
  bool kept_together(const Runlist& runlist) const;
  bool has_queued(const Runlist& runlist) const;
  RunlistView view(const Runlist& runlist) const;
  void consider(std::uint32_t runlist);
  void stop_process(std::uint32_t runlist);
  void activate(std::uint64_t runlist);
  void tell(const Runlist& runlist, ProcessTurnRecord::What what, std::uint32_t process) const;

  SchedulerState& s_;
  Preemptor& preemptor_;
};

}  // namespace fenceline
