// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace fenceline {

/// How an attempt to preempt went, with the names of D3DKMT_QUERYRESULT_PREEMPTION_ATTEMPT_RESULT (d3dkmthk.h) in its
/// order, as far as they can occur here. Windows documents the names only; what each means is a reading.
enum class PreemptionAttempt : std::uint8_t {
  success,                   ///< the engine was asked to stop
  miss_no_command,           ///< nothing in the hardware queue could be withheld
  miss_not_enabled,          ///< the engine's granularity or the driver rules it out
  miss_next_fence,           ///< what runs has ended, its interrupt is on its way
  miss_splitted_command,     ///< Windows 7 model: pieces of a list that is split run, and it waits for the last
  miss_fence_command,        ///< Windows 7 model: a wait on the hardware is not preempted
  miss_not_making_progress,  ///< what waits is a wait whose fence is not there: it would hold the engine idle
  miss_less_priority,        ///< nothing there has a lower priority
  miss_remaining_quantum,    ///< an equal one runs and has not used its quantum up
  miss_remaining_preemption_quantum,  ///< a lower one runs and has its grace period still
  miss_already_preempting,            ///< an earlier request has not been answered
  miss_global_block,                  ///< a runlist changes processes: nobody preempts meanwhile
  miss_already_running,               ///< the context's own packet runs
};
constexpr std::size_t preemption_attempt_results = 13;
constexpr std::array<const char*, preemption_attempt_results> preemption_attempt_names = {
    "Success",
    "MissNoCommand",
    "MissNotEnabled",
    "MissNextFence",
    "MissSplittedCommand",
    "MissFenceCommand",
    "MissNotMakingProgress",
    "MissLessPriority",
    "MissRemainingQuantum",
    "MissRemainingPreemptionQuantum",
    "MissAlreadyPreempting",
    "MissGlobalBlock",
    "MissAlreadyRunning"};

/// Attempts of one node, by how they went.
class PreemptionAttempts {
 public:
  void count(PreemptionAttempt result) { ++counts_[static_cast<std::size_t>(result)]; }
  std::uint64_t of(PreemptionAttempt result) const { return counts_[static_cast<std::size_t>(result)]; }
  std::uint64_t all() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : counts_) sum += count;
    return sum;
  }

 private:
  std::array<std::uint64_t, preemption_attempt_results> counts_{};
};

}  // namespace fenceline
