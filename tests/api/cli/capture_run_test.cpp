// SPDX-License-Identifier: Apache-2.0
#include "tests/support/same_gpu_rows.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

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
