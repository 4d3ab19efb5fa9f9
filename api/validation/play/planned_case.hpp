// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/machine_config.hpp"
#include "api/queue_rules.hpp"
#include "api/validation/play/time_modes.hpp"
#include "api/validation/play/validation_case.hpp"
#include "api/workload/workload.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

class CasePlayer;

/// The submission paths that measured rows are played on.
constexpr const char* cuda_path = "cuda_stream";
constexpr const char* vulkan_path = "vulkan_queue";
/// Streams that wait for 64-bit values written on the GPU. Machines without such a path: cuda_path.
constexpr const char* cuda_value_fence_path = "cuda_value_fence";

/// A moment of a played workload.
struct Moment {
  enum class Of : std::uint8_t {
    release,           ///< the beginning of the play
    submitted,         ///< the command list `name` enters its queue
    list_start,        ///< of the command list `name`: what a time stamp first in it reads
    list_end,          ///< what a time stamp last in it reads
    work_start,        ///< its first command starts: the first thread group's start
    work_end,          ///< its last command ends: the last thread group's end
    first_start,       ///< least list_start of all lists
    last_end,          ///< greatest list_end of all lists
    first_command,     ///< the first command begins: what a profiler sees of a list
    last_command_end,  ///< all commands have ended
    fence,             ///< the fence `name` gets its first value
  };
  Of of = Of::release;
  std::string name = {};
};

/// What was measured, told of a played workload.
struct Figure {
  Moment from;
  Moment to;
  double divide_by = 1;
};

/// An operation of a row whose end was measured by itself, from the same moment as the figure.
struct PlannedOp {
  std::string list;
  double measured_end_us = 0;
};

/// What a row says of a distribution. Percentiles are nearest ranks.
enum class Statistic : std::uint8_t { p50, mean, p90, p99, max };
double statistic_of(Statistic statistic, std::vector<double> samples);

/// Plays that give samples of one distribution.
struct Samples {
  enum class Of : std::uint8_t {
    figures,   ///< the figures of every play
    slices,    ///< runs of the list `list` without interruption, but the first and the last
    switches,  ///< from the end of one list's run to the start of another's, but the first and the last
  };
  Of of = Of::figures;
  std::vector<Workload> plays;
  std::function<Workload(CasePlayer&)> fitted;  ///< set: the only play
  std::vector<Figure> figures;
  std::string list;
  std::function<void(MachineConfig&)> adapt;  ///< may be empty: what the row says of the machine
  std::uint64_t seeds = 0;                    ///< not 0: every play so often, with jitter, and with each seed from 1 on
  std::optional<QueueType> less_empty_list;   ///< the median of an empty list on such a queue, with the same seeds, is
                                              ///< subtracted
};

/// A measured row, or one figure of it, translated: what to play and what to read off.
struct PlannedCase {
  std::string name;
  std::string pointer;  ///< of the row in its file
  double measured_us = 0;
  std::vector<double> outcomes_us;  ///< not empty: measured was one of these; the nearest to what is played counts
  std::optional<double> limit_pct;  ///< that |error| should keep
  bool counts = true;               ///< in the mean and p90 of its kind
  std::vector<Workload> plays;      ///< the figure is the median over these
  Figure figure;
  std::optional<QueueType> less_empty_list;  ///< the same figure of an empty list on such a queue is subtracted
  std::optional<FigureInUnits> units;        ///< set: the figure's unit, and what was measured in it
  std::vector<PlannedOp> ops;
  /// Set: the figure is this statistic of the samples, which several cases may share; `plays` and `figure` are unused.
  std::shared_ptr<const Samples> samples;
  std::size_t first_sample = 0;  ///< of those that count
  std::size_t sample_count = 0;  ///< from there on; 0: all
  Statistic statistic = Statistic::p50;
  /// Not empty: the modes that were measured, of which this case is one. The figure is the nearest mode of the samples.
  std::vector<OutcomeMode> modes;
  /// Not empty: makes the workload from what other plays gave, for work that was measured but not written down.
  std::function<Workload(CasePlayer&)> fitted;
};

}  // namespace fenceline
