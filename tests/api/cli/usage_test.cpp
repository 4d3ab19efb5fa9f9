// SPDX-License-Identifier: Apache-2.0
// What the command says to who has mistyped, or given it a file of another kind.
#include "sim/config/json_file.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using Catch::StartsWith;
using nlohmann::json;

namespace {

/// What it says, with exit code 2 and nothing else.
std::string refused(const Shell& shell, const std::vector<std::string>& arguments) {
  const Output output = shell.fenceline(arguments);
  CHECK(output.code == 2);
  CHECK(output.out.empty());
  return output.err;
}

/// A file of each kind that the command knows.
void write_kinds(const Shell& shell) {
  shell.write("workload.json", small_workload_text);
  shell.write("machine.json", R"({"name": "mine", "engines": [{"type": "copy"}]})");
  shell.write("sweep.json", R"({"name": "s", "workloads": ["workload.json"], "axes": []})");
  shell.write("measured.json", R"({"copies_us": []})");
  REQUIRE(shell.fenceline({"pack", "workload.json", "-o", "x.capture"}).code == 0);
  REQUIRE(shell.fenceline({"run", "workload.json", "--out", "run"}).code == 0);
}

}  // namespace

TEST_CASE("fenceline: a misspelt verb is met with the one that is meant", "[cli]") {
  const Shell shell;
  CHECK_THAT(refused(shell, {"rnu", "a.json"}), StartsWith("fenceline: expected one of run, sweep, check, ") &&
                                                    Contains("found \"rnu\" (did you mean \"run\"?)\n"));
  CHECK_THAT(refused(shell, {"val"}), Contains("(did you mean \"validate\"?)"));  // the one that begins so
  CHECK_THAT(refused(shell, {"cache", "lst"}),
             StartsWith("cache: expected one of list, stat, verify, clear, found \"lst\" (did you mean \"list\"?)\n"));
  CHECK_THAT(refused(shell, {"import", "Kineto"}), Contains("did you mean \"kineto\"?"));
  const std::string none = refused(shell, {"a\nb"});
  CHECK_THAT(none, Contains("found \"a\\nb\"\n") && !Contains("did you mean"));
  CHECK(lines_of(none) == 1);
  CHECK_THAT(refused(shell, {}), Contains("subcommand is required"));
}

TEST_CASE("fenceline: a misspelt option is met with the one that is meant", "[cli]") {
  const Shell shell;
  CHECK(refused(shell, {"run", "a.json", "--machin", "h200"}) ==
        "fenceline run: expected an option that it has, found \"--machin\" (did you mean --machine?)\n");
  CHECK(refused(shell, {"run", "a.json", "--fast=frame:1"}) ==
        "fenceline run: expected an option that it has, found \"--fast\" (did you mean --fast-forward?)\n");
  CHECK(refused(shell, {"cache", "list", "--jsno"}) ==
        "fenceline cache list: expected an option that it has, found \"--jsno\" (did you mean --json?)\n");
  CHECK_THAT(refused(shell, {"run", "a.json", "--zzzzzzzz"}), !Contains("did you mean"));
}

TEST_CASE("fenceline: what is wrong on the command line is a line each, in the order in which it was typed", "[cli]") {
  const Shell shell;
  CHECK(refused(shell, {"sweep", "a.json", "--joobs", "--machin", "tiny"}) ==
        "fenceline sweep: expected an option that it has, found \"--joobs\" (did you mean --jobs?)\n"
        "fenceline sweep: expected an option that it has, found \"--machin\" (did you mean --machine?)\n");
  CHECK(refused(shell, {"run", "a.json", "b.json", "c.json"}) ==
        "fenceline run: expected no further argument, found \"b.json\"\n"
        "fenceline run: expected no further argument, found \"c.json\"\n");
  CHECK(lines_of(refused(shell, {"run"})) == 1);
  CHECK(lines_of(refused(shell, {"run", "a.json", "--seed", "x"})) == 1);
  // --set is no slip of the fingers for it.
  CHECK(refused(shell, {"run", "a.json", "--qiet"}) ==
        "fenceline run: expected an option that it has, found \"--qiet\"\n");
}

TEST_CASE("fenceline --outputs: blanks do not matter, and nothing is no name", "[cli]") {
  const Shell shell;
  shell.write("w.json", small_workload_text);
  CHECK_THAT(refused(shell, {"run", "w.json", "--outputs", ""}),
             StartsWith("--outputs: expected one or several of report, trace, ") && Contains("found \"\"\n"));
  CHECK_THAT(refused(shell, {"run", "w.json", "--outputs", "report,"}), Contains("found \"\"\n"));
  CHECK(shell.fenceline({"run", "w.json", "--out", "some", "--outputs", "report, packets"}).code == 0);
  CHECK(files_in(shell.work() / "some").count("packets.csv") == 1);
  CHECK(files_in(shell.work() / "some").count("frames.csv") == 0);
}

