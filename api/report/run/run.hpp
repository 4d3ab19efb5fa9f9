// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/run/deadlines.hpp"
#include "api/report/run/output_keys.hpp"
#include "api/report/run/recovery_episode.hpp"
#include "api/report/run/residency_result.hpp"
#include "api/report/run/run_preemption.hpp"
#include "api/report/run/swap_chain_result.hpp"
#include "api/report/stats.hpp"
#include "api/workload/knobs/silent_knobs.hpp"
#include "api/workload/load/workload_file.hpp"
#include "bgproc/background_statistics.hpp"
#include "shadercache/implicit/creation_statistics.hpp"
#include "sim/log.hpp"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

struct ContentsResult;
struct PlayedChange;
struct PlayedHow;
class StepListener;

/// What one run showed.
struct RunResult {
  bool completed = false;                 ///< else deadlock or unfinished says why not
  std::vector<std::string> deadlock;      ///< one sentence per queue or CPU thread that waits for ever
  std::string bugcheck;                   ///< why the run ended before its end (docs/recovery.md); empty: it did not
  std::vector<std::string> unfinished;    ///< what was left at the limit, one sentence each; empty: it was not reached
  std::uint64_t end_ps = 0;               ///< simulated time
  StatsSink stats;                        ///< of engines, queues and fences
  std::uint64_t fence_interrupts = 0;     ///< by signals of queues
  RunPreemption preemption;               ///< requests to preempt and what they took
  std::vector<RecoveryEpisode> recovery;  ///< timeouts and page faults, in their order
  RunResidency residency;                 ///< what was in video memory, and what paging came to
  std::vector<DeadlineResult> deadlines;  ///< in the order of the workload
  std::map<std::string, BackgroundStatistics>
      background;                                      ///< by process, of those that had background processing to do
  std::map<std::string, CreationStatistics> creation;  ///< by process, of those that created pipeline states
  std::vector<SwapChainResult> swap_chains;            ///< in the order in which they were made
  std::vector<TornOutput> outputs;                     ///< as the machine lists them; none where nothing was presented
  /// The first render packets to complete, for a person's first look.
  struct PacketLine {
    std::string queue;          ///< path of the queue
    std::string label;          ///< name of the command list
    std::uint64_t started_ps;   ///< simulated time
    std::uint64_t finished_ps;  ///< simulated time
  };
  static constexpr std::size_t most_lines = 8;     ///< of first_packets
  std::vector<PacketLine> first_packets;           ///< in the order of completion
  std::uint64_t render_packets = 0;                ///< all of them
  std::shared_ptr<const ContentsResult> contents;  ///< null: the workload does not act on bytes
  std::vector<SilentKnobs> silent;                 ///< what was asked for and could not matter
  std::vector<std::uint64_t> passes_ps;            ///< of each pass, from its beginning to its end
  std::optional<std::uint64_t> fast_forward_ps;    ///< when the point came from which on is counted; unset: none did
};

/// `fenceline run`'s: 0, or 1 where something can never happen, 3 after a bugcheck.
int exit_code_of(const RunResult& result);

/// How a workload is to be run.
struct RunOptions {
  std::uint64_t limit_ps = ~std::uint64_t{0};  ///< simulated time after which the run is stopped
  std::filesystem::path directory;             ///< of the run; empty: nothing is written
  bool detailed_trace = false;                 ///< also waves of groups and channel rates
  OutputKeys outputs = {};                     ///< also those that not every run has
  std::optional<OutputKeys> only = {};         ///< these files, by their names, and no others
  bool check_invariants = false;               ///< hold the run against the rules, whatever the build's default
  /// Of all files of the directory together. More ends the run with OutputError.
  std::uint64_t output_limit_bytes = std::uint64_t{1} << 30;
  LogSink* progress = nullptr;    ///< hears everything; may be null
  std::uint64_t passes = 1;       ///< how often the work is played (docs/replay.md, rules 20 to 22)
  std::string fast_forward = {};  ///< a point before which nothing is told (rules 23 and 24); empty: none
  StepListener* steps = nullptr;  ///< hears of the steps that are gone through; may be null
  /// Of the machine, while it runs: once all that happens by then has, at time 0 before anything has.
  std::shared_ptr<const PlayedChange> change = {};
  bool is_end = false;  ///< the limit is where the run is to end, if it has not: reaching it is no failure
};

/// Plays as a run was played, as far as that is not in its workload and machine.
void play_as(const PlayedHow& how, RunOptions& options);

/// Plays the workload on a new machine and writes the run directory: report.json and the outputs. `report` gets what
/// report.json says, also where no directory is written. The directory appears
/// when the run is over, whole, also after a deadlock. Throws OutputError.
void run_workload(const LoadedWorkload& loaded, const RunOptions& options, RunResult& result,
                  nlohmann::ordered_json* report = nullptr);

}  // namespace fenceline
