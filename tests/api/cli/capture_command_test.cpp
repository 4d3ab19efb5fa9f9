// SPDX-License-Identifier: Apache-2.0
#include "sim/config/json_file.hpp"
#include "tests/support/dxbc_builder.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using nlohmann::json;

namespace {

/// A run's files. What has no effect is told of what the user wrote down: of a capture's machine that is nothing.
std::map<std::string, std::string> run_files(const Shell& shell, const std::string& workload) {
  const Output output = shell.fenceline({"run", workload, "--out", "run"});
  auto files = files_in(shell.work() / "run");
  json report = parse_json(files.at("report.json"), "report.json");
  report.erase("no_effect");
  files["report.json"] = dump_json(report);
  files["exit code"] = std::to_string(output.code);
  files["standard error"] = output.err;
  return files;
}

}  // namespace

TEST_CASE("fenceline: a capture, and what it is unpacked to, play as the workload that was packed", "[cli][capture]") {
  const Shell shell;
  for (const auto& entry : std::filesystem::directory_iterator(source_directory() / "configs/workloads")) {
    const std::string workload = entry.path().string();
    INFO(workload);
    REQUIRE(shell.fenceline({"pack", workload, "-o", "w.capture"}).code == 0);
    REQUIRE(shell.fenceline({"unpack", "w.capture", "-o", "w.json", "--machine-out", "m.json"}).code == 0);
    CHECK(load_json(shell.work() / "w.json") == load_json(workload));
    CHECK(shell.fenceline({"check", "w.capture"}).code == 0);
    const auto original = run_files(shell, workload);
    CHECK(run_files(shell, "w.capture") == original);
    CHECK(shell.fenceline({"check", "w.json", "--machine", "m.json"}).code == 0);
  }
}

TEST_CASE("fenceline: a capture has the machine that it was taken on, and plays on others", "[cli][capture]") {
  const Shell shell;
  const std::string workload = shipped_workload("multi_engine").string();
  REQUIRE(shell.fenceline({"pack", workload, "--machine", "rtx_4090", "-o", "w.capture"}).code == 0);
  const auto makespan = [&](const std::vector<std::string>& arguments) {
    std::vector<std::string> all = {"run", "--json", "--out", "run"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return parse_json(shell.fenceline(all).out, "report.json")["statistics"]["end_ps"].get<std::uint64_t>();
  };
  CHECK(makespan({"w.capture"}) == makespan({workload, "--machine", "rtx_4090"}));
  CHECK(makespan({"w.capture", "--machine", "h200"}) == makespan({workload, "--machine", "h200"}));
  CHECK(makespan({"w.capture", "--set", "/shader_array/graphics_sms=8"}) !=
        makespan({"w.capture", "--set", "/shader_array/graphics_sms=4"}));
  CHECK(shell.run("cat w.capture | '" + fenceline_binary() + "' run - --out run").code == 0);
}

TEST_CASE("fenceline pack: what shader code says is in the capture, which needs no code any more", "[cli][capture]") {
  const Shell shell;
  std::vector<std::uint32_t> counts(37);
  counts[0] = counts[4] = 120;  // instructions, of floats
  counts[1] = 10;               // registers
  shell.write("code.dxbc", dxbc({{"SHEX", "code"}, {"STAT", numbers(counts)}}));
  json workload = small_workload();
  workload["compute_pipelines"][0]["bytecode"] = "code.dxbc";
  workload["graphics_pipelines"][0]["pixel_bytecode"] = "code.dxbc";
  shell.write("w.json", workload.dump());
  REQUIRE(shell.fenceline({"pack", "w.json", "-o", "w.capture"}).code == 0);
  const auto played = [&](const std::string& file) {
    REQUIRE(shell.fenceline({"run", file, "--out", "run"}).code == 0);
    return contents_of(shell.work() / "run/packets.csv");
  };
  const std::string original = played("w.json");
  std::filesystem::remove(shell.work() / "code.dxbc");
  CHECK(shell.fenceline({"check", "w.json"}).code == 2);
  CHECK(played("w.capture") == original);
  REQUIRE(shell.fenceline({"unpack", "w.capture", "-o", "u.json"}).code == 0);
  CHECK(played("u.json") == original);
}

TEST_CASE("fenceline info: it counts what a workload holds, and tells a capture's sections", "[cli][capture]") {
  const Shell shell;
  shell.write("w.json", small_workload_text);
  REQUIRE(shell.fenceline({"pack", "w.json", "-o", "w.capture"}).code == 0);
  const json info = parse_json(shell.fenceline({"info", "w.capture", "--json"}).out, "info");
  CHECK(info["queues"] == 3);
  CHECK(info["command_lists"] == 3);
  CHECK(info["commands"] == 8);
  CHECK(info["steps"] == 2 + 4 + 8);
  CHECK(info["capture"]["machine"] == "h200");
  CHECK(info["capture"]["whole"] == true);
  CHECK(info["capture"]["sections"].size() == 4);
  const json of_json = parse_json(shell.fenceline({"info", "w.json", "--json"}).out, "info");
  CHECK(of_json["commands"] == 8);
  CHECK(!of_json.contains("capture"));
  const Output text = shell.fenceline({"info", "w.capture"});
  CHECK_THAT(text.out, Contains("taken on       h200") && Contains("STEP"));

  const std::string whole = contents_of(shell.work() / "w.capture");
  shell.write("cut.capture", whole.substr(0, whole.size() - 5));
  for (const std::string verb : {"info", "check", "run"}) {
    INFO(verb);
    const Output cut = shell.fenceline({verb, "cut.capture"});
    CHECK(cut.code == 0);
    CHECK_THAT(cut.err, Contains("cut.capture: ends too early") && Contains("within section 4 (DONE"));
  }
  std::string damaged = whole;
  damaged[whole.size() / 2] ^= 1;
  shell.write("bad.capture", damaged);
  for (const std::string verb : {"info", "check", "run"}) {
    const Output bad = shell.fenceline({verb, "bad.capture"});
    CHECK(bad.code == 2);
    CHECK_THAT(bad.err, Contains("bad.capture: /: expected section 1 (WORK, at byte 32) to have the check"));
  }
}

TEST_CASE("fenceline pack and unpack: inputs stay, and what is no capture or cannot be played is told",
          "[cli][capture]") {
  const Shell shell;
  shell.write("w.json", small_workload_text);
  CHECK(shell.fenceline({"pack", "w.json", "-o", "w.json"}).code == 1);
  CHECK(contents_of(shell.work() / "w.json") == small_workload_text);
  const Output unpack = shell.fenceline({"unpack", "w.json", "-o", "x.json"});
  CHECK(unpack.code == 2);
  CHECK_THAT(unpack.err, Contains("w.json: /: expected a capture, found a workload: fenceline run plays it"));
  shell.write("bad.json", R"({"name": "w", "queues": [{"name": "q", "type": "direkt"}]})");
  CHECK(shell.fenceline({"pack", "bad.json", "-o", "x.capture"}).code == 2);
  CHECK(!std::filesystem::exists(shell.work() / "x.capture"));
}