TEST_CASE("fenceline: a file of another kind is told by what it is", "[cli]") {
  const Shell shell;
  write_kinds(shell);
  const std::string played = "a workload, a capture, report.json of a run or the directory of a run";
  const std::string machine = "a machine: give it with --machine";
  const std::string sweep = "a sweep: fenceline sweep plays it";
  const std::string measured = "a measured file: fenceline validate plays it";
  struct Case {
    std::vector<std::string> arguments;
    std::string file;
    std::string expected;
    std::string found;
  };
  const std::vector<Case> cases = {
      {{"run", "machine.json"}, "machine.json", played, machine},
      {{"run", "sweep.json"}, "sweep.json", played, sweep},
      {{"run", "measured.json"}, "measured.json", played, measured},
      {{"run", "machine.json", "--repeat", "2"}, "machine.json", played, machine},
      {{"run", "workload.json", "--machine", "sweep.json"}, "sweep.json", "a machine", sweep},
      {{"run", "workload.json", "--machine", "workload.json"},
       "workload.json",
       "a machine",
       "a workload: fenceline run plays it"},
      {{"run", "workload.json", "--machine", "x.capture"},
       "x.capture",
       "a machine",
       "a capture: fenceline run plays it"},
      {{"check", "workload.json", "--machine", "measured.json"}, "measured.json", "a machine", measured},
      {{"validate", "workload.json"}, "workload.json", "a measured file", "a workload: fenceline run plays it"},
      {{"validate", "machine.json"}, "machine.json", "a measured file", machine},
      {{"validate", "run/report.json"},
       "run/report.json",
       "a measured file",
       "report.json of a run: fenceline run plays it again"},
      {{"sweep", "machine.json"},
       "machine.json",
       played.substr(0, played.rfind(" or ")) + ", the directory of a run or "
                                                "a sweep",
       machine},
      {{"pack", "machine.json", "-o", "y.capture"}, "machine.json", played, machine},
      {{"trim", "sweep.json", "-o", "y.json"}, "sweep.json", played, sweep},
      {{"info", "machine.json"}, "machine.json", played, machine},
      {{"unpack", "workload.json", "-o", "y.json"}, "workload.json", "a capture", "a workload: fenceline run plays it"},
  };
  for (const Case& one : cases) {
    INFO(fmt::format("{} {}", one.arguments[0], one.arguments[1]));
    CHECK(refused(shell, one.arguments) ==
          fmt::format("{}: /: expected {}, found {}\n", one.file, one.expected, one.found));
  }
}

TEST_CASE("fenceline: a file of the right kind with a mistake is told by its mistake", "[cli]") {
  const Shell shell;
  json workload = small_workload();
  workload["fences"][0]["nmae"] = "x";
  shell.write("w.json", workload.dump());
  CHECK_THAT(refused(shell, {"run", "w.json"}), StartsWith("w.json: /fences/0/nmae: expected one of name"));
  CHECK_THAT(refused(shell, {"run", "missing.json"}), StartsWith("missing.json: /: expected a "));
  shell.write("m.json", R"({"name": "m", "engines": [{"type": "cpy"}]})");
  CHECK_THAT(refused(shell, {"run", "w.json", "--machine", "m.json"}), Contains("/fences/0/nmae"));
  CHECK_THAT(refused(shell, {"check", "m.json"}), Contains("found \"cpy\" (did you mean \"copy\"?)"));
}

TEST_CASE("fenceline check and run: all that is wrong in a file is told, a line each", "[cli]") {
  const Shell shell;
  json workload = small_workload();
  workload["fences"][0]["nmae"] = "x";
  workload["command_lists"][1]["type"] = "computer";
  workload["queues"][0]["timeline"][0]["lists"] = 3;
  shell.write("w.json", workload.dump());
  for (const char* verb : {"check", "run"}) {
    const std::string told = refused(shell, {verb, "w.json"});
    CHECK(lines_of(told) == 3);
    CHECK_THAT(told, Contains("w.json: /fences/0/nmae: ") && Contains("w.json: /command_lists/1/type: ") &&
                         Contains("w.json: /queues/0/timeline/0/lists: expected an array, found 3\n"));
  }
  CHECK_FALSE(std::filesystem::exists(shell.work() / "runs"));
}

