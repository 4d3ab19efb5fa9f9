// SPDX-License-Identifier: Apache-2.0
#include "engines/preemption.hpp"

#include "sim/duration.hpp"

namespace fenceline {

void LevelSchedule::add(PreemptionLevel level, double after_us) { steps_.push_back({level, ps_of_us(after_us)}); }

PreemptionLevel LevelSchedule::level_after(std::uint64_t elapsed_ps) const {
  PreemptionLevel level = steps_.front().level;
  for (const Step& step : steps_) {
    if (step.after_ps <= elapsed_ps) level = step.level;
  }
  return level;
}

void describe(Fields& f, ContextState& c) {
  f.about("a context's state on an engine and how it moves when the context is stopped or another takes its place");
  f.optional("bytes", c.bytes, "of a context that is stopped inside a packet, besides its thread groups",
             between(0, 1e12));
  f.optional("thread_bytes", c.thread_bytes, "of a resident thread, besides its registers", between(0, 1e6));
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

}  // namespace fenceline
