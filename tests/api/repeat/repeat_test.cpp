// SPDX-License-Identifier: Apache-2.0
// fenceline run --repeat and --seed.
#include "api/repeat/repeat.hpp"

#include "api/repeat/played_run.hpp"
#include "api/repeat/worker_processes.hpp"
#include "sim/config/json_file.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;

namespace {

const std::vector<std::string> jittery = {"/submission_paths/default/launch_jitter_ns=300",
                                          "/submission_paths/default/fence_jitter_ns=300", "/default_path=\"default\""};

/// Two queues that one signal releases; both fill the machine, so whoever comes first goes first.
constexpr const char* race_text = R"({
  "name": "race",
  "compute_pipelines": [{"name": "short", "group_cycles": 10000}, {"name": "long", "group_cycles": 40000}],
  "fences": [{"name": "gate"}, {"name": "done"}],
  "command_lists": [
    {"name": "short", "type": "compute", "commands": [{"type": "dispatch", "pipeline": "short", "x": 8}]},
    {"name": "long", "type": "compute", "commands": [{"type": "dispatch", "pipeline": "long", "x": 8}]}
  ],
  "queues": [
    {"name": "a", "type": "compute", "timeline": [
      {"type": "wait", "fence": "gate", "value": 1}, {"type": "execute", "lists": ["short"]},
      {"type": "signal", "fence": "done", "value": 1}]},
    {"name": "b", "type": "compute", "timeline": [
      {"type": "wait", "fence": "gate", "value": 1}, {"type": "execute", "lists": ["long"]}]}
  ],
  "cpus": [{"name": "host", "timeline": [{"type": "fence_signal", "fence": "gate", "value": 1}]}],
  "deadlines": [{"name": "soon", "fence": "done", "value": 1, "us": 30}]
})";

std::vector<std::string> with(std::vector<std::string> arguments) {
  for (const std::string& set : jittery) arguments.insert(arguments.end(), {"--set", set});
  return arguments;
}

}  // namespace

TEST_CASE("repeat: the same seed gives the same bytes, for any number of jobs", "[api][cli]") {
  const Shell shell;
  shell.write("race.json", race_text);
  std::vector<std::string> reports;
  for (const char* jobs : {"1", "2", "3", "7"}) {
    const auto ran = shell.fenceline(with(
        {"run", "race.json", "--machine", "tiny", "--repeat", "40", "--seed", "9", "--jobs", jobs, "--out", "out"}));
    INFO(ran.err);
    REQUIRE(ran.code == 0);
    reports.push_back(contents_of(shell.work() / "out/report.json") + ran.out);
  }
  for (const std::string& report : reports) CHECK(report == reports.front());
  const auto other = shell.fenceline(
      with({"run", "race.json", "--machine", "tiny", "--repeat", "40", "--seed", "1000", "--out", "out"}));
  CHECK(contents_of(shell.work() / "out/report.json") + other.out != reports.front());
}

TEST_CASE("repeat: a race is named, with both outcomes, and a seed shows each of them", "[api][cli]") {
  const Shell shell;
  shell.write("race.json", race_text);
  const auto ran =
      shell.fenceline(with({"run", "race.json", "--machine", "tiny", "--repeat", "100", "--json", "--out", "out"}));
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  const nlohmann::json report = nlohmann::json::parse(ran.out);
  const auto& repeat = report.at("repeat");
  CHECK(repeat.at("seed") == 1);
  CHECK(report.at("machine").at("scheduler").at("seed") == 1);
  CHECK(repeat.at("completed") == 100);
  const auto& races = repeat.at("race_points");
  REQUIRE(races.size() == 1);
  CHECK(races[0].at("one") == nlohmann::json{{"queue", "a"}, {"number", 1}, {"list", "short"}});
  CHECK(races[0].at("other") == nlohmann::json{{"queue", "b"}, {"number", 1}, {"list", "long"}});
  const auto& first = races[0].at("one_first");
  const auto& second = races[0].at("other_first");
  CHECK(first.at("runs").get<int>() + second.at("runs").get<int>() == 100);
  CHECK(second.at("one_end_ps") > first.at("one_end_ps"));
  const auto& deadline = repeat.at("deadlines").at(0);
  CHECK(deadline.at("times") == 100);
  CHECK(deadline.at("missed") == second.at("runs"));
  CHECK(repeat.at("queue_latencies").size() == 2);
  CHECK(repeat.at("queue_latencies")[0].at("count") == 100);
  for (const auto& mode : repeat.at("makespan").at("modes")) {
    const auto again = shell.fenceline(with(
        {"run", "race.json", "--machine", "tiny", "--seed", std::to_string(mode.at("seed").get<int>()), "--json"}));
    REQUIRE(again.code == 0);
    const double end_ps = nlohmann::json::parse(again.out).at("statistics").at("end_ps").get<double>();
    CHECK(end_ps == Approx(mode.at("median_ps").get<double>()).epsilon(0.02));
  }
}

