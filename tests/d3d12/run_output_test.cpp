// SPDX-License-Identifier: Apache-2.0
#include "api/report/run/outputs.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <set>
#include <string>

using namespace fenceline::testing;

namespace {

std::set<std::string> paths_in(const std::filesystem::path& directory) {
  std::set<std::string> paths;
  for (const auto& [name, text] : files_in(directory)) paths.insert(name);
  return paths;
}

}  // namespace

TEST_CASE("FENCELINE_OUT: a D3D12 program leaves a run directory for each of its devices", "[d3d12]") {
  const Shell shell;
  const std::string program = Shell::quoted(FENCELINE_COMPTR_PROGRAM);
  const Output output = shell.run("FENCELINE_MACHINE=tiny:h200 FENCELINE_OUT=out " + program);
  CHECK(output.err == "fenceline: FENCELINE_OUT: the run is in out\nfenceline: FENCELINE_OUT: the run is in out-2\n");
  REQUIRE(output.code == 0);
  const std::set<std::string> expected = {".fenceline-run",  "report.json", "trace.json",  "packets.csv",
                                          "preemptions.csv", "frames.csv",  "markers.csv", "paging.csv",
                                          "recovery.csv",    "log.txt"};
  CHECK(paths_in(shell.work()) == [&] {
    std::set<std::string> both;
    for (const std::string& name : expected) both.insert({"out/" + name, "out-2/" + name});
    return both;
  }());
  // The faster adapter comes first there.
  const auto report = nlohmann::json::parse(contents_of(shell.work() / "out" / "report.json"));
  CHECK(report["machine_name"] == "h200");
  CHECK(report["machine"]["name"] == "h200");
  CHECK(report["statistics"]["completed"] == true);
  CHECK(report["statistics"]["packets"] == 2);  // the list and the signal
  CHECK(report["statistics"]["fences"][0]["fence"] == "fence0");
  CHECK(report["statistics"]["end_ps"] > 0);
  CHECK(nlohmann::json::parse(contents_of(shell.work() / "out-2" / "trace.json")).is_object());
  CHECK(lines_of(contents_of(shell.work() / "out-2" / "packets.csv")) == 3);

  SECTION("and the same bytes again") {
    const auto before = files_in(shell.work());
    REQUIRE(shell.run("FENCELINE_MACHINE=tiny:h200 FENCELINE_OUT=out/ " + program).code == 0);
    CHECK(files_in(shell.work()) == before);
  }
}

TEST_CASE("FENCELINE_OUT: probes and devices that never get a queue leave nothing", "[d3d12]") {
  const Shell shell;
  const Output output = shell.run("FENCELINE_MACHINE=tiny FENCELINE_OUT=out " + Shell::quoted(FENCELINE_PROBE_PROGRAM));
  REQUIRE(output.code == 0);
  CHECK(output.err == "fenceline: FENCELINE_OUT: the run is in out\n");
  CHECK(paths_in(shell.work()) == std::set<std::string>{"out/.fenceline-run", "out/report.json", "out/trace.json",
                                                        "out/packets.csv", "out/preemptions.csv", "out/frames.csv",
                                                        "out/markers.csv", "out/paging.csv", "out/recovery.csv",
                                                        "out/log.txt"});
  const auto report = nlohmann::json::parse(contents_of(shell.work() / "out" / "report.json"));
  CHECK(report["statistics"]["packets"] == 1);  // the signal
}

TEST_CASE("FENCELINE_HTML: the page comes, too", "[d3d12]") {
  const Shell shell;
  const std::string program = Shell::quoted(FENCELINE_PROBE_PROGRAM);
  REQUIRE(shell.run("FENCELINE_MACHINE=tiny FENCELINE_HTML=1 FENCELINE_OUT=out " + program).code == 0);
  const std::string page = contents_of(shell.work() / "out" / "timeline.html");
  CHECK(page.find("<html") != std::string::npos);
  CHECK(page.find("queue0") != std::string::npos);
  CHECK(page.find("fence0") != std::string::npos);
  REQUIRE(shell.run("FENCELINE_MACHINE=tiny FENCELINE_HTML=0 FENCELINE_OUT=plain " + program).code == 0);
  CHECK(paths_in(shell.work()).count("plain/timeline.html") == 0);
  CHECK(paths_in(shell.work()).count("plain/report.json") == 1);
}

TEST_CASE("FENCELINE_OUT: each output that not every run has comes with its variable", "[d3d12]") {
  for (const fenceline::OutputRow& output : fenceline::outputs()) {
    if (output.key == nullptr) continue;
    const Shell shell;
    std::string variable = "FENCELINE_" + std::string(output.key);
    std::transform(variable.begin(), variable.end(), variable.begin(), [](unsigned char c) { return std::toupper(c); });
    const std::string command = "FENCELINE_MACHINE=tiny FENCELINE_OUT=out " + variable + "=1 ";
    REQUIRE(shell.run(command + Shell::quoted(FENCELINE_PROBE_PROGRAM)).code == 0);
    CHECK(paths_in(shell.work()).count("out/" + std::string(output.file)) == 1);
  }
}

