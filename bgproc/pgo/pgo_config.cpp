// SPDX-License-Identifier: Apache-2.0
#include "bgproc/pgo/pgo_config.hpp"

#include "sim/config/fields.hpp"

#include <fmt/format.h>

namespace fenceline {

void describe(Fields& f, FoldedParts& c) {
  f.about("what a pipeline state's work loses when it is specialised for the bound root constants, in rounds");
  const Range part = between(0, 0.9);
  f.optional("constants", c.constants, "part of its instructions and cycles that depends on root constants alone",
             part);
  f.optional("branches", c.branches, "part of the same: branches that are never taken once constants are folded", part);
  f.optional("resources", c.resources, "part of its bytes from video memory and textures that turns out redundant",
             part);
  f.check(c.constants + c.branches <= 0.9, "constants and branches together at most 0.9",
          fmt::format("{}", c.constants + c.branches), "branches");
}

void describe(Fields& f, PgoConfig& c) {
  f.about("how the simulated user-mode driver measures pipeline states and when it recompiles them");
  f.optional("source", c.source, "where the numbers are from");
  f.optional("light_period", c.light_period, "of a pipeline state's executions each so-and-so-manieth is measured",
             between(1, 1e6));
  f.optional("light_cost", c.light_cost, "instructions that a light measurement adds, as a part", between(0, 10));
  f.optional("intrusive_cost", c.intrusive_cost, "instructions that an intrusive measurement adds, as a part",
             between(0, 100));
  f.optional("act_now_executions", c.act_now_executions,
             "executions of a pipeline state before its histogram is acted upon without a commit", between(1, 1e9));
  f.optional("frequent_part", c.frequent_part,
             "part of the executions that had one set of root constants, from which a variant is compiled",
             between(0.001, 1));
  f.optional("steady_part", c.steady_part,
             "part of the intrusively measured executions with one set of root constants that took the same branches, "
             "or had the same resources bound, from which its variant takes that for granted; what is less steady is "
             "not folded away",
             between(0.001, 1));
  f.optional("compile_us", c.compile_us, "CPU time of a recompile, us", between(0, 1e9));
  f.optional("compile_us_per_instruction", c.compile_us_per_instruction,
             "and for each instruction of the pipeline state's programs (code_instructions), us", between(0, 1e6));
  f.optional("tuning_period", c.tuning_period,
             "each so-and-so-manieth execution tries another cache policy or dispatch pattern; 0: none",
             between(0, 1e6));
  f.optional("tuning_cost", c.tuning_cost, "instructions that such a trial adds, as a part", between(0, 10));
}

}  // namespace fenceline
