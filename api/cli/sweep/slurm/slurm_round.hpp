// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/sweep/played_point.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace fenceline::cli {

/// One job array of a sweep, as files that its tasks share with who submits it: what the workers are told, the runs of
/// each task, and for each task the answers so far, a line each. A line that was not written to its end is none.
class SlurmRound {
 public:
  using Batches = std::vector<std::vector<std::uint64_t>>;

  /// Makes the directory and its files. Throws OutputError.
  static SlurmRound make(const std::filesystem::path& directory, const std::string& greeting, const Batches& batches);
  /// A round's directory has the number of its job: it was made to its end, and submitted.
  static bool was_submitted(const std::filesystem::path& directory);
  /// Of a directory that was made. Throws ConfigError where its files are not what was written.
  explicit SlurmRound(std::filesystem::path directory);

  const std::filesystem::path& directory() const { return directory_; }
  std::filesystem::path script() const { return directory_ / "job.sh"; }
  const Batches& batches() const { return batches_; }
  std::string greeting() const;

  /// The number that Slurm gave it; empty: it was not submitted.
  std::string job() const;
  void set_job(const std::string& job) const;

  /// Visits the answers that were not visited before.
  void each_answer(const std::function<void(const SweepOutcome&)>& visit);
  /// Adds an answer of a task, for good: later ones of the same run count no more.
  void answer(std::uint64_t task, const SweepOutcome& outcome) const;

 private:
  std::filesystem::path answers(std::uint64_t task) const;

  std::filesystem::path directory_;
  Batches batches_;
  std::vector<std::uint64_t> read_;  ///< bytes of each task's answers that were visited
};

/// The directories of rounds below a sweep's, in their order.
std::vector<std::filesystem::path> slurm_rounds(const std::filesystem::path& sweep);
/// That of the one numbered so.
std::filesystem::path slurm_round_directory(const std::filesystem::path& sweep, std::uint64_t number);

}  // namespace fenceline::cli
