// SPDX-License-Identifier: Apache-2.0
#include "api/validation/measured/measured_device.hpp"

#include "sim/config/fields.hpp"

namespace fenceline {

void describe(Fields& f, MeasuredQueueFamily& c) {
  f.optional("flags", c.flags, "VkQueueFlags");
  f.optional("count", c.count, "queues");
}

void describe(Fields& f, MeasuredDevice& c) {
  f.optional("name", c.name, "the device");
  f.optional("sms", c.sms, "SMs");
  f.optional("clock_khz", c.clock_khz, "SM clock");
  f.optional("l2", c.l2, "bytes");
  f.optional("regs_per_sm", c.regs_per_sm, "registers");
  f.optional("smem_per_sm", c.smem_per_sm, "bytes");
  f.optional("threads_per_sm", c.threads_per_sm, "resident threads");
  f.optional("blocks_per_sm", c.blocks_per_sm, "resident groups");
  f.optional("copy_engines", c.copy_engines, "copy engines");
  f.optional("stream_priorities", c.stream_priorities, "lowest and highest");
  f.optional("compute_preemption", c.compute_preemption, "supported");
  f.optional("spin_regs", c.spin_regs, "registers per thread of spin operations", between(0, 255));
  f.optional("read_regs", c.read_regs, "registers per thread of read operations", between(0, 255));
  f.optional("timestamp_ns", c.timestamp_ns, "period of Vulkan's time stamps, nanoseconds");
  f.optional("families", c.families, "Vulkan's queue families");
  f.optional("used", c.used, "queue family of the 3D, compute and copy queue");
}

}  // namespace fenceline
