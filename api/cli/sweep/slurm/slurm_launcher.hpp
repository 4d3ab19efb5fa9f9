// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/cli/sweep/slurm/slurm_round.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace fenceline::cli {

/// Has runs played by job arrays of Slurm, which share a directory with it, and collects their answers. Ended early it
/// leaves the jobs; one that begins on the same directory hears what they have answered, and waits for those that are
/// there still.
class SlurmLauncher {
 public:
  struct Options {
    std::filesystem::path directory;               ///< of the sweep, absolute, as seen from all nodes
    std::string name;                              ///< of the sweep
    std::string greeting;                          ///< of workers
    std::uint64_t batch = 0;                       ///< runs of a task; 0: so many that each processor gets four tasks
    unsigned cores = 1;                            ///< of a task, which plays so many runs at a time
    std::vector<std::string> sbatch;               ///< more options of sbatch
    std::function<void(const std::string&)> tell;  ///< of what is submitted, a line each
    unsigned attempts = 3;                         ///< at one run whose task ends without an answer
  };
  struct Client {
    std::function<void(const SweepOutcome&)> did;
    std::function<void(std::uint64_t, const std::string&)> lost;  ///< a run that no attempt answered, and why
    std::function<void()> tick;                                   ///< now and then
  };

  explicit SlurmLauncher(Options options);
  /// Until each of these runs is answered or lost. Throws ConfigError where Slurm takes no job or does not answer.
  void run(const std::vector<std::uint64_t>& runs, const Client& client);

 private:
  void collect(const Client& client);
  void await_stragglers(const Client& client);
  bool is_active();
  void submit(const Client& client);
  SlurmRound::Batches batches() const;

  Options options_;
  std::uint64_t round_numbers_ = 0;             ///< that are taken
  std::vector<SlurmRound> rounds_;              ///< that were submitted
  std::set<std::string> jobs_;                  ///< that may be active
  std::set<std::uint64_t> missing_;             ///< runs
  std::map<std::uint64_t, unsigned> attempts_;  ///< at runs that are missing, where they were submitted
  unsigned unanswered_ = 0;                     ///< questions to Slurm, one after the other
};

/// Plays a task's batch of runs, those that it has not answered yet, with as many workers as it has processors: what an
/// array's script calls. `SLURM_ARRAY_TASK_ID` says which task.
int play_slurm_task(const std::filesystem::path& round);

}  // namespace fenceline::cli
