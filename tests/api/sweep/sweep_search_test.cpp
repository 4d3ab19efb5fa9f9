// SPDX-License-Identifier: Apache-2.0
// What is told of a sweep in the end: the best that --optimise found, and metrics that nothing has.
#include "tests/support/places.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;

namespace {

/// One packet of a cycle count that takes 1 us at 1000 MHz, on `tiny`.
const char* const one_packet = R"({"name": "one", "machine": "tiny",
  "compute_pipelines": [{"name": "k", "threads": 64, "group_cycles": 1000}],
  "command_lists": [{"name": "l", "type": "direct", "commands": [{"type": "dispatch", "pipeline": "k", "x": 8}]}],
  "queues": [{"name": "q", "type": "direct"}],
  "cpus": [{"name": "c", "timeline": [{"type": "execute", "queue": "q", "lists": ["l"]}]}]})";

/// Of a sweep of its clock.
Output clock_sweep(const Shell& shell, const std::string& clocks, const std::vector<std::string>& more) {
  shell.write("one.json", one_packet);
  std::vector<std::string> arguments = {"sweep", "one.json", "--vary", "/shader_array/clock_mhz=" + clocks,
                                        "--out", "s"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return shell.fenceline(arguments);
}

}  // namespace

TEST_CASE("fenceline sweep: --optimise takes the way that is better of each metric, or the one that is said",
          "[cli][sweep]") {
  const Shell shell;
  const auto best = [&](const std::string& clocks, const std::vector<std::string>& more) {
    const Output output = clock_sweep(shell, clocks, more);
    CHECK(output.code == 0);
    CHECK(output.err.empty());
    const std::string begin = "best         one.json: ";
    const std::size_t from = output.out.find(begin);
    REQUIRE(from != std::string::npos);
    return output.out.substr(from + begin.size(), output.out.find('\n', from) - from - begin.size());
  };
  CHECK(best("500,1000", {"--optimise", "packets_per_second"}) ==
        "run 1, clock_mhz=1000: most packets_per_second 1000000.000; 2 of 2 runs tried");
  CHECK(best("1000,500", {"--optimise", "min:packets_per_second"}) ==
        "run 1, clock_mhz=500: least packets_per_second 500000.000; 2 of 2 runs tried");
  CHECK(best("500,1000", {"--optimise", "makespan_us"}) ==
        "run 1, clock_mhz=1000: least makespan_us 1.000; 2 of 2 runs tried");
  CHECK(best("1000,500", {"--optimise", "max:makespan_us"}) ==
        "run 1, clock_mhz=500: most makespan_us 2.000; 2 of 2 runs tried");
  CHECK(best("500,1000", {"--optimise", "max:end=/statistics/end_ps"}) ==
        "run 0, clock_mhz=500: most end 2000000; 2 of 2 runs tried");
  // At 800 MHz there are 80 % of the first one's packets a second.
  for (const char* limit : {"packets_per_second>=60%", "packets_per_second>=600000", "makespan_us<=150%"}) {
    CHECK(best("1000,800,500", {"--optimise", "max:makespan_us", "--within", limit}) ==
          "run 1, clock_mhz=800: most makespan_us 1.250; 3 of 3 runs tried");
  }
}

TEST_CASE("fenceline sweep: where nothing is within the limits of --optimise that is told, and the nearest",
          "[cli][sweep]") {
  const Shell shell;
  for (const bool quiet : {false, true}) {
    std::vector<std::string> arguments = {"--optimise",       "packets",  "--within",
                                          "makespan_us<=0.5", "--within", "packets>=1"};
    if (quiet) arguments.emplace_back("--quiet");
    const Output output = clock_sweep(shell, "500,1000,800", arguments);
    CHECK(output.code == 1);
    CHECK(output.err ==
          "one.json: none of 3 runs tried is within makespan_us<=0.5 and packets>=1; nearest is run 1, "
          "clock_mhz=1000: makespan_us 1.000, packets 1\n");
    CHECK_THAT(output.out, !Contains("best  "));
  }
  const Output absent = clock_sweep(shell, "500,1000", {"--optimise", "deadline_late_us"});
  CHECK(absent.code == 1);
  CHECK(absent.err == "one.json: none of 2 runs tried has deadline_late_us\n");
}

TEST_CASE("fenceline sweep: a metric's pointer that leads to nothing in any run is told in the end", "[cli][sweep]") {
  const Shell shell;
  const Output nothing =
      clock_sweep(shell, "500,1000",
                  {"--metric", "makespan_us", "--metric", "x=/statistics/nothing", "--metric", "deadline_late_us"});
  CHECK(nothing.code == 1);
  CHECK(nothing.err ==
        "--metric: /: expected a pointer to what report.json of a run has, found \"/statistics/nothing\"\n");
  CHECK_THAT(contents_of(shell.work() / "s/results.csv"), Contains("\n1,one.json,,1000,done,,1,,\n"));
  CHECK_THAT(nothing.out, Contains(" -\n"));
  // One that some runs have is none of these, nor is it known where a run failed.
  const Output some = shell.fenceline({"sweep", "one.json", "--vary", "/workload/fences=[],[{\"name\":\"f\"}]",
                                       "--metric", "x=/statistics/fences/f/value", "--out", "s"});
  CHECK(some.code == 0);
  CHECK(some.err.empty());
  CHECK_THAT(some.out, Contains(" -\n") && Contains(" 0\n"));
  const Output failed = clock_sweep(shell, "500,fast", {"--metric", "x=/statistics/nothing"});
  CHECK(failed.code == 1);
  CHECK(failed.err == "1 of 2 runs failed: their rows say why\n");
}