TEST_CASE("repeat: a run without a seed is what it was; jitter adds to it and never takes away", "[api]") {
  const Shell shell;
  shell.write("race.json", race_text);
  const auto loaded = load_workload(shell.work() / "race.json", "tiny", jittery);
  const auto plain = load_workload(shell.work() / "race.json", "tiny", {"/default_path=\"default\""});
  const std::uint64_t without = play_once(plain, 5).makespan_ps;
  CHECK(play_once(plain, 6).makespan_ps == without);
  CHECK(play_once(loaded, 5).makespan_ps >= without);
  CHECK(play_once(loaded, 5).makespan_ps == play_once(loaded, 5).makespan_ps);
  CHECK(play_once(loaded, 5).makespan_ps != play_once(loaded, 6).makespan_ps);
  const auto off = shell.fenceline({"run", "race.json", "--machine", "tiny", "--json"});
  REQUIRE(off.code == 0);
  CHECK(nlohmann::json::parse(off.out).at("machine").at("scheduler").at("jitter") == false);
}

TEST_CASE("repeat: what does not go with it is refused", "[api][cli]") {
  const Shell shell;
  shell.write("race.json", race_text);
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{"--repeat", "0"},
                                             {"--repeat", "3", "--loop", "2"},
                                             {"--repeat", "3", "--trace"},
                                             {"--jobs", "2"},
                                             {"--repeat", "3", "--jobs", "0"},
                                             {"--seed", "-1"},
                                             {"--repeat", "3", "--set", "/shader_cache/directory=x"}}) {
    std::vector<std::string> arguments = {"run", "race.json", "--machine", "tiny"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    CHECK(shell.fenceline(arguments).code == 2);
  }
}

TEST_CASE("repeat: its directory is a run's, which later runs replace, and nothing else does", "[api][cli]") {
  const Shell shell;
  shell.write("race.json", race_text);
  const std::vector<std::string> once = {"run", "race.json", "--machine", "tiny", "--out", "out"};
  std::vector<std::string> many = once;
  many.insert(many.end(), {"--repeat", "3", "--jobs", "2"});
  CHECK(shell.fenceline(many).code == 0);
  CHECK(shell.fenceline(once).code == 0);
  CHECK(shell.fenceline(many).code == 0);
  CHECK_FALSE(std::filesystem::exists(shell.work() / "out/packets.csv"));
  shell.write("other/mine.txt", "mine");
  many[5] = "other";
  CHECK(shell.fenceline(many).code != 0);
  CHECK(contents_of(shell.work() / "other/mine.txt") == "mine");
}

TEST_CASE("repeat: runs that never end are counted, and the exit code says so", "[api][cli]") {
  const Shell shell;
  shell.write("race.json", race_text);
  const auto ran = shell.fenceline(
      {"run", "race.json", "--machine", "tiny", "--repeat", "4", "--limit-us", "1", "--out", "out", "--jobs", "2"});
  CHECK(ran.code == 1);
  CHECK_THAT(ran.out, Contains("4 runs did not complete"));
}

TEST_CASE("worker processes: each number is worked on once, and what one throws is told", "[api]") {
  const SharedMemory memory(8 * sizeof(int));
  in_processes(8, [&](std::uint32_t job) { static_cast<int*>(memory.at(0))[job] += static_cast<int>(job) + 1; });
  for (int i = 0; i < 8; ++i) CHECK(static_cast<int*>(memory.at(0))[i] == i + 1);
  CHECK_THROWS_WITH(in_processes(3,
                                 [](std::uint32_t job) {
                                   if (job == 1) throw std::runtime_error("the second one");
                                 }),
                    "the second one");
  CHECK_THROWS_WITH(in_processes(1, [](std::uint32_t) { throw std::runtime_error("here"); }), "here");
}
