// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/import/kineto_trace.hpp"
#include "api/machine_config.hpp"
#include "api/validation/play/planned_case.hpp"
#include "api/workload/workload.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fenceline {

/// Records an event on the queue: an empty packet, enqueued by what is returned.
CpuExecute event_on(Workload& workload, std::size_t queue, const std::string& name);

/// Two jobs beside each other, of whose traces the step of median length is played again and again.
struct TorchMix {
  static constexpr double sleep_us = 3000;  ///< the least of `asked` between two steps
  static constexpr double mean_sleep_us = sleep_us * (1 + 3.0 / 7);
  /// How the second job is kept going.
  enum class Kept : std::uint8_t {
    in_pairs,    ///< enqueues two steps, waits for both, and so on
    overlapping  ///< two steps are enqueued; where one has ended, the next goes behind the other
  };
  /// `asked` is asked for one step, waits for it and sleeps sleep_us x (1 + (i mod 7) / 7), and so on.
  struct Jobs {
    const KinetoTrace& asked;
    const KinetoTrace& kept;
    std::uint64_t asked_steps = 0;
    std::uint64_t kept_steps = 0;
    Kept how = Kept::in_pairs;
  };
  /// The jobs are processes, with these names. Throws ConfigError for `file` where a trace has several streams.
  TorchMix(const std::string& file, const MachineConfig& machine, const Jobs& jobs, const std::string& asked_name,
           const std::string& kept_name);

  /// Both queues are of one process from now on, the asked one with this priority.
  void share_process(QueuePriority asked_priority);

  Workload workload;
  std::vector<Figure> asked;  ///< each of its steps, between events before and after it on its stream
  std::vector<Figure> kept;   ///< likewise, where they overlap
};

}  // namespace fenceline
