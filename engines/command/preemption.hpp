// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/preemption_level.hpp"
#include "sim/config/fields.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

/// From `after_us` after the request on, the engine stops at this granularity.
template <class Granularity>
struct EscalationStep {
  Granularity granularity = Granularity::dma_buffer_boundary;
  double after_us = 0;
};
template <class Granularity>
void describe(Fields& f, EscalationStep<Granularity>& c) {
  f.required("granularity", c.granularity, "where the engine stops from then on");
  f.optional("after_us", c.after_us, "how long after the request, microseconds", between(0, 1e9));
}

/// How one class of work on an engine stops. Without an escalation at `granularity`, from the request on.
template <class Granularity>
struct ClassPreemption {
  Granularity granularity = Granularity::dma_buffer_boundary;  ///< the finest, which the adapter reports
  std::vector<EscalationStep<Granularity>> escalation;         ///< coarse first, the last one is `granularity`
};
template <class Granularity>
void describe(Fields& f, ClassPreemption<Granularity>& c) {
  f.optional("granularity", c.granularity, "finest boundary at which work of this class stops");
  f.optional("escalation", c.escalation,
             "start coarse and go finer after a bounded wait; absent: `granularity` at once");
  for (std::size_t i = 0; i < c.escalation.size(); ++i) {
    const std::string at = "/escalation/" + std::to_string(i);
    const bool later = i == 0 ? c.escalation[i].after_us == 0 : c.escalation[i].after_us > c.escalation[i - 1].after_us;
    f.check(later, i == 0 ? "0: the first step begins with the request" : "more than the step before",
            std::to_string(c.escalation[i].after_us), at + "/after_us");
    const bool finer = i == 0 || c.escalation[i].granularity > c.escalation[i - 1].granularity;
    f.check(finer, "a finer granularity than the step before", "a coarser one or the same", at + "/granularity");
  }
  f.check(c.escalation.empty() || c.escalation.back().granularity == c.granularity,
          "a last step at `granularity`, the finest", "another granularity", "escalation");
}

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

/// What a context's state on an engine is made of and how it moves: where preemption's time goes.
struct ContextState {
  std::uint64_t bytes = 0;  ///< of a context that is stopped inside a packet, besides its thread groups
  double save_us = 0;       ///< before the first byte is saved
  double restore_us = 0;    ///< before the first byte is restored
  double switch_us = 0;     ///< of loading another context than the one that is there
  double gb_per_s = 1000;   ///< saved or restored at most
};
void describe(Fields& f, ContextState& c);

/// On an engine that runs threads.
struct ThreadContextState : ContextState {
  std::uint32_t thread_bytes = 0;  ///< of a resident thread, besides its registers
};
void describe(Fields& f, ThreadContextState& c);

}  // namespace fenceline
