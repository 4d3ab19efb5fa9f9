// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/preemption.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace fenceline {

/// The levels that a request goes through.
class LevelSchedule {
 public:
  struct Step {
    PreemptionLevel level;
    std::uint64_t after_ps;
  };
  template <class Granularity>
  explicit LevelSchedule(const ClassPreemption<Granularity>& preemption) {
    add(static_cast<PreemptionLevel>(preemption.escalation.empty() ? preemption.granularity
                                                                   : preemption.escalation.front().granularity),
        0);
    for (std::size_t i = 1; i < preemption.escalation.size(); ++i) {
      add(static_cast<PreemptionLevel>(preemption.escalation[i].granularity), preemption.escalation[i].after_us);
    }
  }
  /// In force so long after the request.
  PreemptionLevel level_after(std::uint64_t elapsed_ps) const;
  /// In force once the request has waited long enough.
  PreemptionLevel finest() const { return steps_.back().level; }
  const std::vector<Step>& steps() const { return steps_; }

 private:
  void add(PreemptionLevel level, double after_us);
  std::vector<Step> steps_;
};

/// How fine a request may stop, as time goes on and as it is deepened.
///
/// Each deepening goes through the levels of an escalation from its own moment on, as fine as it asks for, and what was
/// asked before goes on beside it: the level in force is the finest of them, so that deepening never makes it coarser.
class RequestedLevel {
 public:
  RequestedLevel(PreemptionLevel finest, std::uint64_t at_ps) : asked_{{finest, at_ps}} {}
  void deepen(PreemptionLevel finest, std::uint64_t at_ps) {
    if (finest > asked_.back().finest) asked_.push_back({finest, at_ps});
  }
  PreemptionLevel in_force(const LevelSchedule& levels, std::uint64_t at_ps) const;
  /// When the next step of the escalation comes after `at_ps`; nothing if none does.
  std::optional<std::uint64_t> next_step_ps(const LevelSchedule& levels, std::uint64_t at_ps) const;

 private:
  struct Asked {
    PreemptionLevel finest;
    std::uint64_t at_ps;
  };
  std::vector<Asked> asked_;  // each finer than those before
};

}  // namespace fenceline
