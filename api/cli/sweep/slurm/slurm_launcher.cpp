// SPDX-License-Identifier: Apache-2.0
#include "api/cli/sweep/slurm/slurm_launcher.hpp"

#include "api/cli/sweep/slurm/slurm_jobs.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <utility>

namespace fenceline::cli {
namespace {

using namespace std::chrono_literals;
constexpr auto each_look = 200ms;                 // at answers
constexpr int looks_for_each_question = 10;       // to Slurm
constexpr int looks_for_stragglers = 15;          // answers that a shared file system shows late
constexpr unsigned most_unanswered = 60;          // questions
constexpr std::uint64_t tasks_for_processor = 4;  // the last ones to end leave little idle

}  // namespace

SlurmLauncher::SlurmLauncher(Options options) : options_(std::move(options)) {
  for (const auto& directory : slurm_rounds(options_.directory)) {
    ++round_numbers_;
    if (!SlurmRound::was_submitted(directory)) continue;  // who made it was ended: its files need not be whole
    rounds_.emplace_back(directory);
    jobs_.insert(rounds_.back().job());
  }
}

void SlurmLauncher::run(const std::vector<std::uint64_t>& runs, const Client& client) {
  missing_.insert(runs.begin(), runs.end());
  attempts_.clear();
  for (int look = 0;; ++look) {
    collect(client);
    client.tick();
    if (missing_.empty()) return;
    if (look % looks_for_each_question == 0) {
      const bool had_jobs = !jobs_.empty();
      if (!is_active()) {
        if (had_jobs) await_stragglers(client);
        submit(client);
      }
    }
    std::this_thread::sleep_for(each_look);
  }
}

void SlurmLauncher::await_stragglers(const Client& client) {
  for (int look = 0; look < looks_for_stragglers && !missing_.empty(); ++look) {
    std::this_thread::sleep_for(each_look);
    collect(client);
  }
}

void SlurmLauncher::collect(const Client& client) {
  for (SlurmRound& round : rounds_) {
    round.each_answer([&](const SweepOutcome& outcome) {
      if (missing_.erase(outcome.run) > 0) client.did(outcome);
    });
  }
}

/// One of its jobs waits or runs. While Slurm does not answer it is taken to be so.
bool SlurmLauncher::is_active() {
  if (jobs_.empty()) return false;
  try {
    const std::set<std::string> active = active_jobs();
    unanswered_ = 0;
    for (auto job = jobs_.begin(); job != jobs_.end();)
      job = active.count(*job) > 0 ? std::next(job) : jobs_.erase(job);
  } catch (const ConfigError&) {
    if (++unanswered_ >= most_unanswered) throw;
  }
  return !jobs_.empty();
}

SlurmRound::Batches SlurmLauncher::batches() const {
  std::uint64_t size = options_.batch;
  if (size == 0) {
    const std::uint64_t tasks = std::min(most_tasks(), tasks_for_processor * processors());
    size = (missing_.size() + tasks - 1) / tasks;
  }
  SlurmRound::Batches batches;
  for (const std::uint64_t run : missing_) {
    if (batches.empty() || batches.back().size() == size) batches.emplace_back();
    batches.back().push_back(run);
  }
  return batches;
}

/// What is missing, in arrays of as many tasks as there may be. What was submitted too often is lost.
void SlurmLauncher::submit(const Client& client) {
  for (auto run = missing_.begin(); run != missing_.end();) {
    if (attempts_[*run]++ < options_.attempts) {
      ++run;
      continue;
    }
    client.lost(*run, fmt::format("its Slurm task ended without an answer, {} times: {}/said.* may say why",
                                  options_.attempts, rounds_.back().directory().string()));
    run = missing_.erase(run);
  }
  const SlurmRound::Batches all = batches();
  const std::uint64_t most = all.empty() ? 1 : most_tasks();
  for (std::uint64_t at = 0; at < all.size(); at += most) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(at);
    const SlurmRound::Batches some(first, first + static_cast<std::ptrdiff_t>(std::min(most, all.size() - at)));
    const auto directory = slurm_round_directory(options_.directory, ++round_numbers_);
    rounds_.push_back(SlurmRound::make(directory, options_.greeting, some));
    const SlurmRound& round = rounds_.back();
    const std::string job = submitted(
        {"fenceline-" + options_.name, round.script(), directory, some.size(), options_.cores, options_.sbatch});
    round.set_job(job);
    jobs_.insert(job);
    std::uint64_t runs = 0;
    for (const auto& batch : some) runs += batch.size();
    options_.tell(fmt::format("Slurm job {}: {} runs in {} tasks", job, runs, some.size()));
  }
}

}  // namespace fenceline::cli
