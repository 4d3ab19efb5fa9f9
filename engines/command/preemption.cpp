// SPDX-License-Identifier: Apache-2.0
#include "engines/command/preemption.hpp"

#include "sim/config/fields.hpp"

#include <cstddef>
#include <string>

namespace fenceline {

template <class Granularity>
void describe(Fields& f, EscalationStep<Granularity>& c) {
  f.required("granularity", c.granularity, "where the engine stops from then on");
  f.optional("after_us", c.after_us, "how long after the request, microseconds", between(0, 1e9));
}

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

template void describe(Fields& f, ClassPreemption<GraphicsPreemption>& c);
template void describe(Fields& f, ClassPreemption<ComputePreemption>& c);
template void describe(Fields& f, ClassPreemption<CopyPreemption>& c);

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
  f.optional("allocation_kib", c.allocation_kib,
             "GPU context allocation of each queue, its save area in video memory, KiB; 0: it has none",
             between(0, 1 << 30));
  f.optional("gb_per_s", c.gb_per_s, "bytes saved or restored at most, 1e9 a second; they share video memory",
             between(1e-3, 1e6));
}

void describe(Fields& f, ThreadContextState& c) {
  describe(f, static_cast<ContextState&>(c));
  f.optional("thread_bytes", c.thread_bytes, "of a resident thread, besides its registers", between(0, 1e6));
}

}  // namespace fenceline
