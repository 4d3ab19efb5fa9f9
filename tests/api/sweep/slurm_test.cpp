// SPDX-License-Identifier: Apache-2.0
// `fenceline sweep --launcher slurm`, on a real Slurm of one node that the test starts.
#include "api/cli/sweep/slurm/slurm_round.hpp"
#include "sim/config_error.hpp"
#include "tests/support/child_process.hpp"
#include "tests/support/one_node_slurm.hpp"
#include "tests/support/places.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using fenceline::cli::SlurmRound;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> clocks(const std::string& workload, const std::string& out, std::vector<std::string> more) {
  std::vector<std::string> arguments = {"sweep",    shipped_workload(workload).string(),
                                        "--vary",   "/engines/3d/clock_mhz=1000..1019",
                                        "--metric", "makespan_us",
                                        "--out",    out};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

std::string csv_of(const Shell& shell, const std::string& directory) {
  return contents_of(shell.work() / directory / "results.csv");
}

/// Lines of answers of all tasks of all rounds of a sweep.
std::size_t answers_in(const fs::path& sweep) {
  std::size_t lines = 0;
  std::error_code error;
  if (!fs::exists(sweep / "slurm", error)) return 0;
  for (const auto& [name, text] : files_in(sweep / "slurm")) {
    if (name.find("answers.") != std::string::npos) lines += lines_of(text);
  }
  return lines;
}

bool wait_for_answers(const fs::path& sweep, std::size_t answers) {
  for (int i = 0; i < 6000; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    if (answers_in(sweep) >= answers) return true;
  }
  return false;
}

std::vector<SweepOutcome> answers_of(SlurmRound& round) {
  std::vector<SweepOutcome> answers;
  round.each_answer([&](const SweepOutcome& outcome) { answers.push_back(outcome); });
  return answers;
}

}  // namespace

TEST_CASE("slurm round: what its tasks answer is read once, and only to the end of a line", "[sweep][slurm]") {
  const TemporaryDirectory place;
  const fs::path directory = cli::slurm_round_directory(place / "sweep", 1);
  SlurmRound submitter = SlurmRound::make(directory, "the greeting", {{0, 1, 2, 7}, {8, 3}});
  const SlurmRound task(directory);
  CHECK(task.batches() == SlurmRound::Batches{{0, 1, 2, 7}, {8, 3}});
  CHECK(task.greeting() == "the greeting");
  CHECK(task.job().empty());
  CHECK_FALSE(SlurmRound::was_submitted(directory));
  submitter.set_job("17");
  CHECK(SlurmRound::was_submitted(directory));
  CHECK(task.job() == "17");
  CHECK(cli::slurm_rounds(place / "sweep") == std::vector<fs::path>{directory});

  CHECK(answers_of(submitter).empty());
  task.answer(0, {1, "done", "", {2.5, 3, nullptr, "text"}});
  task.answer(1, {8, "wrong_input", "one line", {}});
  const std::vector<SweepOutcome> both = answers_of(submitter);
  REQUIRE(both.size() == 2);
  CHECK(both[0].run == 1);
  CHECK(both[0].metrics == std::vector<nlohmann::json>{2.5, 3, nullptr, "text"});
  CHECK(both[1].status == "wrong_input");
  CHECK(both[1].error == "one line");
  CHECK(answers_of(submitter).empty());

  // A task was killed while it wrote; what it wrote is no answer, and the next one has a line of its own.
  std::ofstream(directory / "answers.0", std::ios::app) << R"({"run":2,"status":"do)";
  CHECK(answers_of(submitter).empty());
  task.answer(0, {7, "done", "", {}});
  const std::vector<SweepOutcome> later = answers_of(submitter);
  REQUIRE(later.size() == 1);
  CHECK(later[0].run == 7);
}

TEST_CASE("slurm round: files that are damaged are refused with their line", "[sweep][slurm]") {
  const TemporaryDirectory place;
  const fs::path directory = place / "r";
  SlurmRound::make(directory, "g", {{0}, {1}});
  for (const char* const line : {"", "5", "5-", "5-4", "1-2,", "1-2;3-4", "-1-2", "0-99999999999", "1-2 "}) {
    write_file(directory / "batches", std::string("0-0\n") + line + "\n");
    INFO(line);
    CHECK_THROWS_WITH(SlurmRound(directory), Contains("batches: /: expected runs, FIRST-LAST,FIRST-LAST, in line 2"));
  }
  write_file(directory / "batches", "0-0\n1-1");
  CHECK_THROWS_AS(SlurmRound(directory), ConfigError);
}

