// SPDX-License-Identifier: Apache-2.0
#include "api/cli/commands.hpp"
#include "api/cli/sweep/slurm/slurm_jobs.hpp"
#include "api/cli/sweep/slurm/slurm_launcher.hpp"
#include "api/cli/sweep/workers/sweep_worker.hpp"
#include "api/cli/sweep/workers/worker_pool.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>
#include <set>
#include <string>

namespace fenceline::cli {
namespace {

/// A number that Slurm says in the environment.
std::optional<std::uint64_t> said_by_slurm(const char* variable) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? std::nullopt : number_in(text);
}

}  // namespace

int play_slurm_task(const std::filesystem::path& directory) {
  SlurmRound round(directory);
  const auto task = said_by_slurm("SLURM_ARRAY_TASK_ID");
  if (!task || *task >= round.batches().size()) {
    throw ConfigError("SLURM_ARRAY_TASK_ID", "",
                      fmt::format("a task of the array, 0 to {}", round.batches().size() - 1),
                      task ? fmt::format("{}", *task) : "none");
  }
  std::set<std::uint64_t> answered;
  round.each_answer([&](const SweepOutcome& outcome) { answered.insert(outcome.run); });
  const std::vector<std::uint64_t>& runs = round.batches()[*task];
  std::size_t next = 0;
  WorkerPool::Client client;
  client.next = [&]() -> std::optional<std::uint64_t> {
    while (next < runs.size() && answered.count(runs[next]) > 0) ++next;
    if (next == runs.size()) return std::nullopt;
    return runs[next++];
  };
  client.did = [&](std::uint64_t run, const std::string& answer) { round.answer(*task, outcome_in(answer, run)); };
  client.lost = [&](std::uint64_t run, const std::string& why) { round.answer(*task, {run, "crashed", why, {}}); };
  client.tick = [] {};
  const auto cores = static_cast<unsigned>(said_by_slurm("SLURM_CPUS_PER_TASK").value_or(1));
  WorkerPool({{own_program(), "sweep", "--worker"}, round.greeting(), cores == 0 ? 1 : cores}).run(client);
  return done;
}

}  // namespace fenceline::cli
