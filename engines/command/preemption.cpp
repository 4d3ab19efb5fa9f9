// SPDX-License-Identifier: Apache-2.0
#include "engines/command/preemption.hpp"

#include "sim/duration.hpp"

#include <algorithm>

namespace fenceline {

void LevelSchedule::add(PreemptionLevel level, double after_us) { steps_.push_back({level, ps_of_us(after_us)}); }

PreemptionLevel LevelSchedule::level_after(std::uint64_t elapsed_ps) const {
  PreemptionLevel level = steps_.front().level;
  for (const Step& step : steps_) {
    if (step.after_ps <= elapsed_ps) level = step.level;
  }
  return level;
}

PreemptionLevel RequestedLevel::in_force(const LevelSchedule& levels, std::uint64_t at_ps) const {
  PreemptionLevel level = PreemptionLevel::none;
  for (const Asked& asked : asked_) {
    level = std::max(level, std::min(asked.finest, levels.level_after(at_ps - asked.at_ps)));
  }
  return level;
}

std::optional<std::uint64_t> RequestedLevel::next_step_ps(const LevelSchedule& levels, std::uint64_t at_ps) const {
  std::optional<std::uint64_t> next_ps;
  for (const Asked& asked : asked_) {
    for (const LevelSchedule::Step& step : levels.steps()) {
      const std::uint64_t step_ps = asked.at_ps + step.after_ps;
      if (step_ps > at_ps && step_ps < next_ps.value_or(~std::uint64_t{0})) next_ps = step_ps;
    }
  }
  return next_ps;
}

void describe(Fields& f, ContextState& c) {
  f.about("a context's state on an engine and how it moves when the context is stopped or another takes its place");
  f.optional("bytes", c.bytes, "of a context that is stopped inside a packet, besides its thread groups",
             between(0, 1e12));
  const Range microseconds = between(0, 1e6);
  f.optional("save_us", c.save_us, "from the moment the engine has stopped until the first byte is saved",
             microseconds);
  f.optional("restore_us", c.restore_us, "the same before a context that was stopped inside a packet goes on",
             microseconds);
  f.optional("switch_us", c.switch_us,
             "loading a context other than the one that the hardware queue has loaded; paid when its packet comes",
             microseconds);
  f.optional("gb_per_s", c.gb_per_s, "bytes saved or restored at most, 1e9 a second; they share video memory",
             between(1e-3, 1e6));
}

void describe(Fields& f, ThreadContextState& c) {
  describe(f, static_cast<ContextState&>(c));
  f.optional("thread_bytes", c.thread_bytes, "of a resident thread, besides its registers", between(0, 1e6));
}

}  // namespace fenceline
