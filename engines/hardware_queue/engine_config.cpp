// SPDX-License-Identifier: Apache-2.0
#include "engines/hardware_queue/engine_config.hpp"

#include "sim/config/fields.hpp"

#include <string>

namespace fenceline {

void describe(Fields& f, EngineConfig& c) {
  f.optional("name", c.name, "name of the node; empty: its kind and a number, such as copy0");
  f.optional("source", c.source, "where the numbers are from");
  f.optional("clock_mhz", c.clock_mhz, "core clock of the node, MHz", between(1e-3, 1e6));
  f.optional("hardware_queues", c.hardware_queues, "hardware queues worked on side by side", between(1, 1024));
  f.optional("hardware_queue_depth", c.hardware_queue_depth,
             "DMA packets one hardware queue holds: one running, the others waiting (HwQueuePacketCap)",
             between(1, 15));
  f.optional("hardware_queue_refill", c.hardware_queue_refill,
             "a hardware queue that was full takes packets again once it holds no more than this many: a driver that "
             "submits in batches; absent: at once",
             between(0, 14));
  f.check(!c.hardware_queue_refill || *c.hardware_queue_refill < c.hardware_queue_depth,
          "less than hardware_queue_depth", std::to_string(c.hardware_queue_refill.value_or(0)),
          "hardware_queue_refill");
  f.optional("command_cycles", c.command_cycles, "front-end cycles of every command", between(0, 1e9));
  f.optional("barrier_cycles", c.barrier_cycles, "cycles of a full barrier once earlier commands are complete",
             between(0, 1e9));
  f.optional("commands_in_flight", c.commands_in_flight, "commands of one packet that run at once", between(1, 65536));
  f.optional("dependent_nodes", c.dependent_nodes,
             "names of nodes that a reset of this one takes along (DependentNodeOrdinalMask without itself)");
  f.optional("runlist", c.runlist,
             "engines with the same name here run one process at a time, where the scheduler's policy makes processes "
             "take turns; empty: the engine takes turns for itself");
}

void describe_shader_engine(Fields& f, EngineConfig& c) {
  describe(f, c);
  f.optional("indirect_fetch_ns", c.indirect_fetch_ns,
             "the front end's wait for the arguments of an ExecuteIndirect or for a predicate: one access to memory, "
             "nanoseconds",
             between(0, 1e9));
  f.optional("context_state", c.context_state, "what stopping and resuming a context costs");
}

}  // namespace fenceline
