// SPDX-License-Identifier: Apache-2.0
#include "bgproc/cores/cpu_config.hpp"

#include "sim/config/fields.hpp"

namespace fenceline {

void describe(Fields& f, CpuConfig& c) {
  f.about("the CPU cores that a program's threads and background tasks share");
  f.optional("source", c.source, "where the numbers are from");
  f.optional("cores", c.cores, "physical cores; 0: every thread has a processor of its own and none disturbs another",
             between(0, 1024));
  f.optional("smt_width", c.smt_width, "logical processors of a core", between(1, 8));
  f.optional("smt_gain", c.smt_gain,
             "throughput that each further busy processor of a core adds, as a part of one thread's alone",
             between(0, 1));
  f.optional("background_slowdown", c.background_slowdown,
             "part of its speed that a thread loses to each idle-priority thread that runs at the time",
             between(0, 0.5));
}

}  // namespace fenceline
