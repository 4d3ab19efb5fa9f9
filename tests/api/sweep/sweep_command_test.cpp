// SPDX-License-Identifier: Apache-2.0
#include "sim/config/json_file.hpp"
#include "tests/support/child_process.hpp"
#include "tests/support/csv_reader.hpp"
#include "tests/support/places.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sqlite3.h>
#include <string>
#include <thread>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

const std::string frame = shipped_workload("multi_engine").string();

/// All that a query gives, a row a line.
std::string asked(const fs::path& file, const std::string& query) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &database) == SQLITE_OK);
  std::string text;
  const auto row = [](void* to, int count, char** values, char**) {
    for (int i = 0; i < count; ++i)
      *static_cast<std::string*>(to) += std::string(i > 0 ? "|" : "") + (values[i] ? values[i] : "");
    *static_cast<std::string*>(to) += "\n";
    return 0;
  };
  CHECK(sqlite3_exec(database, query.c_str(), row, &text, nullptr) == SQLITE_OK);
  sqlite3_close(database);
  return text;
}

std::string csv_of(const Shell& shell, const std::string& directory) {
  return contents_of(shell.work() / directory / "results.csv");
}

std::vector<std::string> clocks(const std::string& out, std::vector<std::string> more) {
  std::vector<std::string> arguments = {"sweep",    frame,
                                        "--vary",   "/engines/3d/clock_mhz=500..2000+500",
                                        "--vary",   "/shader_array/graphics_sms=4,8",
                                        "--metric", "makespan_us",
                                        "--metric", "packets",
                                        "--out",    out};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

/// The processes whose parent that is.
std::vector<pid_t> children_of(pid_t parent) {
  std::ifstream list(fmt::format("/proc/{0}/task/{0}/children", parent));
  std::vector<pid_t> children;
  for (pid_t child = 0; list >> child;) children.push_back(child);
  return children;
}

}  // namespace

TEST_CASE("fenceline sweep: a row for each run, the same for any number of workers", "[cli][sweep]") {
  const Shell shell;
  const Output one = shell.fenceline(clocks("one", {"--jobs", "1"}));
  CHECK(one.code == 0);
  CHECK(one.err.empty());
  const Output four = shell.fenceline(clocks("four", {"--jobs", "4"}));
  CHECK(four.code == 0);
  CHECK(csv_of(shell, "one") == csv_of(shell, "four"));
  const std::string csv = csv_of(shell, "one");
  CHECK(lines_of(csv) == 9);
  CHECK(csv.substr(0, csv.find('\n')) ==
        "run,workload,machine,clock_mhz,graphics_sms,status,error,makespan_us,packets");
  CHECK_THAT(csv, Contains("\n3," + frame + ",,1000,8,done,,"));
  // What a run of its own says.
  const Output alone = shell.fenceline(
      {"run", frame, "--set", "/engines/3d/clock_mhz=1000", "--set", "/shader_array/graphics_sms=8", "--json"});
  const double end_us = parse_json(alone.out, "report.json")["statistics"]["end_ps"].get<double>() / 1e6;
  CHECK_THAT(csv, Contains(fmt::format("\n3,{},,1000,8,done,,{},", frame, end_us)));
  const std::string rows = "SELECT * FROM runs ORDER BY run";
  CHECK(asked(shell.work() / "one/results.sqlite", rows) == asked(shell.work() / "four/results.sqlite", rows));
  CHECK(asked(shell.work() / "one/results.sqlite",
              "SELECT count(*), min(makespan_us) > 0, typeof(clock_mhz), typeof(packets) FROM runs WHERE clock_mhz >= "
              "1000") == "6|1|integer|integer\n");
  CHECK_THAT(one.out, Contains("clock_mhz  graphics_sms"));
  CHECK_FALSE(fs::exists(shell.work() / "one/runs"));
  // A sweep that is over is replaced; what is no sweep's is not.
  CHECK(shell.fenceline(clocks("one", {"--quiet"})).out.empty());
  write_file(shell.work() / "one/notes.txt", "mine");
  const Output refused = shell.fenceline(clocks("one", {}));
  CHECK(refused.code == 1);
  CHECK_THAT(refused.err, Contains("notes.txt"));
}

