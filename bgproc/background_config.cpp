// SPDX-License-Identifier: Apache-2.0
#include "bgproc/background_config.hpp"

#include "sim/config/fields.hpp"

namespace fenceline {

void describe(Fields& f, BackgroundConfig& c) {
  f.about("background processing: measuring pipeline states and recompiling them while a program runs");
  f.optional("source", c.source, "where the numbers are from");
  f.optional("supported", c.supported, "the driver measures and recompiles (D3D12's BackgroundProcessingSupported)");
  f.optional("developer_mode", c.developer_mode,
             "of the system; without it modes that disable and commits of high priority are refused");
  f.optional(
      "executor", c.executor,
      "simulated: tasks take time on modelled cores; host: real threads run them, for programs alone, and no two "
      "runs are the same");
  f.optional("parallel_tasks", c.parallel_tasks, "background tasks at one time, but for commits of high priority",
             between(1, 1024));
  f.optional(
      "disabling_cancels", c.disabling_cancels,
      "disabling cancels queued tasks that have not begun (the driver interface's page of 2019), not only new ones");
  f.optional("task_us", c.task_us, "CPU time of a task that does not say its own, us", between(0, 1e9));
  f.optional("folded", c.folded, "of pipeline states that do not say their own");
  f.optional("pgo", c.pgo, "the driver's measuring and recompiling");
}

}  // namespace fenceline
