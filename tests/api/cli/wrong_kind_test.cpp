// SPDX-License-Identifier: Apache-2.0
// What the command says to who gives it another file of a run, or something else in place of a run, and of names and
// values on the command line that are not there.
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

const std::string played = "a workload, a capture, report.json of a run or the directory of a run";
const std::string runs = "report.json of a run or the directory of a run";

std::string refused(const Shell& shell, const std::vector<std::string>& arguments) {
  const Output output = shell.fenceline(arguments);
  CHECK(output.code == 2);
  CHECK(output.out.empty());
  return output.err;
}

/// Each is refused with a line: the second argument, what was expected, what was found.
struct Case {
  std::vector<std::string> arguments;
  std::string file;
  std::string expected;
  std::string found;
};
void check(const Shell& shell, const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    INFO(fmt::format("{}", fmt::join(one.arguments, " ")));
    CHECK(refused(shell, one.arguments) ==
          fmt::format("{}: /: expected {}, found {}\n", one.file, one.expected, one.found));
  }
}

json with_deadline() {
  json workload = small_workload();
  workload["deadlines"] = json::array({{{"name", "tick"}, {"fence", "b"}, {"value", 3}, {"us", 5}}});
  return workload;
}

}  // namespace

TEST_CASE("fenceline: another file of a run is told by what it is, and what to give in its place", "[cli]") {
  const Shell shell;
  shell.write("w.json", small_workload_text);
  REQUIRE(shell.fenceline({"run", "w.json", "--out", "run", "--vcd", "--html"}).code == 0);
  fs::copy_file(shell.work() / "run/trace.json", shell.work() / "moved.json");
  fs::copy_file(shell.work() / "run/waves.vcd", shell.work() / "moved.txt");
  const auto of_run = [](const std::string& name) {
    return name + " of a run: give the run's directory, or its report.json";
  };
  check(shell, {{{"run", "run/trace.json"}, "run/trace.json", played, of_run("trace.json")},
                {{"run", "run/packets.csv"}, "run/packets.csv", played, of_run("packets.csv")},
                {{"run", "run/waves.vcd"}, "run/waves.vcd", played, of_run("waves.vcd")},
                {{"run", "run/log.txt"}, "run/log.txt", played, of_run("log.txt")},
                {{"run", "run/timeline.html"}, "run/timeline.html", played, of_run("timeline.html")},
                {{"run", "moved.json"}, "moved.json", played, of_run("trace.json")},
                {{"run", "moved.txt"}, "moved.txt", played, of_run("waves.vcd")},
                {{"check", "run/trace.json"},
                 "run/trace.json",
                 "a workload, a capture, a machine, a sweep, a measured file, " + runs,
                 of_run("trace.json")},
                {{"explain", "run/trace.json", "--deadline", "tick"}, "run/trace.json", runs, of_run("trace.json")},
                {{"compare", "run", "run/frames.csv"}, "run/frames.csv", runs, of_run("frames.csv")},
                {{"validate", "run/trace.json"}, "run/trace.json", "a measured file", "trace.json of a run"}});
  // The right ones are taken as before.
  CHECK(shell.fenceline({"check", "run", "run/report.json"}).code == 0);
}