TEST_CASE("fenceline sweep --repeat: each combination with several seeds, and what they came to", "[cli][sweep]") {
  const Shell shell;
  const std::string jittery = shipped_workload("high_priority_compute").string();
  const std::vector<std::string> arguments = {"sweep",     jittery,
                                              "--machine", "h200",
                                              "--vary",    "/engines/compute/clock_mhz=1000,1500",
                                              "--metric",  "makespan_us",
                                              "--repeat",  "5",
                                              "--seed",    "7",
                                              "--out",     "s"};
  const Output output = shell.fenceline(arguments);
  CHECK(output.code == 0);
  CHECK_THAT(output.out, Contains("clock_mhz  runs          p50"));
  CHECK_THAT(output.out, Contains(": results.sqlite results.csv repetitions.csv sweep.html\n"));
  const fs::path results = shell.work() / "s/results.sqlite";
  CHECK(asked(results, "SELECT count(*), min(seed), max(seed), count(DISTINCT makespan_us) > 5 FROM runs") ==
        "10|7|11|1\n");
  // A row is what the run of that seed is by itself.
  const Output alone = shell.fenceline(
      {"run", jittery, "--machine", "h200", "--set", "/engines/compute/clock_mhz=1500", "--seed", "9", "--json"});
  const double end_us = parse_json(alone.out, "report.json")["statistics"]["end_ps"].get<double>() / 1e6;
  CHECK(asked(results, "SELECT makespan_us FROM runs WHERE clock_mhz = 1500 AND seed = 9") ==
        fmt::format("{}\n", end_us));
  // Of five the third is the median, the fifth that which 90 % do not exceed.
  const std::string ranked = "SELECT makespan_us FROM runs WHERE clock_mhz = 1000 ORDER BY makespan_us LIMIT 1 OFFSET ";
  const auto ranked_one = [&](int at) {
    std::string text = asked(results, ranked + std::to_string(at));
    text.pop_back();
    return text;
  };
  CHECK_THAT(contents_of(shell.work() / "s/repetitions.csv"),
             Contains(fmt::format(",h200,1000,5,0,{},{},{},{}\n", ranked_one(0), ranked_one(2), ranked_one(4),
                                  ranked_one(4))));
  // The page and the next sweep in its place are as without repetitions.
  CHECK(fs::exists(shell.work() / "s/sweep.html"));
  CHECK(shell.fenceline(arguments).code == 0);
  CHECK(shell.fenceline({"sweep", jittery, "--seed", "3"}).err == "--seed: /: expected --repeat beside it, found 3\n");
  CHECK(shell.fenceline({"sweep", jittery, "--repeat", "3", "--optimise", "makespan_us"}).err ==
        "--optimise: /: expected a sweep without repetitions, found 3 of each\n");
}

TEST_CASE("fenceline sweep: a run that fails is a row, and the others are played", "[cli][sweep]") {
  const Shell shell;
  const Output output = shell.fenceline(
      {"sweep", frame, "--vary", "/engines/3d/clock_mhz=1000,fast,-1", "--metric", "makespan_us", "--out", "s"});
  CHECK(output.code == 1);
  CHECK(output.err == "2 of 3 runs failed: their rows say why\n");
  const std::string csv = csv_of(shell, "s");
  CHECK_THAT(csv, Contains(",fast,wrong_input,\"--set: /engines/0/clock_mhz: expected a number from 0.001 to 1000000, "
                           "found \"\"fast\"\"\",\n"));
  CHECK_THAT(csv, Contains(",1000,done,,"));
  const Output misspelt = shell.fenceline({"sweep", frame, "--vary", "/engines/3d/clock_mhs=1,2", "--out", "t"});
  CHECK(misspelt.code == 2);
  CHECK_THAT(misspelt.err, Contains("did you mean \"clock_mhz\"?"));
  CHECK_FALSE(fs::exists(shell.work() / "t"));
  CHECK(shell.fenceline({"sweep", "-"}).err == "standard input: /: expected a file: each run reads it, found -\n");
  CHECK(shell.fenceline({"sweep"}).code == 2);
}

