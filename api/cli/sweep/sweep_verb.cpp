// SPDX-License-Identifier: Apache-2.0
#include "api/cli/commands.hpp"
#include "api/cli/usage/seed_argument.hpp"
#include "api/cli/usage/time_argument.hpp"
#include "api/documents/file_kind.hpp"
#include "api/machine_config.hpp"
#include "api/sweep/metric.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

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
  for (const MetricRow& row : metric_rows()) text += fmt::format("  {:<20} {}\n", row.name, row.what);
  return text + R"(
Examples:
  fenceline sweep configs/sweeps/preemption_granularity.json
  fenceline sweep game.json --vary /engines/3d/clock_mhz=1000..2000+250 --metric makespan_us --metric queue_p99_us:game
  fenceline sweep SWEEP.json --launcher slurm --sbatch=--partition=long --out /shared/results
  fenceline sweep SWEEP.json --optimise preemption_p99_us --within 'lost_percent<=2')";
}

}  // namespace

void add_sweep_verb(CLI::App& app, int& code) {
  const auto arguments = std::make_shared<SweepArguments>();
  SweepArguments& said = *arguments;
  auto* command = app.add_subcommand("sweep", "play many runs that differ in some values; write a table of results");
  command->footer(sweep_footer());
  command->add_option("files", said.files, "a sweep: a JSON file; or workloads");
  command
      ->add_option("--machine", said.machines,
                   fmt::format("machine: a JSON file, or the name of a built-in one ({}); several: each",
                               fmt::join(builtin_machine_names(), ", ")))
      ->allow_extra_args(false);
  command->add_option("--vary", said.varied, "a value that changes: /pointer=a,b,c; several: all combinations")
      ->allow_extra_args(false);
  command->add_option("--set", said.sets, "change one value: /pointer=value; may be given several times")
      ->allow_extra_args(false);
  command->add_option("--metric", said.metrics, "a column of the results; several: each (default: the usual ones)")
      ->allow_extra_args(false);
  command->add_option("--optimise", said.optimise,
                      "look for the least of this metric, an axis at a time, instead of playing all runs");
  command->add_option("--within", said.within, "a limit for --optimise: METRIC<=NUMBER; several: all of them")
      ->allow_extra_args(false);
  command->add_option("--outputs", said.outputs,
                      "also leave these files of each run in runs/NUMBER, such as report,packets");
  command->add_option("--jobs", said.jobs, "worker processes (default: one for each core)")
      ->check(CLI::Range(1U, 1024U));
  command->add_option("--out", said.out, "directory of the results (default: runs/ and the sweep's name)");
  command->add_flag("--resume", said.resume, "go on with a sweep that was ended early; what is done stays");
  command->add_option("--limit-us", said.limit_us, "stop each run at this simulated time, microseconds")
      ->check(CLI::Validator([](const std::string& text) { return refuse_time_us(text, 1e-6); }, "1e-6 to 9e12"));
  command
      ->add_option("--repeat", said.repeat,
                   "play each combination so often with jitter, as run --repeat does; the table has the median and the "
                   "largest of each")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000}));
  command->add_option("--seed", said.seed, "of the first repetition; each further one has the next (default: 1)")
      ->check(CLI::Validator(refuse_seed, "a number"));
  command->add_flag("--quiet", said.quiet, "no progress and no table");
  command
      ->add_option(
          "--launcher", said.launcher,
          "slurm: play the runs in a job array of Slurm, over a directory that its nodes share; --jobs is then "
          "how many each task plays at a time (default: 1)")
      ->check(CLI::IsMember({"slurm"}));
  command->add_option("--batch", said.batch, "runs of one task of the array (default: each processor gets four tasks)")
      ->check(CLI::PositiveNumber);
  command->add_option("--sbatch", said.sbatch, "an option for sbatch, such as --sbatch=--partition=long; several")
      ->allow_extra_args(false);
  command->add_flag("--worker", said.worker)->group("");              // what the command starts
  command->add_option("--slurm-round", said.slurm_round)->group("");  // what its array starts
  command->callback([&code, arguments] {
    if (arguments->files.empty() && !arguments->worker && arguments->slurm_round.empty())
      throw CLI::RequiredError("files");
    std::vector<GivenFile> given;
    for (const std::string& file : arguments->files) {
      given.push_back(
          {file, {FileKind::workload, FileKind::capture, FileKind::report, FileKind::run, FileKind::sweep}});
    }
    for (const std::string& machine : arguments->machines) given.push_back({machine, {FileKind::machine}});
    code = with_files(given, [&] { return sweep(*arguments); });
  });
}

}  // namespace fenceline::cli
