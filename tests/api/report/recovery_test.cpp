// SPDX-License-Identifier: Apache-2.0
// The files of a run tell the same of its timeouts: recovery.csv, report.json, report.html, the summary, log.txt.
#include "tests/support/csv_reader.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

using namespace fenceline::testing;

namespace {

std::vector<std::string> steps_of(const CsvTable& rows) {
  std::vector<std::string> steps;
  for (std::size_t i = 0; i < rows.size(); ++i) steps.push_back(rows.at(i, "step"));
  return steps;
}

}  // namespace

TEST_CASE("recovery: one process of hang_and_recover hangs and comes back, the others lose nothing", "[cli]") {
  const Shell shell;
  const auto run = shell.fenceline(
      {"run", shipped_workload("hang_and_recover").string(), "--out", "out", "--html", "--check-invariants"});
  REQUIRE(run.code == 0);
  const CsvTable rows(contents_of(shell.work() / "out/recovery.csv"));
  CHECK(steps_of(rows) == std::vector<std::string>{"timeout", "engine_reset", "engine_reset_done", "aborted",
                                                   "device_removed", "cancelled", "device_created"});
  const auto report = nlohmann::json::parse(contents_of(shell.work() / "out/report.json"));
  const auto& episodes = report.at("statistics").at("recovery");
  REQUIRE(episodes.size() == 1);
  CHECK(episodes[0].at("kind") == "engine");
  CHECK(episodes[0].at("bugcheck_code") == "0x141");
  CHECK(episodes[0].at("aborted").at(0).at("breadcrumb").at("command") == "Hang");
  CHECK(episodes[0].at("aborted").at(0).at("breadcrumb").at("command_index") == 1);
  CHECK(episodes[0].at("aborted").at(0).at("breadcrumb").at("commands_ended") == 1);
  CHECK(episodes[0].at("devices_removed").at(0).at("process") == "A");
  CHECK(episodes[0].at("packets_discarded") == 1);
  CHECK(run.out.find("recovery     timeout of adapter.3d0 at ") != std::string::npos);
  CHECK(contents_of(shell.work() / "out/report.html").find("Timeouts and page faults") != std::string::npos);
  CHECK(contents_of(shell.work() / "out/log.txt").find("recovery: device_removed, process A") != std::string::npos);
}

TEST_CASE("recovery: six hangs that reset the adapter end with code 3, and say so", "[cli]") {
  const Shell shell;
  const auto run = shell.fenceline({"run", shipped_workload("six_hangs").string(), "--out", "out", "--set",
                                    "/tdr/engine_reset=unsupported", "--check-invariants"});
  CHECK(run.code == 3);
  CHECK(run.err.find("bugcheck 0x116") != std::string::npos);
  const CsvTable rows(contents_of(shell.work() / "out/recovery.csv"));
  CHECK(rows.at(rows.size() - 1, "step") == "bugcheck");
  CHECK(rows.at(rows.size() - 1, "reason") == "0x116");
}

TEST_CASE("recovery: engines that are reset by themselves leave the others; after five a process is blocked", "[cli]") {
  const Shell shell;
  const auto run =
      shell.fenceline({"run", shipped_workload("six_hangs").string(), "--out", "out", "--check-invariants"});
  CHECK(run.code == 0);
  const std::string rows = contents_of(shell.work() / "out/recovery.csv");
  CHECK(rows.find("process_blocked") != std::string::npos);
  CHECK(rows.find("adapter_reset") == std::string::npos);
}

TEST_CASE("recovery: runaway_shader needs a reset where packets run to their end, and none at thread groups", "[cli]") {
  const Shell shell;
  const std::string workload = shipped_workload("runaway_shader").string();
  const auto coarse = shell.fenceline({"run", workload, "--out", "coarse", "--check-invariants", "--set",
                                       "/engines/0/compute_preemption/granularity=dma_buffer_boundary"});
  CHECK(coarse.code == 0);
  CHECK(contents_of(shell.work() / "coarse/recovery.csv").find("engine_reset_done") != std::string::npos);
  const auto fine = shell.fenceline({"run", workload, "--out", "fine", "--check-invariants", "--set",
                                     "/engines/0/compute_preemption/granularity=shader_boundary"});
  CHECK(fine.code == 0);
  CHECK(contents_of(shell.work() / "fine/recovery.csv").find("timeout") == std::string::npos);
}

TEST_CASE("recovery: without it a hang is told as such", "[cli]") {
  const Shell shell;
  const auto run = shell.fenceline({"run", shipped_workload("hang_and_recover").string(), "--out", "out", "--set",
                                    "/tdr/level=off", "--check-invariants"});
  CHECK(run.code == 1);
  CHECK(run.err.find("queue \"a\" hangs") != std::string::npos);
}
