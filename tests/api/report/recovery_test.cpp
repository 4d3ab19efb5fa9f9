// SPDX-License-Identifier: Apache-2.0
// The files of a run tell the same of its timeouts: recovery.csv, report.json, timeline.html, the summary, log.txt.
#include "tests/api/report/trace_events.hpp"
#include "tests/support/csv_reader.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/units.hpp"

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
  CHECK(contents_of(shell.work() / "out/timeline.html").find("Timeouts and page faults") != std::string::npos);
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

TEST_CASE("recovery: the trace has an instant for each step, and a slice for each reset", "[report]") {
  using Step = fenceline::RecoveryRecord::Step;
  fenceline::EventLog log;
  const auto events = events_of(log, [&] {
    const auto tell = [&](Step step, std::uint64_t at_ps, const char* node, std::uint64_t packet = 0) {
      fenceline::RecoveryRecord record{step, 1, at_ps, log.name(node)};
      record.packet = packet;
      record.process = log.name("A");
      log.recovery(record);
    };
    tell(Step::timeout, 5 * us, "adapter.3d0", 7);
    tell(Step::held, 5 * us, "adapter.3d0");
    tell(Step::engine_reset, 5 * us, "adapter.3d0");
    tell(Step::engine_reset_done, 8 * us, "adapter.3d0");
    tell(Step::adapter_reset, 8 * us, "");
    tell(Step::adapter_reset_done, 10 * us, "");
    tell(Step::aborted, 10 * us, "adapter.3d0", 7);
    tell(Step::device_removed, 10 * us, "");
    tell(Step::working, 10 * us, "adapter.3d0");
  });
  const auto threads = names(events, "thread_name", "tid");
  std::vector<std::string> found;
  for (const auto& event : with_phase(events, "i")) {
    CHECK(event.at("cat") == "recovery");
    CHECK(event.at("args").at("episode") == 1);
    found.push_back(threads.at(event.at("tid")) + ": " + event.at("name").get<std::string>());
  }
  CHECK(found == std::vector<std::string>{"adapter.3d0 protocol: timeout", "adapter.3d0 protocol: engine_reset",
                                          "adapter.3d0 protocol: engine_reset_done", "adapter recovery: adapter_reset",
                                          "adapter recovery: adapter_reset_done", "adapter.3d0 protocol: aborted",
                                          "adapter recovery: device_removed"});
  const auto slices = with_phase(events, "X");
  REQUIRE(slices.size() == 2);
  CHECK(slices[0].at("name") == "reset of the engine");
  CHECK(slices[0].at("ts") == 5);
  CHECK(slices[0].at("dur") == 3);
  CHECK(slices[1].at("name") == "reset of the adapter");
  CHECK(slices[1].at("dur") == 2);
}