TEST_CASE("fenceline sweep: a file says the same as the command line; runs leave what is asked for", "[cli][sweep]") {
  const Shell shell;
  fs::create_directories(shell.work() / "sub");
  shell.write("sub/small.json", contents_of(frame));
  shell.write("sub/s.json", R"({"name": "s", "workloads": ["small.json"], "machines": ["h200", "rtx_4090"],
    "axes": [{"pointer": "/engines/3d/clock_mhz", "numbers": [1000, 2000]},
             {"pointer": "/engines/compute/clock_mhz", "name": "compute", "numbers": [500, 600], "zip": true}],
    "metrics": ["makespan_us"], "outputs": ["report,packets"]})");
  const Output file = shell.fenceline({"sweep", "sub/s.json"});
  CHECK(file.code == 0);
  CHECK(file.err.empty());
  const Output line =
      shell.fenceline({"sweep", "sub/small.json", "--machine", "h200", "--machine", "rtx_4090", "--vary",
                       "/engines/3d/clock_mhz=1000,2000", "--vary", "+compute:/engines/compute/clock_mhz=500,600",
                       "--metric", "makespan_us", "--out", "l"});
  CHECK(line.code == 0);
  CHECK(csv_of(shell, "runs/s") == csv_of(shell, "l"));
  for (const char* run : {"000000", "000001", "000002", "000003"}) {
    const fs::path directory = shell.work() / "runs/s/runs" / run;
    CHECK(fs::exists(directory / "report.json"));
    CHECK(fs::exists(directory / "packets.csv"));
    CHECK_FALSE(fs::exists(directory / "trace.json"));
  }
  CHECK(shell.fenceline({"sweep", "sub/s.json"}).code == 0);  // replaces the directories of runs, too
}

TEST_CASE("fenceline sweep: a metric of a queue that is not there is refused before anything is played",
          "[cli][sweep]") {
  const Shell shell;
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> command = {"sweep", frame, "--metric", "queue_p99_us:rendr", "--quiet", "--out", "s"};
    command.insert(command.end(), more.begin(), more.end());
    return shell.fenceline(command);
  };
  const Output refused = with({"--vary", "/engines/3d/clock_mhz=1000,1100"});
  CHECK(refused.code == 2);
  CHECK_THAT(refused.err,
             Contains("one of the queues compute, copy, paging, render, found \"rendr\" (did you mean \"render\"?)"));
  CHECK_FALSE(fs::exists(shell.work() / "s"));
  // A queue that a run may be given is not known beforehand.
  const Output renamed = with({"--vary", "/workload/queues/render/name=rendr,other"});
  CHECK(fs::exists(shell.work() / "s/results.csv"));
  CHECK(renamed.err.find("one of the queues") == std::string::npos);
}

TEST_CASE("fenceline sweep: a metric of an engine goes by its type where that is one engine's, as --set does",
          "[cli][sweep]") {
  const Shell shell;
  const std::vector<std::string> some = {"sweep", frame, "--quiet", "--vary", "/engines/3d/clock_mhz=1000,1100"};
  std::vector<std::string> by_type = some;
  by_type.insert(by_type.end(), {"--out", "s", "--metric", "a=busy_percent:3d", "--metric", "b=busy_percent:3d0",
                                 "--metric", "c=/statistics/engines/3d/busy_ps"});
  CHECK(shell.fenceline(by_type).err.empty());
  const fs::path results = shell.work() / "s/results.sqlite";
  CHECK(asked(results, "SELECT count(*) FROM runs WHERE a > 0 AND a = b AND c > 0") == "2\n");
  // Of several that are meant none is.
  std::vector<std::string> several = some;
  several.insert(several.end(), {"--out", "t", "--metric", "busy_percent:copy"});
  const Output refused = shell.fenceline(several);
  CHECK(refused.code == 2);
  CHECK_THAT(refused.err, Contains("one of the engines ") && Contains("found \"copy\""));
}

