// SPDX-License-Identifier: Apache-2.0
#include "api/validation/measured/measured_preemption.hpp"

#include "api/validation/measured/measured_ranges.hpp"
#include "sim/config/fields.hpp"

namespace fenceline {
namespace {}

void describe(Fields& f, MeasuredSpread& c) {
  f.optional("n", c.n, "samples");
  f.optional("min", c.min, "least", measured_range::us_or_none);
  f.optional("p25", c.p25, "25th percentile", measured_range::us_or_none);
  f.optional("p50", c.p50, "median", measured_range::us_or_none);
  f.optional("p90", c.p90, "90th percentile", measured_range::us_or_none);
  f.optional("p99", c.p99, "99th percentile", measured_range::us_or_none);
  f.optional("max", c.max, "greatest", measured_range::us_or_none);
  f.optional("mean", c.mean, "mean", measured_range::us_or_none);
}

void describe(Fields& f, MeasuredSlicing& c) {
  f.required("blocks", c.blocks, "of each process's kernel", measured_range::groups);
  f.required("threads", c.threads, "of a block", between(1, 1024));
  f.optional("smem", c.smem, "dynamic shared memory of a block, bytes", between(0, 1e7));
  f.optional("ok", c.ok, "both processes ran");
  f.optional("gaps", c.gaps, "switches seen by each process");
  f.optional("slice_us", c.slice_us, "median slice of each process", measured_range::us_or_none);
  f.optional("switch_us", c.switch_us, "from one process's last sample to the other's first");
}

void describe(Fields& f, MeasuredContextPreemption& c) {
  f.required("background_queue", c.background_queue, "that another process keeps busy: 0 3D, 1 compute", between(0, 2));
  f.optional("loops", c.loops, "of its shaders", between(0, 1e9));
  f.optional("draws_or_dispatches", c.draws_or_dispatches, "in each of its lists", between(0, 1e5));
  f.optional("groups", c.groups, "of its dispatches", between(0, 1e8));
  f.required("latency_us", c.latency_us, "of a short dispatch");
}

void describe(Fields& f, MeasuredLevel& c) {
  f.required("kernel_time", c.kernel_time, "of each queued kernel, microseconds", between(1e-3, 1e9));
  f.required("avg", c.avg, "mean latency of the preemption", measured_range::us_or_none);
  f.required("p50", c.p50, "median", measured_range::us_or_none);
  f.required("p90", c.p90, "90th percentile", measured_range::us_or_none);
  f.required("p99", c.p99, "99th percentile", measured_range::us_or_none);
}

void describe_keys(Fields& f, MeasuredPreemption& c) {
  f.optional("time_slicing", c.time_slicing, "two processes that never end");
  f.optional("context_preemption", c.context_preemption, "a short dispatch beside another process");
  f.optional("two_processes", c.two_processes, "decode steps while train runs in a second process");
  f.optional("kernel_time", c.kernel_time, "rows of a text table of preemption latencies by kernel time");
}

}  // namespace fenceline