TEST_CASE("fenceline explain, compare and report: what is no run is told by what it is", "[cli]") {
  const Shell shell;
  shell.write("w.json", with_deadline().dump());
  REQUIRE(shell.fenceline({"run", "w.json", "--out", "run"}).code == 0);
  REQUIRE(shell.fenceline({"pack", "w.json", "-o", "w.capture"}).code == 0);
  REQUIRE(shell.fenceline({"run", "w.json", "--repeat", "2", "--out", "repeated"}).code == 0);
  REQUIRE(
      shell.fenceline({"sweep", "w.json", "--vary", "/engines/3d/clock_mhz=1000", "--quiet", "--out", "swept"}).code ==
      0);
  for (const char* name : {"fork/unchanged", "fork/changed"}) {
    fs::create_directories((shell.work() / name).parent_path());
    fs::copy(shell.work() / "run", shell.work() / name, fs::copy_options::recursive);
  }
  const std::string directory = "the directory of a run";
  const std::string workload = "a workload: play it first, with fenceline run";
  const std::string fork = "the directory of a fork: its runs are fork/unchanged and fork/changed";
  const std::string swept = "the directory of a sweep: fenceline sweep --outputs report leaves its runs in swept/runs";
  check(shell, {{{"explain", "w.json", "--deadline", "tick"}, "w.json", runs, workload},
                {{"explain", "w.capture", "--deadline", "tick"},
                 "w.capture",
                 runs,
                 "a capture: play it first, with fenceline run"},
                {{"explain", "fork", "--deadline", "tick"}, "fork", runs, fork},
                {{"explain", "fork", "--packet", "1"}, "fork", runs, fork},
                {{"explain", "swept", "--deadline", "tick"}, "swept", runs, swept},
                {{"compare", "w.json", "run"}, "w.json", runs, workload},
                {{"compare", "run", "w.json"}, "w.json", runs, workload},
                {{"compare", "run", "fork"}, "fork", runs, fork},
                {{"compare", "swept", "run"}, "swept", runs, swept},
                {{"report", "fork", "--html"}, "fork", directory, fork},
                {{"report", "w.json", "--resource", "buffer"}, "w.json", directory, workload},
                {{"report", "run/report.json", "--html"},
                 "run/report.json",
                 directory,
                 "report.json of a run: give its directory"},
                {{"run", "fork"}, "fork", played, fork}});
  CHECK(refused(shell, {"explain", "repeated", "--deadline", "tick"}) ==
        "repeated/report.json: /repeat: expected report.json of one run, found that of several (--repeat): fenceline "
        "run with --seed plays one of them\n");
  CHECK(shell.fenceline({"explain", "fork/changed", "--deadline", "tick"}).code == 0);
}

TEST_CASE("fenceline: a word that is not there is met with the one that is meant, or with those that are", "[cli]") {
  const Shell shell;
  shell.write("w.json", with_deadline().dump());
  REQUIRE(shell.fenceline({"run", "w.json", "--out", "run"}).code == 0);
  CHECK_THAT(refused(shell, {"run", "w.json", "--set", "/engines/3d/compute_preemption/granularity=thread_group"}),
             Contains("found \"thread_group\" (did you mean \"thread_group_boundary\"?)\n"));
  CHECK_THAT(refused(shell, {"run", "w.json", "--set", "/engines/3d/compute_preemption/granularity=thread"}),
             !Contains("did you mean"));  // thread_boundary and thread_group_boundary begin so
  CHECK(refused(shell, {"explain", "run", "--deadline", "tikc"}) ==
        "--deadline: /: expected a deadline of the run: \"tick\", found \"tikc\" (did you mean \"tick\"?)\n");
  CHECK_THAT(refused(shell, {"schema", "mashine"}),
             Contains("expected one of machine, workload, sweep, found \"mashine\" (did you mean \"machine\"?)"));
  CHECK_THAT(refused(shell, {"completion", "zsh"}), Contains("expected bash, the only one there is, found \"zsh\""));
  CHECK_THAT(refused(shell, {"sweep", "w.json", "--launcher", "slrum"}), Contains("(did you mean \"slurm\"?)"));
  CHECK_THAT(refused(shell, {"run", "w.json", "--until", "500"}), Contains("found \"500\" (did you mean 500us?)"));
  CHECK_THAT(refused(shell, {"run", "w.json", "--until", "x"}), !Contains("did you mean"));
}

TEST_CASE("fenceline run: all that is wrong with several --set is told, a line each", "[cli]") {
  const Shell shell;
  shell.write("w.json", small_workload_text);
  const std::string told = refused(shell, {"run", "w.json", "--set", "x", "--set", "/shader_array/sms=-1", "--set",
                                           "/foo=1", "--set", "/workload/fences/0/nmae=3"});
  INFO(told);
  CHECK(lines_of(told) == 4);
  CHECK_THAT(told, Contains("--set: /workload/fences/0/nmae: expected one of name") &&
                       Contains("--set: /: expected /pointer=value, found \"x\"\n") &&
                       Contains("--set: /shader_array/sms: expected an integer") &&
                       Contains("--set: /foo: expected one of ") && Contains("found unknown key \"foo\""));
  std::vector<std::string> many = {"run", "w.json"};
  for (int i = 0; i < 25; ++i) {
    many.emplace_back("--set");
    many.push_back(fmt::format("/foo{}=1", i));
  }
  const std::string most = refused(shell, many);
  CHECK(lines_of(most) == 21);
  CHECK_THAT(most, Contains("--set: more is wrong than these 20 places\n"));
  CHECK_FALSE(fs::exists(shell.work() / "runs"));
}
