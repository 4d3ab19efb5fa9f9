// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/run/deadlines.hpp"
#include "api/workload/load/workload_file.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace fenceline {

/// A command list that was executed, in one run.
struct PlayedPacket {
  std::uint32_t queue;         ///< by its place in Program::queues
  std::uint64_t submitted_ps;  ///< simulated time
  std::uint64_t started_ps;    ///< the same
  std::uint64_t finished_ps;   ///< the same
  std::string list;            ///< its name
};

/// What one run of a workload came to.
struct PlayedRun {
  bool completed = false;                    ///< else something waits for ever, or the limit came first
  std::uint64_t makespan_ps = 0;             ///< when the last of it ended
  std::vector<PlayedPacket> packets;         ///< in the order of completion, each queue's in its own order
  std::vector<std::uint64_t> preemption_ps;  ///< latencies of requests to preempt
  std::vector<DeadlineResult> deadlines;     ///< in the order of the workload
};

/// The machine with launches and fences that take longer at random, drawn from the seed.
MachineConfig with_jitter(MachineConfig machine, std::uint64_t seed);

/// Plays it once, on a machine of its own, with jitter. A pure function of its arguments.
PlayedRun play_once(const LoadedWorkload& loaded, std::uint64_t seed,
                    std::uint64_t limit_ps = std::numeric_limits<std::uint64_t>::max());

}  // namespace fenceline
