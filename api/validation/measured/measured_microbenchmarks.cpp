// SPDX-License-Identifier: Apache-2.0
#include "api/validation/measured/measured_microbenchmarks.hpp"

#include "api/validation/measured/measured_ranges.hpp"
#include "api/validation/measured/measured_shaders.hpp"
#include "sim/config/fields.hpp"

#include <fmt/format.h>

namespace fenceline {
namespace {}  // namespace

void describe(Fields& f, MeasuredCopyTime& c) {
  f.required("dir", c.dir, "which way");
  f.required("bytes", c.bytes, "copied", between(1, 1e15));
  f.required("us", c.us, "measured", measured_range::us);
}

void describe(Fields& f, MeasuredBlockWave& c) {
  f.required("grid", c.grid, "thread groups", between(1, 2147483647));
  f.required("threads", c.threads, "of a group", between(1, 1024));
  f.optional("smem", c.smem, "dynamic shared memory of a group, bytes", between(0, 1e7));
  f.required("cycles", c.cycles, "SM cycles each group is busy", between(0, 1e12));
  f.optional("blocks_per_sm", c.blocks_per_sm, "groups that are resident on an SM");
  f.required("us", c.us, "measured from the first group's start to the last one's end", measured_range::us);
}

void describe(Fields& f, MeasuredLaunch& c) {
  f.optional("empty_1block_period_us", c.empty_1block_period_us, "period of empty kernels of 1 group",
             measured_range::us);
  f.optional("empty_1056block_period_us", c.empty_1056block_period_us, "the same of 1056 groups", measured_range::us);
  f.optional("host_to_device_to_host_us", c.host_to_device_to_host_us, "host launch to host-visible write",
             measured_range::us);
}

void describe(Fields& f, MeasuredFences& c) {
  f.optional("same_queue_gap_ns", c.same_queue_gap_ns, "between kernels of one stream", measured_range::us);
  f.optional("cross_queue_event_gap_ns", c.cross_queue_event_gap_ns, "across streams through an event",
             measured_range::us);
  f.optional("cross_queue_value_fence_gap_ns", c.cross_queue_value_fence_gap_ns,
             "across streams through a 64-bit value written and waited for on the GPU", measured_range::us);
}

void describe(Fields& f, MeasuredBoundary& c) {
  f.required("mode", c.mode, "what runs, and the priority of the kernel that comes");
  f.required("block_us", c.block_us, "time of a group of the kernel that runs", between(1e-3, 1e6));
  f.optional("latency_us_min", c.latency_us_min, "least latency", measured_range::us);
  f.optional("p50", c.p50, "median latency", measured_range::us);
  f.optional("p90", c.p90, "90th percentile", measured_range::us);
  f.optional("max", c.max, "greatest latency", measured_range::us);
}

void describe(Fields& f, MeasuredSharing& c) {
  f.optional("kernel_8GiB_read_us", c.kernel_us, "time of the reading kernel, 0: none ran", measured_range::us_or_none);
  f.optional("copy", c.copy, "direction and size of the copy, such as \"h2d 256MiB\" or \"d2d 4x1GiB\", or \"none\"");
  f.optional("copy_us", c.copy_us, "time of the copy, 0: none ran", measured_range::us_or_none);
}

void describe(Fields& f, MeasuredL2& c) {
  f.required("beside", c.beside, "what runs on the other half of the SMs");
  f.required("blocks", c.blocks, "thread groups of the kernel, one an SM", between(1, 1e6));
  f.optional("threads", c.threads, "of a group", between(1, 1024));
  f.required("set_mb", c.set_mb, "MiB that all groups read again and again", between(1e-3, 1e6));
  f.required("bytes_per_block", c.bytes_per_block, "that a group reads", between(1, 1e12));
  f.required("us", c.us, "time of the kernel", measured_range::us);
  f.optional("other_us", c.other_us, "time of the kernel beside it", measured_range::us);
}

void describe_keys(Fields& f, MeasuredMicrobenchmarks& c) {
  f.optional("block_waves", c.block_waves, "kernels whose groups spin");
  f.optional("launch", c.launch, "periods of empty kernels");
  f.optional("fences", c.fences, "gaps between kernels");
  f.optional("block_boundary_preemption", c.block_boundary_preemption, "latency of a kernel beside another");
  f.optional("bandwidth_sharing", c.bandwidth_sharing, "a reading kernel and a copy");
  f.optional("l2_us", c.l2_us, "kernels that read sets of bytes again and again");
}

CommandInfo spin_command(WorkloadBuilder& builder, const std::string& name, const GroupFootprint& group,
                         std::uint64_t groups, std::uint64_t cycles) {
  ComputePipeline pipeline;
  pipeline.name = name;
  pipeline.group = group;
  pipeline.work.cycles = cycles;
  return DispatchCommand{builder.pipeline(pipeline), groups, 1, 1};
}

CommandInfo empty_kernel(WorkloadBuilder& builder, const MeasuredDevice& device, std::uint64_t groups) {
  return spin_command(builder, fmt::format("empty, {} groups", groups),
                      {measured_shaders::empty_kernel_threads, device.spin_regs, 0}, groups, 0);
}

}  // namespace fenceline
