// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fenceline::cli {

/// The whole number that is all of a text, as Slurm prints one; unset: it is none.
std::optional<std::uint64_t> number_in(std::string_view text);

/// What a job array of Slurm is to be.
struct SlurmArray {
  std::string name;                  ///< of the job
  std::filesystem::path script;      ///< what each of its tasks runs
  std::filesystem::path said;        ///< directory for what the tasks print: said.TASK
  std::uint64_t tasks = 1;           ///< 0 to tasks - 1, in SLURM_ARRAY_TASK_ID
  unsigned cores = 1;                ///< of each task
  std::vector<std::string> options;  ///< of sbatch, besides
};

/// Submits it from the working directory. The job's number. Throws ConfigError, of `--launcher`, with what sbatch says.
std::string submitted(const SlurmArray& array);

/// The jobs of this user that are waiting or running, by number. Throws ConfigError where Slurm does not answer.
std::set<std::string> active_jobs();

/// The tasks that an array may have: MaxArraySize. 1000 where Slurm does not say.
std::uint64_t most_tasks();

/// The processors of the largest partition; 1 where Slurm does not say.
std::uint64_t processors();

}  // namespace fenceline::cli