TEST_CASE("fenceline check: names of nothing are told of all lists and timelines", "[cli]") {
  const Shell shell;
  json workload = small_workload();
  auto& lists = workload["command_lists"];
  lists[0]["commands"][0]["source"] = "uplaod";
  lists[0]["commands"][1]["destination"] = "txture";
  lists[1]["commands"][0]["pipeline"] = "sc";
  workload["queues"][0]["timeline"][0]["lists"] = {"copees"};
  workload["queues"][0]["timeline"][1]["fence"] = "z";
  workload["queues"][0]["timeline"].push_back(
      {{"type", "repeat"}, {"count", 2}, {"steps", json::array({{{"type", "execute"}, {"lists", {"grd"}}}})}});
  shell.write("w.json", workload.dump());
  const std::string told = refused(shell, {"check", "w.json"});
  INFO(told);
  CHECK(lines_of(told) == 6);
  for (const char* place : {"/command_lists/0/commands/0/source: ", "/command_lists/0/commands/1/destination: ",
                            "/command_lists/1/commands/0/pipeline: ", "/queues/0/timeline/0/lists/0: ",
                            "/queues/0/timeline/1/fence: ", "/queues/0/timeline/2/steps/0/lists/0: "}) {
    CHECK_THAT(told, Contains(std::string("w.json: ") + place));
  }
  CHECK_THAT(told, Contains("did you mean \"upload\"?") && Contains("did you mean \"copies\"?"));
}

TEST_CASE("fenceline check: twenty mistakes are shown, and that there are more", "[cli]") {
  const Shell shell;
  json machine = {{"name", "m"}, {"engines", json::array()}};
  for (int i = 0; i < 30; ++i) machine["engines"].push_back({{"type", "copy"}, {"clock", i}});
  shell.write("m.json", machine.dump());
  const std::string told = refused(shell, {"check", "m.json"});
  CHECK(lines_of(told) == 21);
  CHECK_THAT(told, Contains("m.json: /engines/19/clock: ") && !Contains("/engines/20/") &&
                       Contains("m.json: more is wrong than these 20 places\n"));
}

TEST_CASE("fenceline check: mistakes of a machine that is like another are told where the file has them", "[cli]") {
  const Shell shell;
  shell.write("m.json", R"({"like": "h200", "engines": {"3d0": {"clock_mhz": -1}, "copy1": {"clok_mhz": 3}},
                            "memory": {"x": 1}})");
  const std::string told = refused(shell, {"check", "m.json"});
  CHECK(lines_of(told) == 3);
  CHECK_THAT(told, Contains("m.json: /engines/3d0/clock_mhz: ") && Contains("m.json: /engines/copy1/clok_mhz: ") &&
                       Contains("m.json: /memory/x: "));
}

TEST_CASE("fenceline check: all mistakes of a sweep are told", "[cli]") {
  const Shell shell;
  shell.write("s.json",
              R"({"name": "s", "workloads": ["w.json"], "axes": [{"pointr": "/a"}, {"pointer": 3}], "jbs": 1})");
  const std::string told = refused(shell, {"check", "s.json"});
  CHECK(lines_of(told) == 3);
  CHECK_THAT(told, Contains("s.json: /axes/0/pointr: ") && Contains("s.json: /axes/1/pointer: ") &&
                       Contains("s.json: /jbs: "));
}

TEST_CASE("fenceline explain --at: a time with its unit, or microseconds", "[cli]") {
  const Shell shell;
  shell.write("w.json", small_workload_text);
  REQUIRE(shell.fenceline({"run", "w.json", "--out", "r"}).code == 0);
  const auto explained = [&](const char* at) {
    return shell.fenceline({"explain", "r", "--packet", "1", "--at", at}).out;
  };
  CHECK_THAT(explained("2"), StartsWith("at 2.000 us\n"));
  CHECK(explained("2us") == explained("2"));
  CHECK(explained("0.002ms") == explained("2"));
  CHECK(explained("2000ns") == explained("2"));
  CHECK_THAT(refused(shell, {"explain", "r", "--packet", "1", "--at", "2parsecs"}), StartsWith("--at: expected "));
}

TEST_CASE("fenceline: a name of which no letter is right is not meant", "[cli]") {
  const Shell shell;
  shell.write("w.json", small_workload_text);
  const std::string told = refused(shell, {"run", "w.json", "--set", "/workload/fences/x/initial_value=1"});
  CHECK_THAT(told, Contains("found \"x\"") && !Contains("did you mean"));
}

TEST_CASE("fenceline run --help: the files of a run are those that --outputs knows", "[cli]") {
  const std::string help = Shell().fenceline({"run", "--help"}).out;
  for (const char* file : {"report.json", "trace.json", "packets.csv", "waves.vcd", "timeline.html", "accesses.csv"}) {
    CHECK_THAT(help, Contains(std::string("\n  ") + file + " "));
  }
  CHECK_THAT(help, Contains("\n  waves.vcd        with --vcd: "));
}
