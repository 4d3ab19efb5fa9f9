// SPDX-License-Identifier: Apache-2.0
#include "engines/compute_engine_config.hpp"

#include "sim/config/fields.hpp"

namespace fenceline {

void describe(Fields& f, ComputeEngineConfig& c) {
  f.about("a compute node: dispatches, copies and clears");
  describe_shader_engine(f, c);
  f.optional("compute_preemption", c.compute_preemption, "where dispatches and what goes with them stop");
}

}  // namespace fenceline
