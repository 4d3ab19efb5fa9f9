// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/import/kineto_import.hpp"
#include "api/import/kineto_trace.hpp"
#include "api/machine_config.hpp"
#include "api/workload/workload.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace fenceline {

/// Turns traces into one workload.
///
/// A stream becomes a compute queue with its CPU thread; its operations become command lists (see KinetoSchedule). In
/// a list each command waits for the one before behind a barrier, as the kernels of a graph do; a queue whose lists
/// have several commands takes the submission path "cuda_graph", whose barrier is that wait, else "cuda_stream".
///
/// Lists with the same operations that took the same time to 5 % are one list, with the mean of their times. A kernel's
/// groups move so many bytes of video memory that the dispatch alone on `machine` lasts as long as measured
/// (LoneCommands; KernelBound says how many are in flight), where what counts as measured is
/// - the time the kernel had its stream for itself (own_starts): groups of a kernel that was launched early wait for
/// the
///   one before;
/// - with the gap before it, as far as that is not what the path costs by itself: a gap inside a list, before a
///   new launch within `follow_gap_ns`, or behind another stream within `engine_gap_ns` is how the operation starts up
///   (setting the SMs' shared memory takes 4 us). It never takes away more than half of the kernel's own time;
/// - of kernels of several streams that ran at once the part that each would need alone. The trace is played, and what
///   company slows on the machine is made less by as much, until each takes about as long as measured (KinetoShares).
/// Copies and memsets take what the machine's memory takes; where that is less than measured the next kernel of the
/// list starts up for the rest. Times are rounded to 32 ns, the profiler's clock.
///
/// The host: everything of a stream that was waiting in it is submitted at once. Idle time of a stream that neither the
/// path's cost nor a dependency explains is the host's: below `host_wait_ns` its thread works until the measured moment
/// and submits; above, it waits for the list that ended last before (of any stream of the trace), works for the
/// measured gap less what waking and submitting cost on the machine, and submits. So the host's work stays when the
/// GPU gets faster.
///
/// Processes run side by side: the scheduler does not time-slice them.
class KinetoImporter {
 public:
  /// The machine needs a compute node. `workload` must outlive the importer.
  KinetoImporter(const MachineConfig& machine, Workload& workload);
  ~KinetoImporter();
  KinetoImporter(const KinetoImporter&) = delete;
  KinetoImporter& operator=(const KinetoImporter&) = delete;

  /// Adds the trace's queues to the workload. All names begin with "<context>." if the context is not empty. `progress`
  /// hears of lists worked on and their number. Throws ConfigError for kernels that do not fit the machine.
  KinetoImport add(KinetoTrace trace, const std::string& context,
                   const std::function<void(std::uint64_t, std::uint64_t)>& progress = {});

 private:
  struct Machinery;
  std::unique_ptr<Machinery> machinery_;
};

}  // namespace fenceline