TEST_CASE("fenceline sweep: --optimise finds what the whole sweep shows to be best, with fewer runs", "[cli][sweep]") {
  const Shell shell;
  const std::vector<std::string> what = {"sweep",
                                         frame,
                                         "--vary",
                                         "/engines/3d/clock_mhz=500..1500+100",
                                         "--vary",
                                         "/shader_array/graphics_sms=1..12",
                                         "--metric",
                                         "makespan_us",
                                         "--quiet",
                                         "--metric",
                                         "sms=/machine/shader_array/graphics_sms",
                                         "--out"};
  std::vector<std::string> whole = what;
  whole.push_back("whole");
  CHECK(shell.fenceline(whole).code == 0);
  const std::string best = asked(shell.work() / "whole/results.sqlite",
                                 "SELECT makespan_us FROM runs WHERE sms <= 8 ORDER BY makespan_us LIMIT 1");
  std::vector<std::string> searched = what;
  searched.insert(searched.end(), {"found", "--optimise", "makespan_us", "--within", "sms<=8"});
  searched.erase(std::find(searched.begin(), searched.end(), "--quiet"));
  const Output output = shell.fenceline(searched);
  CHECK(output.code == 0);
  CHECK_THAT(output.out, Contains("best         " + frame + ": run "));
  CHECK_THAT(output.out, Contains("graphics_sms=8: least makespan_us "));
  CHECK_THAT(output.out, Contains(" of 132 runs tried\n"));
  const fs::path results = shell.work() / "found/results.sqlite";
  CHECK(asked(results, "SELECT makespan_us FROM runs WHERE sms <= 8 ORDER BY makespan_us LIMIT 1") == best);
  CHECK(std::stoi(asked(results, "SELECT count(*) FROM runs")) < 60);
  const Output none = shell.fenceline({"sweep", frame, "--within", "packets<=1"});
  CHECK(none.err == "--within: /: expected --optimise beside it, found \"packets<=1\"\n");
  const Output unknown = shell.fenceline({"sweep", frame, "--optimise", "makespam_us"});
  CHECK(unknown.code == 2);
  CHECK_THAT(unknown.err, Contains("did you mean \"makespan_us\"?"));
}

TEST_CASE("fenceline sweep: a sweep's name leads to no other place", "[cli][sweep]") {
  const Shell shell;
  for (const char* name : {"", ".", "../other", "/tmp/other"}) {
    shell.write("s.json", nlohmann::json{{"name", name}, {"workloads", {frame}}}.dump());
    const Output output = shell.fenceline({"sweep", "s.json"});
    CHECK(output.code == 2);
    CHECK_THAT(output.err, Contains("s.json: /name: expected a name that can be a directory's, or --out, found"));
  }
}

