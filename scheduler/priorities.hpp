// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/context_log.hpp"
#include "scheduler/state/scheduler_state.hpp"
#include "scheduler/turn_keeper.hpp"
#include "sim/kernel/timer.hpp"

#include <cstdint>
#include <optional>

namespace fenceline {

/// Where contexts stand: their ranks, and the focus that moves them.
class Priorities {
 public:
  Priorities(SchedulerState& state, ContextLog& log, TurnKeeper& turns) : s_(state), log_(log), turns_(turns) {}

  /// Where the context stands, and what that allows it.
  void rank(Context& context) const;
  void set_focus(ProcessId process);
  void set_priority(ProcessId process, ProcessPriority priority, std::uint32_t realtime_level);
  void set_priority(ContextId context, std::optional<int> in_process, std::optional<std::uint32_t> realtime_level);

  /// The context stands as `standing` says, with those that share it: priority, quantum and graces.
  void change(ContextId context, const ContextConfig& standing);
  /// What the bands allow has changed.
  void allow_anew();

  /// Of the process with the focus everything before a present is complete.
  void presents(Process& process);
  /// A process with the focus that has used the engines for long without a present ranks as if it had none.
  void judge_focus();
  /// When the process with the focus has used up its time without a present; Timer::never if none does.
  std::uint64_t outstays_ps() const { return outstays_ps_; }

 private:
  void rank_anew();
  static void begin_focus(Process& process);

  SchedulerState& s_;
  ContextLog& log_;
  TurnKeeper& turns_;
  std::uint64_t outstays_ps_ = Timer::never;
};

}  // namespace fenceline
