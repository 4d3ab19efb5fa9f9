// SPDX-License-Identifier: Apache-2.0
// Runs that stop at a simulated time.
#include "sim/config/json_file.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <string>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using nlohmann::json;

namespace {

/// On `tiny`: `count` dispatches of 1 ms each, one list each, and a CPU thread that then asks for one more.
json dispatches(int count) {
  return {{"name", "dispatches"},
          {"machine", "tiny"},
          {"compute_pipelines", {{{"name", "ms"}, {"group_cycles", 1000000}}}},
          {"fences", {{{"name", "done"}}}},
          {"command_lists",
           {{{"name", "ms"},
             {"type", "compute"},
             {"commands", json::array({{{"type", "dispatch"}, {"pipeline", "ms"}}})}}}},
          {"queues",
           {{{"name", "q"},
             {"type", "compute"},
             {"timeline",
              {{{"type", "repeat"}, {"count", count}, {"steps", {{{"type", "execute"}, {"lists", {"ms"}}}}}},
               {{"type", "signal"}, {"fence", "done"}, {"value", 1}}}}}}},
          {"cpus",
           {{{"name", "host"},
             {"timeline",
              {{{"type", "fence_wait"}, {"fence", "done"}, {"value", 1}},
               {{"type", "execute"}, {"queue", "q"}, {"lists", {"ms"}}}}}}}}};
}

}  // namespace

TEST_CASE("fenceline run --limit-us: it stops there, says what had not completed, and exits 1", "[cli]") {
  const Shell shell;
  // Five lists of 1 ms: at 2.5 ms two are done, three and the signal are not.
  shell.write("w.json", dispatches(5).dump());
  const Output output = shell.fenceline({"run", "w.json", "--limit-us", "2500", "--out", "out"});
  CHECK(output.code == 1);
  CHECK_THAT(output.out, Contains("makespan     2500.000000 us  (not completed: limit)"));
  CHECK(output.err ==
        "limit of 2500 us reached: queue \"q\" has 4 packets that have not completed\n"
        "limit of 2500 us reached: CPU thread \"host\" is at /cpus/0/timeline/0\n");
  const json statistics = parse_json(contents_of(shell.work() / "out/report.json"), "report.json")["statistics"];
  CHECK(statistics["completed"] == false);
  CHECK(statistics["end_ps"] == 2'500'000'000);
  CHECK(statistics["packets"] == 2);
  CHECK(statistics["unfinished"].size() == 2);
  CHECK_FALSE(statistics.contains("deadlock"));
  CHECK(files_in(shell.work() / "out").size() == 10);
}

TEST_CASE("fenceline run --limit-us: a limit that is not reached changes nothing", "[cli]") {
  const Shell shell;
  shell.write("w.json", dispatches(3).dump());  // 3 ms, then one more
  CHECK(shell.fenceline({"run", "w.json", "--out", "free"}).code == 0);
  for (const char* limit : {"4000", "4000.000001", "1e6", "9e12"}) {
    INFO(limit);
    const Output output = shell.fenceline({"run", "w.json", "--limit-us", limit, "--out", "limited"});
    CHECK(output.code == 0);
    CHECK(output.err.empty());
    for (const char* file : {"report.json", "packets.csv", "preemptions.csv", "log.txt", "trace.json"}) {
      CHECK((contents_of(shell.work() / "free" / file) == contents_of(shell.work() / "limited" / file)));
    }
  }
  CHECK(shell.fenceline({"run", "w.json", "--limit-us", "3999.999999", "--out", "limited"}).code == 1);
}

TEST_CASE("fenceline run --limit-us: a deadlock before the limit is a deadlock, a bad limit is refused", "[cli]") {
  const Shell shell;
  json workload = dispatches(1);
  workload["fences"].push_back({{"name", "never"}});
  workload["cpus"][0]["timeline"] =
      json::array({{{"type", "fence_signal"}, {"fence", "never"}, {"value", 1}},
                   {{"type", "fence_signal"}, {"fence", "never"}, {"value", 0}},
                   {{"type", "queue_wait"}, {"queue", "q"}, {"fence", "never"}, {"value", 1}}});
  shell.write("w.json", workload.dump());
  const Output output = shell.fenceline({"run", "w.json", "--limit-us", "1e9", "--out", "out"});
  CHECK(output.code == 1);
  CHECK_THAT(output.err, Contains("deadlock: queue \"q\" waits for fence \"never\"") && !Contains("limit"));
  for (const char* bad : {"0", "-1", "soon", "1e13", "nan", "inf", "1e400", ""}) {
    INFO(bad);
    CHECK(shell.fenceline({"run", "w.json", "--limit-us", bad, "--out", "out"}).code == 2);
  }
}

TEST_CASE("player: the first call after a sleep takes effect after_sleep_us later, no other call does", "[api]") {
  const Shell shell;
  json workload = dispatches(1);
  const auto run = [&](double after_sleep_us, json timeline) {
    workload["cpus"][0]["timeline"] = std::move(timeline);
    shell.write("w.json", workload.dump());
    const Output output = shell.fenceline(
        {"run", "w.json", "--json", "--out", "out", "--set", fmt::format("/host/after_sleep_us={}", after_sleep_us)});
    CHECK(output.code == 0);
    return parse_json(output.out, "report.json")["statistics"]["end_ps"].get<double>() / 1e6;
  };
  const json execute = {{"type", "execute"}, {"queue", "q"}, {"lists", {"ms"}}};
  const auto sleep = [](double us) { return json({{"type", "sleep_until"}, {"us", us}}); };
  // Asleep until 1500 us, when the queue is idle: 13 us, then 1 ms. The second call follows at once.
  CHECK(run(0, {sleep(1500), execute}) == 2500);
  CHECK(run(13, {sleep(1500), execute}) == 2513);
  CHECK(run(13, {sleep(1500), execute, execute}) == 3513);
  CHECK(run(13, {sleep(1500), execute, sleep(3000), execute}) == 4013);
  // Neither work, nor a wait for a fence, nor a time that has passed is a sleep.
  CHECK(run(13, {{{"type", "work"}, {"us", 1500}}, execute}) == 2500);
  CHECK(run(13, {{{"type", "fence_wait"}, {"fence", "done"}, {"value", 1}}, execute}) == 2000);
  CHECK(run(13, {{{"type", "work"}, {"us", 1500}}, sleep(1500), execute}) == 2500);
}
