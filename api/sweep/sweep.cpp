// SPDX-License-Identifier: Apache-2.0
#include "api/sweep/sweep.hpp"

#include "sim/config/fields.hpp"

#include <fmt/format.h>

namespace fenceline {

void describe(Fields& f, SweepAxis& axis) {
  f.about("A value that changes from run to run.");
  f.required("pointer", axis.pointer,
             "JSON Pointer into the machine, or with /workload before it into the workload, as --set takes it");
  f.optional("name", axis.name, "name of its column; none: the last key of the pointer");
  f.optional("values", axis.values, "what it becomes, each text as --set takes it");
  f.optional("numbers", axis.numbers, "numbers that it becomes, in place of values");
  f.optional("from", axis.from, "first number of a range, in place of values");
  f.optional("to", axis.to, "end of the range: none of its numbers is above");
  f.optional("step", axis.step, "what is added from one number of the range to the next; neither step nor factor: 1",
             positive);
  f.optional("factor", axis.factor, "what one number of the range is multiplied by for the next", positive);
  f.optional("zip", axis.zip, "changes together with the axis before it, instead of being crossed with it");
  const bool ranges = axis.from || axis.to || axis.step || axis.factor;
  const int said = (axis.values.empty() ? 0 : 1) + (axis.numbers.empty() ? 0 : 1) + (ranges ? 1 : 0);
  f.check(said == 1, "one of values, numbers, and from with to", said == 0 ? "none" : "several");
  if (!ranges) return;
  f.check(axis.from && axis.to, "from and to", axis.from ? "no to" : "no from");
  if (!axis.from || !axis.to) return;
  f.check(*axis.to >= *axis.from, fmt::format("at least from, {}", *axis.from), fmt::format("{}", *axis.to), "to");
  f.check(!axis.step || !axis.factor, "step or factor", "both");
  if (!axis.factor) return;
  f.check(*axis.factor > 1, "more than 1", fmt::format("{}", *axis.factor), "factor");
  f.check(*axis.from > 0, "more than 0 beside a factor", fmt::format("{}", *axis.from), "from");
}

void describe(Fields& f, Sweep& sweep) {
  f.about("Runs that differ in some values, and what is wanted of them.");
  f.required("name", sweep.name, "name; runs/NAME is where results go unless --out says another place");
  f.optional("source", sweep.source, "what it is for");
  f.required("workloads", sweep.workloads,
             "workload files and captures, relative to this file; each is run with all else");
  f.optional("machines", sweep.machines,
             "machine files, relative to this file, or names of built-in ones; none: each workload's own");
  f.optional("set", sweep.set, "/pointer=value texts for all runs");
  f.optional("axes", sweep.axes, "what changes; the last axis changes first");
  f.optional(
      "metrics", sweep.metrics,
      "columns: names (fenceline sweep --help lists them), name:WHICH for one queue or deadline, or NAME=/pointer "
      "into report.json; none: the usual ones");
  f.optional(
      "outputs", sweep.outputs,
      "files that each run leaves in runs/NUMBER, by their names: report, packets, trace and others; none: no such "
      "directories");
  f.optional("limit_us", sweep.limit_us, "simulated time at which a run is stopped; 0: none", {0, 9e12});
  f.optional("repeat", sweep.repeat,
             "each combination is played so often, with launches and fences that take longer at random (as run "
             "--repeat); 0: once, without",
             {0, 1'000'000});
  f.optional("seed", sweep.seed, "seed of the first repetition; each further one has the next", {0, 9e15});
  f.check(!sweep.workloads.empty(), "at least one workload", "none", "workloads");
  f.check(sweep.workloads.size() <= 1000, "at most 1000", fmt::format("{}", sweep.workloads.size()), "workloads");
  f.check(sweep.axes.size() <= 32, "at most 32", fmt::format("{}", sweep.axes.size()), "axes");
  f.check(sweep.metrics.size() <= 200, "at most 200", fmt::format("{}", sweep.metrics.size()), "metrics");
  f.check(sweep.axes.empty() || !sweep.axes[0].zip, "an axis before it", "none", "/axes/0/zip");
}

}  // namespace fenceline