TEST_CASE("fenceline sweep: one that was killed goes on, and does nothing twice", "[cli][sweep]") {
  const Shell shell;
  const std::string heavy = shipped_workload("pipelined_compute_graphics").string();
  const std::vector<std::string> arguments = {
      "sweep", heavy,    "--vary", "/engines/3d/clock_mhz=1000..1039", "--metric", "makespan_us", "--out",
      "s",     "--jobs", "2"};
  std::string command = "exec " + Shell::quoted(fenceline_binary());
  for (const std::string& argument : arguments) command += " " + Shell::quoted(argument);
  const fs::path results = shell.work() / "s/results.sqlite";
  const std::string count = "SELECT count(*) FROM runs";
  const auto started = [&] {
    return ChildProcess([&] {
      if (::chdir(shell.work().c_str()) != 0) return 1;
      return ::execl("/bin/sh", "sh", "-c", (command + " >/dev/null 2>&1").c_str(), nullptr);
    });
  };
  const auto wait_for_rows = [&](int rows) {
    for (int i = 0; i < 6000; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      if (!fs::exists(results)) continue;
      sqlite3* database = nullptr;
      int found = 0;
      if (sqlite3_open_v2(results.c_str(), &database, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK) {
        sqlite3_exec(
            database, count.c_str(),
            [](void* to, int, char** values, char**) {
              *static_cast<int*>(to) = std::stoi(values[0]);
              return 0;
            },
            &found, nullptr);
      }
      sqlite3_close(database);
      if (found >= rows) return true;
    }
    return false;
  };
  {
    ChildProcess sweep = started();
    REQUIRE(wait_for_rows(3));
    // A worker that is killed is replaced.
    const std::vector<pid_t> workers = children_of(sweep.id());
    REQUIRE_FALSE(workers.empty());
    ::kill(workers[0], SIGKILL);
    REQUIRE(wait_for_rows(8));
    sweep.kill();
    sweep.wait();
  }
  const Output again = shell.fenceline(arguments);
  CHECK(again.code == 1);
  CHECK_THAT(again.err, Contains("holds a sweep that is not over: go on with it with --resume"));
  const Output run =
      shell.fenceline({"run", shipped_workload("multi_engine").string(), "--out", results.parent_path()});
  CHECK(run.code == 1);
  CHECK_THAT(run.err, Contains("is not replaced by a run: it holds the results of a sweep"));
  // Rows of before are not touched: what is written there stays.
  asked(results, "UPDATE runs SET makespan_us = -1 WHERE run = 0");
  const std::string before = asked(results, "SELECT run FROM runs");
  std::vector<std::string> resumed = arguments;
  resumed.push_back("--resume");
  const Output rest = shell.fenceline(resumed);
  CHECK(rest.code == 0);
  CHECK_THAT(rest.err, Contains(fmt::format("{} of 40 runs are done already\n", lines_of(before))));
  CHECK(asked(results, "SELECT count(*), count(DISTINCT run), sum(status = 'done') FROM runs") == "40|40|40\n");
  CHECK(asked(results, "SELECT makespan_us FROM runs WHERE run = 0") == "-1\n");
  // Another sweep does not go on with it.
  resumed[3] = "/engines/3d/clock_mhz=1000..1038";
  const Output other = shell.fenceline(resumed);
  CHECK(other.code == 2);
  CHECK_THAT(other.err, Contains("expected results of this sweep"));
}

TEST_CASE("fenceline sweep: a run's directory stays, and a run leaves a sweep's", "[cli][sweep]") {
  const Shell shell;
  const std::string workload = shipped_workload("multi_engine").string();
  REQUIRE(shell.fenceline({"run", workload, "--out", "r"}).code == 0);
  const Output sweep =
      shell.fenceline({"sweep", workload, "--vary", "/engines/3d/clock_mhz=1000,2000", "--out", "r", "--quiet"});
  CHECK(sweep.code == 1);
  CHECK_THAT(sweep.err, Contains("r: is not replaced by a sweep: it holds a run; remove it or choose another"));
  CHECK(fs::exists(shell.work() / "r/packets.csv"));
  for (int times = 0; times < 2; ++times) {  // a sweep that is over is replaced by another
    REQUIRE(shell.fenceline({"sweep", workload, "--vary", "/engines/3d/clock_mhz=1000,2000", "--out", "s", "--quiet"})
                .code == 0);
  }
  const Output run = shell.fenceline({"run", workload, "--out", "s"});
  CHECK(run.code == 1);
  CHECK_THAT(run.err, Contains("s: is not replaced by a run: it holds the results of a sweep"));
  CHECK(fs::exists(shell.work() / "s/results.sqlite"));
}
