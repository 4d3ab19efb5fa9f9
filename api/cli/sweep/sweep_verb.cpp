// SPDX-License-Identifier: Apache-2.0
#include "api/cli/commands.hpp"
#include "api/cli/usage/misspelt.hpp"
#include "api/cli/usage/number_arguments.hpp"
#include "api/documents/file_kind.hpp"
#include "api/sweep/metric.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fenceline::cli {
namespace {

std::string sweep_footer() {
  std::string text = R"(
--vary /pointer=a,b,c takes values as --set does; /pointer=FROM..TO, FROM..TO+STEP and FROM..TO*FACTOR are numbers. A
second --vary is crossed with the first one; with + before it (--vary +/pointer=d,e,f) it changes together with it. A
NAME: before the pointer names the column.

Metrics, and names of columns: METRIC:WHICH is that of one queue, engine or deadline, METRIC:A|B that of B where there
is no A; NAME=METRIC and NAME=/pointer, which is what report.json has there, name the column:
)";
  for (const MetricRow& row : metric_rows()) {
    text += fmt::format("  {:<20} {}{}\n", row.name, row.what, row.more_is_better ? " (more is better)" : "");
  }
  return text + R"(
--optimise METRIC looks for the most of a metric of which more is better, else for the least; max:METRIC and min:METRIC
say which. --within METRIC<=NUMBER and METRIC>=NUMBER are limits; NUMBER% is that part of what the first combination has,
the first value of each axis.)";
}

}  // namespace

void add_sweep_verb(CLI::App& app, const std::string& machine_help, const std::string& set_help, int& code) {
  const auto arguments = std::make_shared<SweepArguments>();
  SweepArguments& sweep = *arguments;
  auto* sweep_command =
      app.add_subcommand("sweep", "play many runs that differ in some values; write a table of results");
  sweep_command->footer(sweep_footer());
  sweep_command->add_option("files", sweep.files, "a sweep: a JSON file; or workloads");
  sweep_command->add_option("--machine", sweep.machines, machine_help + "; several: each")->allow_extra_args(false);
  sweep_command->add_option("--vary", sweep.varied, "a value that changes: /pointer=a,b,c; several: all combinations")
      ->allow_extra_args(false);
  sweep_command->add_option("--set", sweep.sets, set_help)->allow_extra_args(false);
  sweep_command
      ->add_option("--metric", sweep.metrics, "a column of the results; several: each (default: the usual ones)")
      ->allow_extra_args(false);
  sweep_command->add_option("--optimise", sweep.optimise,
                            "look for the best of this metric, an axis at a time, instead of playing all runs: the "
                            "least, the most where more is better, or as max:METRIC and min:METRIC say");
  sweep_command
      ->add_option("--within", sweep.within,
                   "a limit for --optimise: METRIC<=NUMBER or METRIC>=NUMBER, NUMBER% of the first combination's; "
                   "several: all of them")
      ->allow_extra_args(false);
  sweep_command
      ->add_option("--outputs", sweep.outputs,
                   "also leave these files of each run in runs/NUMBER, such as report,packets")
      ->check(CLI::Validator(refuse_no_outputs, ""));
  sweep_command->add_option("--jobs", sweep.jobs, "worker processes (default: one for each core)")
      ->check(CLI::Range(1U, 1024U));
  sweep_command->add_option("--out", sweep.out, "directory of the results (default: runs/ and the sweep's name)");
  sweep_command->add_flag("--resume", sweep.resume, "go on with a sweep that was ended early; what is done stays");
  sweep_command->add_option("--limit-us", sweep.limit_us, "stop each run at this simulated time, microseconds")
      ->check(CLI::Validator(refuse_limit_us, "1e-6 to 9e12"));
  sweep_command
      ->add_option("--repeat", sweep.repeat,
                   "play each combination so often with jitter, as run --repeat does; the table has the median and the "
                   "largest of each")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000}));
  sweep_command->add_option("--seed", sweep.seed, "of the first repetition; each further one has the next (default: 1)")
      ->check(CLI::Validator(refuse_seed, "a number"));
  sweep_command->add_flag("--quiet", sweep.quiet, "no progress and no table");
  sweep_command
      ->add_option(
          "--launcher", sweep.launcher,
          "slurm: play the runs in a job array of Slurm, over a directory that its nodes share; --jobs is then "
          "how many each task plays at a time (default: 1)")
      ->check(CLI::Validator([](const std::string& text) { return refuse_word(text, {"slurm"}); }, "{slurm}"));
  sweep_command
      ->add_option("--batch", sweep.batch, "runs of one task of the array (default: each processor gets four tasks)")
      ->check(CLI::PositiveNumber);
  sweep_command
      ->add_option("--sbatch", sweep.sbatch, "an option for sbatch, such as --sbatch=--partition=long; several")
      ->allow_extra_args(false);
  sweep_command->add_flag("--worker", sweep.worker)->group("");              // what the command starts
  sweep_command->add_option("--slurm-round", sweep.slurm_round)->group("");  // what its array starts
  sweep_command->callback([&code, arguments] {
    const SweepArguments& asked = *arguments;
    if (asked.files.empty() && !asked.worker && asked.slurm_round.empty()) throw CLI::RequiredError("files");
    std::vector<GivenFile> given;
    for (const std::string& file : asked.files) {
      given.push_back(
          {file, {FileKind::workload, FileKind::capture, FileKind::report, FileKind::run, FileKind::sweep}});
    }
    for (const std::string& machine : asked.machines) given.push_back({machine, {FileKind::machine}});
    code = with_files(given, [&] { return cli::sweep(asked); });
  });
}

}  // namespace fenceline::cli
