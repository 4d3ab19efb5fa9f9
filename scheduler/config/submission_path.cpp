// SPDX-License-Identifier: Apache-2.0
#include "scheduler/config/submission_path.hpp"

#include "sim/config/fields.hpp"

namespace fenceline {
namespace {
const Range nanoseconds = between(0, 1e9);
}

void describe(Fields& f, NodePath& c) {
  f.optional("launch_ns", c.launch_ns, "from a packet's turn on the node to its first command", nanoseconds);
  f.optional("retire_ns", c.retire_ns, "from its last command's end until fences may move and the next packet's turn",
             nanoseconds);
  f.optional("follow_ns", c.follow_ns, "added when the packet was waiting in the hardware queue behind another",
             nanoseconds);
  f.optional("completion_ns", c.completion_ns,
             "from the end of a command's work until it counts as complete: paid where a barrier, time stamp or the "
             "packet's end waits for it, overlapped by what does not",
             nanoseconds);
  const Range share = between(1e-3, 1);
  f.optional(
      "to_device_share", c.to_device_share,
      "part of PCIe's bandwidth that one copy from host to device gets at most: host memory that the path maps in "
      "small pages moves more slowly",
      share);
  f.optional("to_host_share", c.to_host_share, "the same, from device to host", share);
  f.optional("barrier_ns", c.barrier_ns,
             "from the end of the commands before a barrier to the start of the command after it, which was fetched "
             "meanwhile; absent: the engine's barrier_cycles, then command_cycles",
             nanoseconds);
  f.optional("finest_preemption", c.finest_preemption,
             "its packets are stopped no more finely than this, whatever the engine can: a driver's choice");
  f.optional("fence_same_node_ns", c.fence_same_node_ns,
             "from a signal by a queue of the same node until a queue that waited for it goes on", nanoseconds);
  f.optional("fence_cross_node_ns", c.fence_cross_node_ns, "the same, signal by a queue of another node", nanoseconds);
  f.optional("fence_from_cpu_ns", c.fence_from_cpu_ns, "the same, signal by the CPU", nanoseconds);
}

void describe(Fields& f, CopyNodePath& c) {
  describe(f, static_cast<NodePath&>(c));
  f.optional("copy_setup_ns", c.copy_setup_ns, "added to the node's setup of every copy", nanoseconds);
}

void describe(Fields& f, SubmissionPath& c) {
  f.about("what work costs between a queue and the hardware");
  f.optional("source", c.source, "where the numbers are from");
  f.optional("graphics", c.graphics, "queues on a 3D node");
  f.optional("compute", c.compute, "queues on a compute node");
  f.optional("copy", c.copy, "queues on a copy node");
  f.optional("fence_next_waiter_ns", c.fence_next_waiter_ns,
             "added for each queue that signals have released before at the same moment", nanoseconds);
  f.optional("launch_jitter_ns", c.launch_jitter_ns,
             "added to each launch in runs with /scheduler/jitter: mean of an exponential distribution", nanoseconds);
  f.optional("fence_jitter_ns", c.fence_jitter_ns, "the same, each time that a signal releases a queue", nanoseconds);
  f.optional("time_slice_us", c.time_slice_us,
             "time slice of a process whose first queue uses this path; absent: the scheduler's", between(1, 1e9));
  f.optional("process_switch_us", c.process_switch_us, "switch to such a process; absent: the scheduler's",
             between(0, 1e6));
}

}  // namespace fenceline