TEST_CASE("FENCELINE_OUT: the report tells of swap chains' frames, and the trace shows them", "[d3d12]") {
  const Shell shell;
  const Output output =
      shell.run("FENCELINE_MACHINE=tiny FENCELINE_OUT=out " + Shell::quoted(FENCELINE_SWAP_CHAIN_PROGRAM));
  REQUIRE(output.code == 0);
  const auto report = nlohmann::json::parse(contents_of(shell.work() / "out" / "report.json"));
  REQUIRE(report["statistics"]["swap_chains"].size() == 1);
  const auto& chain = report["statistics"]["swap_chains"][0];
  CHECK(chain["swap_chain"] == "swapchain0");
  CHECK(chain["presented"] == 61);
  CHECK(chain["shown"] == 61);
  CHECK(chain["discarded"] == 0);
  CHECK(chain["missed_vblanks"] == 0);
  CHECK(chain["frame_ps"]["p50"] == 16'666'666'667);
  CHECK(chain["frame_ps"]["max"] == 16'666'666'667);
  CHECK(report["machine"]["display"]["refresh_hz"] == 60);
  std::size_t frames = 0;
  const auto trace = nlohmann::json::parse(contents_of(shell.work() / "out" / "trace.json"));
  for (const auto& event : trace["traceEvents"]) frames += event.value("cat", "") == "frame" ? 1 : 0;
  CHECK(frames == 61);
  CHECK(contents_of(shell.work() / "out" / "packets.csv").find(",present,") != std::string::npos);
}

TEST_CASE("FENCELINE_OUT: the exit of the process writes what devices that nobody released have done", "[d3d12]") {
  const Shell shell;
  // It leaks for this test's sake: a leak checker looks elsewhere.
  const Output output = shell.run(R"(ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" )"
                                  "FENCELINE_MACHINE=tiny FENCELINE_OUT=out " +
                                  Shell::quoted(FENCELINE_CARELESS_PROGRAM));
  REQUIRE(output.code == 0);
  const auto report = nlohmann::json::parse(contents_of(shell.work() / "out" / "report.json"));
  CHECK(report["statistics"]["completed"] == false);
  REQUIRE(report["statistics"]["deadlock"].size() == 1);
  // The recompile that nobody waited for.
  REQUIRE(report["statistics"]["background_processing"].size() == 1);
  const auto& tasks = report["statistics"]["background_processing"][0];
  CHECK(tasks["queued"] == 1);
  CHECK(tasks["finished"] == 0);
  CHECK(tasks["cancelled"] == 0);
  CHECK(tasks["pending"] == 1);
  const std::string log = contents_of(shell.work() / "out" / "log.txt");
  CHECK(log.find("d3d12: ID3D12Device::CreateFence: unknown flags") != std::string::npos);
}

TEST_CASE("FENCELINE_OUT: a directory that is no earlier run is left alone, and the program runs", "[d3d12]") {
  const Shell shell;
  shell.write("out/precious.txt", "mine");
  const Output output =
      shell.run("FENCELINE_MACHINE=tiny FENCELINE_OUT=out " + Shell::quoted(FENCELINE_COMPTR_PROGRAM));
  CHECK(output.code == 0);
  CHECK(output.out == "tiny: same\n");
  CHECK(output.err.find("fenceline: FENCELINE_OUT: ") == 0);
  CHECK(files_in(shell.work()).size() == 1);
}

TEST_CASE("FENCELINE_OUT: files that cannot grow end with a line, and neither the program nor an earlier run",
          "[d3d12]") {
  const Shell shell;
  const std::string program = "FENCELINE_MACHINE=tiny FENCELINE_OUT=out " + Shell::quoted(FENCELINE_BUSY_PROGRAM);
  const Output usual = shell.run(program);
  REQUIRE(usual.code == 0);
  REQUIRE(usual.out == "4000 of 4000 signals\n");
  const auto before = files_in(shell.work());
  // More than the buffer of a file, so that writing fails inside a call.
  REQUIRE(before.at("out/trace.json").size() > 512 * 1024);
  for (const char* blocks : {"8", "100"}) {  // of 512 bytes
    INFO(blocks);
    const Output limited = shell.run(std::string("ulimit -f ") + blocks + "; " + program);
    CHECK(limited.code == 0);
    CHECK(limited.out == usual.out);
    CHECK(limited.err.find("fenceline: FENCELINE_OUT: ") == 0);
    CHECK(lines_of(limited.err) == 1);
    CHECK(files_in(shell.work()) == before);
  }
}
