// SPDX-License-Identifier: Apache-2.0
#include "tests/support/same_gpu_rows.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <utility>

using namespace fenceline::testing;

TEST_CASE("run --capture: each shipped workload is played again with the same files", "[cli][capture]") {
  const Shell shell;
  int played = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source_directory() / "configs/workloads")) {
    if (entry.path().extension() != ".json") continue;
    INFO(entry.path().string());
    const Output taken = shell.fenceline({"run", entry.path().string(), "--out", "taken", "--capture", "x.capture"});
    const Output again = shell.fenceline({"run", "x.capture", "--out", "again"});
    CHECK(again.code == taken.code);
    CHECK(first_gpu_difference(shell.work() / "taken", shell.work() / "again") == "");
    for (const char* const file : {"preemptions.csv", "frames.csv", "paging.csv", "recovery.csv"}) {
      INFO(file);
      CHECK(contents_of(shell.work() / "taken" / file) == contents_of(shell.work() / "again" / file));
    }
    const auto statistics = [&](const char* run) {
      return nlohmann::json::parse(contents_of(shell.work() / run / "report.json"))["statistics"];
    };
    CHECK(statistics("taken") == statistics("again"));
    ++played;
  }
  CHECK(played > 20);
}

TEST_CASE("run --capture: values that --set gave are those of the capture", "[cli][capture]") {
  const Shell shell;
  const std::string workload = (source_directory() / "configs/workloads/multi_engine.json").string();
  const std::string set = "/memory/pcie_to_device/gb_per_s=1";
  REQUIRE(shell.fenceline({"run", workload, "--set", set, "--out", "taken", "--capture", "x.capture"}).code == 0);
  REQUIRE(shell.fenceline({"run", "x.capture", "--out", "again"}).code == 0);
  CHECK(first_gpu_difference(shell.work() / "taken", shell.work() / "again") == "");
}

TEST_CASE("run --capture: the workload itself is not written over", "[cli][capture]") {
  const Shell shell;
  const std::string workload = contents_of(source_directory() / "configs/workloads/commands.json");
  shell.write("w.json", workload);
  const Output output =
      shell.fenceline({"run", "w.json", "--machine", "tiny", "--out", "taken", "--capture", "w.json"});
  CHECK(output.code == 1);  // as for each file that cannot be written
  CHECK(contents_of(shell.work() / "w.json") == workload);
}

TEST_CASE("fenceline run --capture: of several passes it is the work of one, which may be played as often", "[cli]") {
  const Shell shell;
  const std::string workload = (source_directory() / "configs/workloads/ring_buffer.json").string();
  REQUIRE(shell.fenceline({"run", workload, "--out", "one", "--capture", "one.capture"}).code == 0);
  REQUIRE(shell.fenceline({"run", workload, "--out", "two", "--loop", "2", "--capture", "two.capture"}).code == 0);
  CHECK(contents_of(shell.work() / "two.capture") == contents_of(shell.work() / "one.capture"));
  REQUIRE(shell.fenceline({"run", "two.capture", "--out", "played", "--loop", "2"}).code == 0);
  CHECK(contents_of(shell.work() / "played/packets.csv") == contents_of(shell.work() / "two/packets.csv"));
}

TEST_CASE("run of a capture: outputs that another machine does not have are its primary one", "[cli][capture]") {
  const Shell shell;
  shell.write("desk.json", R"({"like": "tiny", "name": "desk",
                               "display": {"outputs": [{"name": "second", "refresh_hz": 50}]}})");
  shell.write("w.json", R"({"name": "two outputs", "machine": "desk.json",
    "queues": [{"name": "a", "type": "direct", "output": "second", "timeline": [{"type": "present"}]},
               {"name": "b", "type": "direct", "timeline": [{"type": "present", "swap_chain": "c"}]}],
    "swap_chains": [{"name": "c", "queue": "b", "output": "second"}],
    "cpus": [{"name": "t", "timeline": [{"type": "wait_vblank", "output": "second"},
                                        {"type": "repeat", "count": 2,
                                         "steps": [{"type": "wait_vblank", "output": "second"}]}]}]})");
  REQUIRE(shell.fenceline({"pack", "w.json", "-o", "packed.capture"}).code == 0);
  REQUIRE(shell.fenceline({"run", "w.json", "--out", "there", "--capture", "played.capture"}).code == 0);
  REQUIRE(shell.fenceline({"run", "w.json", "--machine", "tiny", "--out", "refused"}).code == 2);
  for (const std::string capture : {"packed.capture", "played.capture"}) {
    INFO(capture);
    // 50 and 60 Hz: the third vertical blank.
    for (const auto& [machine, us] : {std::pair<std::string, double>{"desk.json", 60'000}, {"tiny", 50'000}}) {
      INFO(machine);
      const Output run = shell.fenceline({"run", capture, "--machine", machine, "--out", "run_" + machine});
      REQUIRE(run.code == 0);
      const auto report = nlohmann::json::parse(contents_of(shell.work() / ("run_" + machine) / "report.json"));
      const double end_us = report["statistics"]["end_ps"].get<double>() / 1e6;
      CHECK(end_us >= us);
      CHECK(end_us < us + 100);
    }
    for (const char* const more : {"--single-queue", "--loop=2"}) {
      INFO(more);
      CHECK(shell.fenceline({"run", capture, "--machine", "tiny", more, "--out", "more"}).code == 0);
    }
  }
}