TEST_CASE("fenceline sweep --launcher: without Slurm it says what is missing", "[cli][sweep][slurm]") {
  const Shell shell;
  const Output output = shell.fenceline(clocks("multi_engine", "s", {"--launcher", "slurm"}), "PATH=/nowhere ");
  CHECK(output.code == 2);
  CHECK_THAT(output.err,
             Contains("--launcher: /: expected Slurm's commands (Debian: slurm-client) in the PATH, found "));
  CHECK(lines_of(output.err) == 1);
  const Output other = shell.fenceline(clocks("multi_engine", "t", {"--batch", "3"}));
  CHECK(other.code == 2);
  CHECK_THAT(other.err, Contains("--batch: /: expected --launcher slurm beside it"));
  CHECK(shell.fenceline(clocks("multi_engine", "t", {"--launcher", "pbs"})).code == 2);
}

TEST_CASE("fenceline sweep --launcher slurm: a job array plays the same sweep", "[cli][sweep][slurm]") {
  const OneNodeSlurm slurm(2);
  if (!slurm.runs()) {
    WARN("skipped: no Slurm can be started here: " << slurm.why_not());
    return;
  }
  const Shell shell;
  // The same rows as processes of this machine give, from tasks of several runs.
  REQUIRE(shell.fenceline(clocks("multi_engine", "here", {"--quiet"})).code == 0);
  const Output there = shell.fenceline(clocks("multi_engine", "there", {"--launcher", "slurm", "--batch", "5"}));
  CHECK(there.code == 0);
  CHECK_THAT(there.err, Contains(": 20 runs in 4 tasks\n"));
  CHECK(csv_of(shell, "there") == csv_of(shell, "here"));
  CHECK(answers_in(shell.work() / "there") == 20);
  // Over: replaced by the next one. By default each of the two processors gets four tasks.
  const Output again = shell.fenceline(clocks("multi_engine", "there", {"--launcher", "slurm"}));
  CHECK(again.code == 0);
  CHECK_THAT(again.err, Contains(": 20 runs in 7 tasks\n"));

  const Output refused =
      shell.fenceline(clocks("multi_engine", "bad", {"--launcher", "slurm", "--sbatch=--partition=absent"}));
  CHECK(refused.code == 2);
  CHECK_THAT(refused.err, Contains("--launcher: /: expected a job array that sbatch takes, found "));
  CHECK_THAT(refused.err, Contains("invalid partition"));

  // Who submitted it is killed, and a worker of a task is: the jobs go on, and who resumes plays nothing twice.
  const std::vector<std::string> heavy =
      clocks("pipelined_compute_graphics", "killed", {"--launcher", "slurm", "--batch", "5"});
  REQUIRE(shell.fenceline(clocks("pipelined_compute_graphics", "whole", {"--quiet"})).code == 0);
  std::string command = "exec " + Shell::quoted(fenceline_binary());
  for (const std::string& argument : heavy) command += " " + Shell::quoted(argument);
  const fs::path killed = shell.work() / "killed";
  {
    ChildProcess sweep([&] {
      if (::chdir(shell.work().c_str()) != 0) return 1;
      return ::execl("/bin/sh", "sh", "-c", (command + " >/dev/null 2>&1").c_str(), nullptr);
    });
    REQUIRE(wait_for_answers(killed, 2));
    sweep.kill();
    sweep.wait();
  }
  // As one that was ended while it made its next round leaves it.
  fs::create_directories(killed / "slurm/000002");
  write_file(killed / "slurm/000002/batches", "0-");
  std::vector<std::string> resumed = heavy;
  resumed.push_back("--resume");
  const Output rest = shell.fenceline(resumed);
  CHECK(rest.code == 0);
  CHECK(csv_of(shell, "killed") == csv_of(shell, "whole"));
  CHECK(answers_in(killed) == 20);
  CHECK_THAT(rest.err, !Contains("Slurm job"));  // that of before was enough

  // A job that is cancelled is submitted again, with what it did not play.
  const std::vector<std::string> other =
      clocks("pipelined_compute_graphics", "cancelled", {"--launcher", "slurm", "--batch", "10"});
  command = "exec " + Shell::quoted(fenceline_binary());
  for (const std::string& argument : other) command += " " + Shell::quoted(argument);
  const fs::path cancelled = shell.work() / "cancelled";
  ChildProcess sweep([&] {
    if (::chdir(shell.work().c_str()) != 0) return 1;
    return ::execl("/bin/sh", "sh", "-c",
                   (command + " >/dev/null 2>" + Shell::quoted(cancelled.string() + ".err")).c_str(), nullptr);
  });
  REQUIRE(wait_for_answers(cancelled, 2));
  CHECK(shell.run("scancel $(cat " + Shell::quoted((cancelled / "slurm/000001/job").string()) + ")").code == 0);
  CHECK(sweep.wait() == 0);
  CHECK(csv_of(shell, "cancelled") == csv_of(shell, "whole"));
  CHECK(lines_of(contents_of(cancelled.string() + ".err")) >= 2);
  CHECK(fs::exists(cancelled / "slurm/000002/job"));
}
