// SPDX-License-Identifier: Apache-2.0
// What a sweep tells of what it was asked: values that cannot matter, and what is wrong on its command line.
#include "tests/support/places.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using nlohmann::json;

namespace {

const std::string frame = shipped_workload("multi_engine").string();

/// Two queues of one engine, for which a band's quantum decides.
const char* const two_queues = R"({"name": "two", "machine": "tiny",
  "compute_pipelines": [{"name": "pipe", "threads": 64, "group_cycles": 1000}],
  "command_lists": [{"name": "l", "type": "direct", "commands": [{"type": "dispatch", "pipeline": "pipe", "x": 100}]}],
  "queues": [{"name": "a", "type": "direct", "timeline": [{"type": "execute", "lists": ["l"]}]},
             {"name": "b", "type": "direct", "timeline": [{"type": "execute", "lists": ["l"]}]}]})";

}  // namespace

TEST_CASE("fenceline sweep: what cannot matter is told once, and of how many runs where it is not all",
          "[cli][sweep]") {
  const Shell shell;
  const std::string quantum = "/scheduler/bands/normal/quantum_us";
  shell.write("two.json", two_queues);
  const auto told = [&](std::vector<std::string> arguments, const std::string& out) {
    arguments.insert(arguments.begin(), {"sweep", "two.json", "--metric", "makespan_us", "--out", out});
    const Output output = shell.fenceline(arguments);
    CHECK(output.code == 0);
    const std::size_t at = output.out.find("no effect ");
    return at == std::string::npos ? "" : output.out.substr(at);
  };
  const std::string reason = "no effect    --set: " + quantum + ": has no effect here: only policy wddm has bands";
  const std::vector<std::string> fifo = {"--set", "/scheduler/policy=fifo", "--vary", quantum + "=10,500"};
  CHECK(told(fifo, "all") == reason + "\n");
  // With so many at a time as there are processes, and where all is done already.
  std::vector<std::string> again = fifo;
  again.insert(again.end(), {"--jobs", "2"});
  CHECK(told(again, "jobs") == reason + "\n");
  CHECK(contents_of(shell.work() / "all/results.csv") == contents_of(shell.work() / "jobs/results.csv"));
  again.insert(again.end(), {"--resume"});
  CHECK(told(again, "jobs") == reason + "\n");
  // Two of the three policies have no bands: of 3 * 2 runs in 4.
  CHECK(told({"--vary", "/scheduler/policy=fifo,wddm,round_robin", "--vary", quantum + "=10,500"}, "some") ==
        reason + ", in 4 of 6 runs\n");
  CHECK(told({"--set", "/scheduler/policy=wddm", "--vary", quantum + "=10,500"}, "none").empty());
  CHECK(told({"--vary", quantum + "=1..100", "--set", "/scheduler/policy=fifo"}, "many") ==
        reason + ", in 64 of 64 runs that were looked at\n");
  // Jitter and seeds are the sweep's own.
  CHECK(told({"--vary", "/shader_array/clock_mhz=900,1000", "--repeat", "2"}, "repeated").empty());
}

TEST_CASE("fenceline sweep: what is wrong on the command line is told at its option", "[cli][sweep]") {
  const Shell shell;
  const auto refused = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"sweep", frame});
    const Output output = shell.fenceline(arguments);
    CHECK(output.code == 2);
    return output.err;
  };
  const std::string both = refused(
      {"--vary", "/host/call_us=1,2", "--vary", "+/host/wake_us=1,2,3", "--metric", "pakets", "--outputs", "reprt"});
  CHECK(lines_of(both) == 3);
  CHECK_THAT(both, Contains("--vary: /: expected 2 values, as the axis that it changes together with, found 3\n") &&
                       Contains("--metric: /: expected ") && Contains("--outputs: /: expected one or several of "));
  CHECK_THAT(refused({"--vary", "/host/call_us=1", "--metric", "queue_p99_us:nobody"}),
             Catch::StartsWith("--metric: /: expected one of the queues "));
  // A file's own are told as its.
  shell.write("s.json", R"({"name": "s", "workloads": [")" + frame +
                            R"("], "metrics": ["pakets"], "axes": [{"pointer": "x", "values": ["1"]}]})");
  const Output file = shell.fenceline({"sweep", "s.json", "--vary", "+/host/wake_us=1,2"});
  CHECK_THAT(file.err, Contains("s.json: /axes/0/pointer: ") && Contains("s.json: /metrics/0: "));
}

TEST_CASE("fenceline sweep: what is wrong in a workload is told of it and not of an option", "[cli][sweep]") {
  const Shell shell;
  json workload = small_workload();
  workload["metrics"] = json::array();
  workload["outputs"] = json::object();
  shell.write("w.json", workload.dump());
  const Output output = shell.fenceline({"sweep", "w.json", "--vary", "/shader_array/graphics_sms=1,2", "--metric",
                                         "makespan_us", "--outputs", "report"});
  CHECK(output.code == 2);
  CHECK_THAT(output.err, Contains("w.json: /metrics: expected one of ") && Contains("w.json: /outputs: ") &&
                             Contains("found unknown key \"metrics\"") && Contains("found unknown key \"outputs\"") &&
                             !Contains("--metric") && !Contains("--outputs"));
}
