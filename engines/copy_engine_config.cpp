// SPDX-License-Identifier: Apache-2.0
#include "engines/copy_engine_config.hpp"

#include "sim/config/fields.hpp"

namespace fenceline {

void describe(Fields& f, CopyEngineConfig& c) {
  f.about("a copy node: drives copies only");
  describe(f, static_cast<EngineConfig&>(c));
  f.optional("context_state", static_cast<ContextState&>(c.context_state),
             "what stopping and resuming a context costs");
  f.optional("preemption", c.copy_preemption, "where copies stop");
  f.optional("setup_cycles", c.setup_cycles, "cycles of every copy before its first byte moves", between(0, 1e9));
}

}  // namespace fenceline
