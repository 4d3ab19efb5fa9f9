// SPDX-License-Identifier: Apache-2.0
// No output takes the place of what was read for it, and runs that cannot write end in a line.
#include "sim/config/json_file.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using nlohmann::json;

namespace {

/// A workload with a blob beside it, and a machine of its own.
class Inputs {
 public:
  Inputs() {
    json document = small_workload();
    document["resources"].push_back(
        {{"type", "buffer"}, {"name", "b"}, {"heap", "upload"}, {"bytes", 4}, {"content", {{"blob", "b.bin"}}}});
    shell.write("w.json", document.dump());
    shell.write("b.bin", "abcd");
    shell.write("m.json", contents_of(source_directory() / "configs/machines/tiny.json"));
  }
  /// The command is refused, and all that it read is as it was.
  void keeps(const std::vector<std::string>& arguments) const {
    const std::string machine = contents_of(shell.work() / "m.json");
    const Output output = shell.fenceline(arguments);
    CAPTURE(arguments, output.err);
    CHECK(output.code != 0);
    CHECK_THAT(output.err, Contains("is not written: it is the input"));
    CHECK(contents_of(shell.work() / "b.bin") == "abcd");
    CHECK(contents_of(shell.work() / "m.json") == machine);
  }
  Shell shell;
};

}  // namespace

TEST_CASE("inputs: a capture or part never takes the place of a blob or machine that was read", "[cli]") {
  const Inputs inputs;
  inputs.keeps({"pack", "w.json", "-o", "b.bin"});
  inputs.keeps({"pack", "w.json", "--machine", "m.json", "-o", "m.json"});
  inputs.keeps({"trim", "w.json", "-o", "b.bin", "--to", "submit:1"});
  inputs.keeps({"run", "w.json", "--capture", "b.bin", "--out", "run"});
  inputs.keeps({"run", "w.json", "--machine", "m.json", "--capture", "m.json", "--out", "run"});
}

TEST_CASE("inputs: two outputs of a command are two files", "[cli]") {
  const Inputs inputs;
  REQUIRE(inputs.shell.fenceline({"pack", "w.json", "-o", "c.capture"}).code == 0);
  const Output one = inputs.shell.fenceline({"unpack", "c.capture", "-o", "x.json", "--machine-out", "./x.json"});
  CHECK(one.code == 2);
  CHECK(one.err == "--machine-out: /: expected another file than the workload's, found ./x.json\n");
  REQUIRE(inputs.shell.fenceline({"run", "w.json", "--out", "run"}).code == 0);
  const Output inside = inputs.shell.fenceline({"run", "w.json", "--out", "run", "--capture", "run/report.json"});
  CHECK(inside.code == 2);
  CHECK(inside.err == "--capture: /: expected a file outside the run's directory run, found run/report.json\n");
}

TEST_CASE("fenceline run: a full disk at the start ends it in a line, whatever was to come", "[cli]") {
  const Shell shell;
  for (const char* workload : {"background_compute", "flip_storm", "hang_and_recover", "two_linked_adapters"}) {
    const Output output =
        shell.fenceline({"run", shipped_workload(workload).string(), "--out", "run", "--capture", "/dev/full"});
    CAPTURE(workload);
    CHECK(output.code == 1);
    CHECK(output.err == "fenceline: /dev/full: cannot write: No space left on device\n");
  }
}

TEST_CASE("fenceline run --until: frames that wait for the screen are not complete, and the run is played again",
          "[cli]") {
  const Shell shell;
  const std::string storm = shipped_workload("flip_storm").string();
  // All lists have run long before the last frame leaves the screen.
  const json whole = [&] {
    REQUIRE(shell.fenceline({"run", storm, "--out", "whole"}).code == 0);
    return load_json(shell.work() / "whole/report.json");
  }();
  const json workload = {
      {"name", "w"},
      {"machine", "tiny"},
      {"queues", {{{"name", "g"}, {"type", "direct"}, {"timeline", {{{"type", "present"}}, {{"type", "present"}}}}}}}};
  shell.write("w.json", workload.dump());
  const Output ended = shell.fenceline({"run", "w.json", "--until", "100us", "--out", "ended"});
  CHECK(ended.code == 0);
  CHECK_THAT(ended.out, Contains("(ended there, as asked for)"));
  const json report = load_json(shell.work() / "ended/report.json");
  CHECK(report.at("statistics").at("completed") == false);
  CHECK(report.at("statistics").at("end_ps") == 100'000'000);
  REQUIRE(shell.fenceline({"run", "ended", "--out", "again"}).code == 0);
  for (const char* file : {"report.json", "frames.csv", "log.txt", "trace.json"}) {
    CHECK(contents_of(shell.work() / "ended" / file) == contents_of(shell.work() / "again" / file));
  }
  CHECK(shell.fenceline({"run", "w.json", "--limit-us", "100", "--out", "limited"}).code == 1);
  CHECK(whole.at("statistics").at("completed") == true);
}

TEST_CASE("fenceline sweep: of a run it plays what that was, its end too", "[cli]") {
  const Shell shell;
  REQUIRE(shell.fenceline({"run", shipped_workload("flip_storm").string(), "--until", "5ms", "--out", "ended"}).code ==
          0);
  const Output swept = shell.fenceline({"sweep", "ended", "--metric", "makespan_us", "--out", "swept", "--jobs", "1"});
  CHECK_THAT(swept.out, Contains("5000.000"));
}

TEST_CASE("deadlines: of a run that a limit ends only what was due is counted", "[cli]") {
  const Shell shell;
  const std::string game = shipped_workload("game_and_compositor").string();
  REQUIRE(shell.fenceline({"run", game, "--until", "21ms", "--out", "ended"}).code == 0);
  const json report = load_json(shell.work() / "ended/report.json");
  // Vertical blanks are every 6944.444 us from 6944.444 us on: three of them.
  for (const json& one : report.at("statistics").at("deadlines")) {
    if (one.at("deadline") == "vsync") CHECK(one.at("count") == 3);
  }
  for (const json& time : report.at("statistics").at("deadline_times")) {
    CHECK(time.at("due_ps") <= 21'000'000'000);
  }
}
