// SPDX-License-Identifier: Apache-2.0
#include "api/workload/workload.hpp"

#include "api/timeline/workload_range.hpp"
#include "engines/command/command.hpp"
#include "sim/config/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace fenceline {
namespace {

void describe_screen(Fields& f, std::string& output, std::string& composed_by) {
  f.optional("output", output, "output of the machine that it presents to; empty: the primary one");
  f.optional("composed_by", composed_by,
             "queue of the compositor whose window its frames are for; empty: they are flipped to the output");
}

}  // namespace

void describe(Fields& f, FenceInfo& c) {
  f.required("name", c.name, "name of the fence");
  f.optional("initial_value", c.initial_value, "value before any signal");
  f.optional("process", c.process,
             "process whose device's it is, one of `processes`; empty: of those whose queues signal it");
  f.optional("frames_of", c.frames_of,
             "queue that presents, for its own swap chain, or one of `swap_chains`: the fence stands at the number of "
             "its frame "
             "on screen, from 1 on, and nobody signals it; empty: a fence that is signalled");
  f.check(c.frames_of.empty() || (c.initial_value == 0 && c.process.empty()),
          "neither initial_value nor process beside frames_of", "one of them", "frames_of");
}

void describe(Fields& f, ProcessInfo& c) {
  describe(f, static_cast<ProcessConfig&>(c));
  f.optional("program", c.program,
             "the executable that it runs, whose implicit shader caches its processes share; empty: one of its own");
}

void describe(Fields& f, QueueInfo& c) {
  f.about("a command queue and what is submitted to it at time 0");
  f.required("name", c.name, "name of the queue");
  f.required("type", c.type, "command list type it takes");
  f.optional("priority", c.priority, "command queue priority");
  f.optional("in_process_priority", c.in_process_priority,
             "against queues of its own process, higher first; absent: 1 where priority is high, else 0",
             between(-highest_in_process_priority, highest_in_process_priority));
  f.optional("realtime_level", c.realtime_level,
             "level inside the realtime band, where the queue is in it; absent: 31 where priority is global_realtime, "
             "else its process's",
             between(0, highest_realtime_level));
  f.optional("quantum_us", c.quantum_us,
             "engine time of one of its turns among its process's queues, microseconds; absent: its band's (wddm)",
             between(1, 1e9));
  f.optional("grace_us", c.grace_us,
             "how long it may go on once a higher rank is ready, microseconds; absent: its band's (wddm)",
             between(0, 1e9));
  f.optional("node_mask", c.node_mask,
             "linked adapters on which it runs, bit i for adapter i; more than one: broadcast, every list runs on each",
             between(0, 4294967295));
  f.optional("grace_same_priority_us", c.grace_same_priority_us,
             "how long it may go on once its turn is over and another queue of its process is ready, microseconds; "
             "absent: not at all (wddm)",
             between(0, 1e9));
  f.optional("path", c.path, "submission path of the machine; empty: the machine's default");
  f.optional("process", c.process,
             "process that owns the queue, one of `processes` if there are any; empty: one without a name");
  f.optional("disable_gpu_timeout", c.disable_gpu_timeout,
             "while a packet of this queue runs nothing times out (D3D12_COMMAND_QUEUE_FLAG_DISABLE_GPU_TIMEOUT)");
  describe_screen(f, c.output, c.composed_by);
  f.optional("timeline", c.timeline, "steps, in order");
}

void describe(Fields& f, SwapChainInfo& c) {
  f.about("a swap chain of a queue, besides the queue's own");
  f.required("name", c.name, "name of the swap chain, and of no queue");
  f.required("queue", c.queue, "direct queue that presents to it");
  describe_screen(f, c.output, c.composed_by);
}

void describe(Fields& f, CpuInfo& c) {
  f.about("a CPU thread");
  f.required("name", c.name, "name of the thread");
  f.optional(
      "captured", c.captured,
      "its timeline was captured: calls and wake-ups take no time, for what they took is in its work and sleeps; "
      "it acts when all else of that moment is done, threads of lower numbers first; work of 0 lets the others go "
      "first");
  f.required("timeline", c.timeline, "steps, in order");
}

void describe(Fields& f, Workload& c) {
  f.about("GPU work: resources, pipeline states, command lists, and a timeline for each queue and CPU thread");
  f.required("name", c.name, "name in reports");
  f.optional("source", c.source, "where it is from");
  f.optional("machine", c.machine, "built-in machine or a file beside this one; empty: the built-in h200");
  f.optional("resources", c.resources, "buffers and textures");
  f.optional("compute_pipelines", c.compute_pipelines, "compute pipeline states");
  f.optional("graphics_pipelines", c.graphics_pipelines, "graphics pipeline states");
  f.optional("fences", c.fences, "fences");
  f.optional("command_lists", c.command_lists, "closed command lists");
  f.optional("processes", c.processes, "processes that queues name; empty: those that queues name, without focus");
  f.required("queues", c.queues, "command queues");
  f.optional("cpus", c.cpus, "CPU threads");
  f.optional("deadlines", c.deadlines, "fences that are to reach values in time");
  f.optional("beats", c.beats, "times that repeats, sleeps and deadlines have in common");
  f.optional("swap_chains", c.swap_chains, "swap chains of queues, besides those that each has of its own");
}

}  // namespace fenceline
