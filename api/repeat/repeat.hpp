// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/repeat/counted_times.hpp"
#include "api/workload/load/workload_file.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace fenceline {

/// How often a workload is to be played, and by whom.
struct RepeatOptions {
  std::uint64_t runs = 1;  ///< so often
  std::uint64_t seed = 1;  ///< of the first run; each further run has the next one
  std::uint32_t jobs = 1;  ///< processes at a time; they do not change the result
  std::uint64_t limit_ps = std::numeric_limits<std::uint64_t>::max();  ///< of simulated time, of each run
};

/// Times of one kind over all runs.
struct RepeatedTimes {
  std::string what;  ///< "makespan", "preemption", or the name of a queue or deadline
  std::uint64_t count = 0;
  std::uint64_t p50_ps = 0;     ///< half of them are not above it
  std::uint64_t p90_ps = 0;     ///< 90 %
  std::uint64_t p99_ps = 0;     ///< 99 %
  std::uint64_t least_ps = 0;   ///< the shortest
  std::uint64_t most_ps = 0;    ///< the longest, to 1/512
  std::vector<TimeMode> modes;  ///< ascending
};

/// A deadline over all runs.
struct RepeatedDeadline {
  RepeatedTimes late;              ///< by how much the latest of a run came too late, of runs that missed it
  std::uint64_t times = 0;         ///< it was to be kept
  std::uint64_t missed = 0;        ///< of those
  std::uint64_t runs_missing = 0;  ///< runs that missed it at least once
};

/// A packet by what a person calls it.
struct NamedPacket {
  std::string queue;     ///< name of the queue
  std::uint64_t number;  ///< of its lists, from 1 on
  std::string list;      ///< name of the command list
};

/// A pair of packets whose order decides.
struct RepeatedRace {
  NamedPacket one;    ///< of one queue
  NamedPacket other;  ///< of another
  struct Outcome {
    std::uint64_t runs;          ///< in which it was so
    std::uint64_t makespan_ps;   ///< median, as the others
    std::uint64_t one_end_ps;    ///< when `one` ended
    std::uint64_t other_end_ps;  ///< when `other` ended
  };
  Outcome one_first;    ///< `one` began first
  Outcome other_first;  ///< `other` began first
};

/// What many runs of a workload came to.
struct Repeated {
  std::uint64_t runs = 0;       ///< all
  std::uint64_t seed = 0;       ///< of the first run
  std::uint64_t completed = 0;  ///< runs that came to their end; the others count for nothing below
  RepeatedTimes makespan;
  std::vector<std::uint64_t> mode_seeds;    ///< by mode of the makespan: the first seed that shows its median
  RepeatedTimes preemption;                 ///< latencies of all requests to preempt
  std::vector<RepeatedTimes> queues;        ///< by queue, of all its lists: from submission to the end
  std::vector<RepeatedDeadline> deadlines;  ///< in the order of the workload
  std::uint64_t packets_followed = 0;       ///< of each queue, for the races
  std::vector<RepeatedRace> races;          ///< those that change most first
};

/// Plays it so often, each time with the jitter of another seed (played_run.hpp). The same result for any number of
/// jobs. Throws ConfigError where runs would not be independent of one another.
Repeated repeat(const LoadedWorkload& loaded, const RepeatOptions& options);

/// For report.json.
nlohmann::ordered_json json_of(const Repeated& repeated);

}  // namespace fenceline
