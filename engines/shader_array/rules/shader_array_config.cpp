// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array/rules/shader_array_config.hpp"

#include "sim/config/fields.hpp"

#include <algorithm>
#include <string>

namespace fenceline {

void describe(Fields& f, ShaderArrayConfig& c) {
  f.about("the shader array: SMs shared by the 3D and compute engines");
  f.optional("source", c.source, "where the numbers are from");
  f.optional("sms", c.sms, "streaming multiprocessors (compute units)", between(1, 4096));
  f.optional("graphics_sms", c.graphics_sms, "of these, the first so many also take 3D work", between(1, 4096));
  f.optional("clock_mhz", c.clock_mhz, "SM clock, MHz", between(1e-3, 1e6));
  f.optional("warp_threads", c.warp_threads, "threads of a warp (wave)", between(1, 128));
  f.optional("threads_per_sm", c.threads_per_sm, "resident threads of one SM", between(1, 65536));
  f.optional("groups_per_sm", c.groups_per_sm, "resident thread groups of one SM", between(1, 1024));
  f.optional("registers_per_sm", c.registers_per_sm, "32-bit registers of one SM", between(1, 1e8));
  f.optional("register_allocation_unit", c.register_allocation_unit, "registers of a warp are rounded up to this",
             between(1, 65536));
  f.optional("shared_bytes_per_sm", c.shared_bytes_per_sm, "group-shared memory of one SM at most", between(0, 1e8));
  f.optional("shared_bytes_reserved_per_group", c.shared_bytes_reserved_per_group,
             "shared memory each group takes in addition on an SM that has any configured", between(0, 1e6));
  f.optional(
      "shared_splits_kib", c.shared_splits_kib,
      "shared-memory sizes an SM can be set to, KiB, ascending; changed only while the SM is idle. Empty: any size");
  f.check(std::is_sorted(c.shared_splits_kib.begin(), c.shared_splits_kib.end()), "ascending sizes",
          "sizes out of order", "shared_splits_kib");
  f.check(c.graphics_sms <= c.sms, "at most sms = " + std::to_string(c.sms), std::to_string(c.graphics_sms),
          "graphics_sms");
  const Range lanes = between(1e-3, 1e6);
  const Range latency = between(0, 1e6);
  f.optional("alu_lanes", c.alu_lanes, "FP32 or INT32 instructions of single threads one SM issues in a cycle", lanes);
  f.optional("alu_latency_cycles", c.alu_latency_cycles, "until a dependent instruction can follow, SM cycles",
             latency);
  f.optional("sfu_lanes", c.sfu_lanes, "transcendental instructions of single threads one SM issues in a cycle", lanes);
  f.optional("sfu_latency_cycles", c.sfu_latency_cycles, "until a dependent instruction can follow, SM cycles",
             latency);
  f.optional("texture_samples_per_clock", c.texture_samples_per_clock, "bilinear samples of one SM in a cycle", lanes);
  f.optional("texture_latency_cycles", c.texture_latency_cycles, "one texture sample, SM cycles", latency);
  f.optional("shared_lanes", c.shared_lanes, "4-byte accesses to shared memory of one SM in a cycle", lanes);
  f.optional("shared_latency_cycles", c.shared_latency_cycles, "one access to shared memory, SM cycles", latency);
  f.optional(
      "issue_conflicts", c.issue_conflicts,
      "part of its speed that a group loses next to older groups of its SM that keep a unit it uses busy all the "
      "time; in proportion where they keep it busy less; on top of what the unit has no time for",
      between(0, 1));
  f.optional("graphics_queue_first", c.graphics_queue_first,
             "places that fall free go to dispatches of 3D queues before those of compute queues of the same rank, "
             "whichever came first; false: in order of arrival");
  f.optional("group_overhead_cycles", c.group_overhead_cycles,
             "SM cycles from a group's start to its first instruction, and again behind its last byte of memory",
             between(0, 1e9));
  const Range steps = between(0, 1e6);
  f.optional("group_launch_cycles", c.group_launch_cycles,
             "SM cycles between the starts of two groups that an SM is given at one moment", steps);
  f.optional("warp_launch_cycles", c.warp_launch_cycles, "the same for each warp of the first one, where that is more",
             steps);
  f.optional("sm_skew_cycles", c.sm_skew_cycles,
             "a grid reaches, and leaves, each SM so many SM cycles later than the one before", steps);
  f.optional(
      "group_retire_cycles", c.group_retire_cycles,
      "an SM retires ended groups one after another, each in so many SM cycles; a grid is complete when its last "
      "group has retired",
      steps);
  f.optional("group_refill_cycles", c.group_refill_cycles,
             "SM cycles from a group's retirement until another one can start in its place", steps);
  f.optional("grid_change_cycles", c.grid_change_cycles,
             "SM cycles between the retirement of a group and that of a group of another grid on the same SM, in "
             "addition",
             steps);
  f.optional("load_latency_ns", c.load_latency_ns, "one memory access of a lightly loaded machine, nanoseconds",
             between(1e-3, 1e9));
  f.optional("memory_group_overhead_ns", c.memory_group_overhead_ns,
             "first and last accesses of a group that streams memory, nanoseconds", between(0, 1e9));
  f.optional(
      "wave_parts", c.wave_parts,
      "ranges of SMs in which the waves of a dispatch that accesses memory drift apart, where it has more groups "
      "than there are places, as many as SMs at most; 1: its groups that begin at one moment move their bytes together",
      between(1, 64));
  f.optional("wave_spread", c.wave_spread,
             "by how much more the last range keeps in flight than its threads say, and the first one less, of one "
             "access of a thread; of n one after another that by the square root of n",
             between(0, 0.9));
  f.optional("simulate", c.simulate,
             "rules: every SM and every thread group by itself, slowly; shortcuts: what comes to the same in less time "
             "(absent: shortcuts)");
}

}  // namespace fenceline
