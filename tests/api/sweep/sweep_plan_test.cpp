// SPDX-License-Identifier: Apache-2.0
#include "api/sweep/sweep_plan.hpp"

#include "api/sweep/played_point.hpp"
#include "api/sweep/sweep_file.hpp"
#include "sim/config/config.hpp"
#include "sim/config/json_file.hpp"
#include "tests/support/mutator.hpp"
#include "tests/support/places.hpp"
#include "tests/support/samples.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <set>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using nlohmann::json;

namespace {

std::string error_of(const json& document) {
  try {
    SweepPlan plan(read_sweep(document, "s.json"), "s.json");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

json sweep_with(const json& axes) { return {{"name", "s"}, {"workloads", {"w.json"}}, {"axes", axes}}; }

SweepPlan plan_of(const json& document) { return {read_sweep(document, "s.json"), "s.json"}; }

json report_sample() {
  return json::parse(R"({"statistics": {"end_ps": 80925100398, "packets": 34, "completed": true,
    "engines": [{"engine": "adapter.3d0", "busy_ps": 40462550199}, {"engine": "adapter.copy0", "busy_ps": 0}],
    "queues": [{"queue": "adapter.scheduler.game", "time_in_queue_ps": {"p99": 378444841}},
               {"queue": "adapter.scheduler.compositor", "time_in_queue_ps": {"p99": 11222604764}}],
    "preemption": {"requests": 9, "latency_ps": {"p99": 48300000}, "lost_ps": 1, "engine_ps": 200},
    "deadlines": [{"deadline": "vsync", "count": 12, "missed": 7}, {"deadline": "game frame", "count": 5, "missed": 1}],
    "swap_chains": [{"swap_chain": "film", "missed_vblanks": 3, "glitches": 1}, {"swap_chain": "chat", "missed_vblanks": 2, "glitches": 0}]}})");
}

json metric_of(const std::string& text, const json& report) {
  return value_of(metrics_named({text}, "s.json")[0], nlohmann::ordered_json(report));
}

}  // namespace

TEST_CASE("sweep: repetitions are the innermost axis; all their runs have jitter", "[sweep]") {
  json document = sweep_with({{{"pointer", "/x"}, {"values", {"one", "two"}}}});
  document["repeat"] = 3;
  document["seed"] = 41;
  document["set"] = {"/tdr/enabled=false"};
  const SweepPlan plan = plan_of(document);
  CHECK(plan.runs() == 6);
  CHECK(plan.repetitions() == 3);
  CHECK(plan.axis_names() == std::vector<std::string>{"x", "seed"});
  CHECK(plan.point(4).values == std::vector<std::string>{"two", "42"});
  CHECK(plan.sets(plan.point(4)) ==
        std::vector<std::string>{"/tdr/enabled=false", "/scheduler/jitter=true", "/x=two", "/scheduler/seed=42"});
  // What a worker is told is the same sweep again.
  const SweepPlan told(read_config<Sweep>(dump_config(plan.sweep()), "sweep"), "s.json");
  CHECK(told.runs() == 6);
  CHECK(told.sets(told.point(4)) == plan.sets(plan.point(4)));
  document.erase("repeat");
  CHECK(plan_of(document).repetitions() == 1);
  CHECK(plan_of(document).axis_names() == std::vector<std::string>{"x"});
  document["repeat"] = 1'000'001;
  CHECK_THAT(error_of(document), Contains("s.json: /repeat: expected an integer from 0 to 1000000"));
  document["repeat"] = 2;
  document["axes"][0]["name"] = "seed";
  CHECK_THAT(error_of(document), Contains("expected a name that no other column has, found \"seed\""));
}

TEST_CASE("sweep: axes are crossed, the last changes first, and zipped ones change together", "[sweep]") {
  const SweepPlan plan =
      plan_of({{"name", "s"},
               {"workloads", {"a.json", "/b.json"}},
               {"machines", {"h200", "m/mine.json"}},
               {"set", {"/tdr/enabled=false"}},
               {"axes",
                {{{"pointer", "/x"}, {"values", {"one", "two"}}},
                 {{"pointer", "/y"}, {"from", 0}, {"to", 0.3}, {"step", 0.1}},
                 {{"pointer", "/z"}, {"numbers", {4, 3, 2, 1.5}}, {"zip", true}, {"name", "zed"}}}}});
  CHECK(plan.runs() == 2 * 2 * 2 * 4);
  CHECK(plan.axis_names() == std::vector<std::string>{"x", "y", "zed"});
  std::set<std::string> seen;
  for (std::uint64_t run = 0; run < plan.runs(); ++run) {
    CHECK(plan.run_at(plan.places(run)) == run);
    const SweepPoint point = plan.point(run);
    std::string text = point.workload + point.machine;
    for (const std::string& value : point.values) text += " " + value;
    CHECK(seen.insert(text).second);
  }
  CHECK(plan.point(1).values == std::vector<std::string>{"one", "0.1", "3"});
  CHECK(plan.point(7).values == std::vector<std::string>{"two", "0.3", "1.5"});
  CHECK(plan.point(8).machine == "m/mine.json");
  CHECK(plan.point(0).machine == "h200");
  CHECK(plan.point(16).workload == "/b.json");
  CHECK(plan.sets(plan.point(2)) == std::vector<std::string>{"/tdr/enabled=false", "/x=one", "/y=0.2", "/z=2"});
}

TEST_CASE("sweep: a column has its pointer's last key as its name, with what tells it from others", "[sweep]") {
  const SweepPlan plan =
      plan_of(sweep_with({{{"pointer", "/engines/3d/graphics_preemption/granularity"}, {"values", {"none"}}},
                          {{"pointer", "/engines/3d/compute_preemption/granularity"}, {"values", {"none"}}},
                          {{"pointer", "/engines/3d/clock_mhz"}, {"numbers", {1}}}}));
  CHECK(plan.axis_names() ==
        std::vector<std::string>{"graphics_preemption/granularity", "compute_preemption/granularity", "clock_mhz"});
}

TEST_CASE("sweep: ranges have their end, by steps or by factors", "[sweep]") {
  const auto values = [](const std::string& text) { return axis_values(axis_in(text), "--vary", ""); };
  using Values = std::vector<std::string>;
  CHECK(values("/a=1..4") == Values{"1", "2", "3", "4"});
  CHECK(values("/a=0..0.3+0.1") == Values{"0", "0.1", "0.2", "0.3"});
  CHECK(values("/a=-1..1+0.5") == Values{"-1", "-0.5", "0", "0.5", "1"});
  CHECK(values("/a=64..1024*4") == Values{"64", "256", "1024"});
  CHECK(values("/a=1e3..3e3+1e3") == Values{"1000", "2000", "3000"});
  CHECK(values("/a=none,dma_buffer_boundary") == Values{"none", "dma_buffer_boundary"});
  CHECK(values(R"(/a={"x":1,"y":[2,3]},"p,q",5)") == Values{R"({"x":1,"y":[2,3]})", R"("p,q")", "5"});
  CHECK(values("/a=1..x") == Values{"1..x"});
  CHECK(axis_in("speed:/engines/3d/clock_mhz=1").name == "speed");
  CHECK(axis_in("+/a=1").zip);
  CHECK_THROWS_WITH(axis_in("a=1"), "--vary: /: expected /pointer=a,b,c or /pointer=FROM..TO, found \"a=1\"");
  CHECK_THROWS_WITH(axis_in("/a"), Contains("found \"/a\""));
}

TEST_CASE("sweep: what is wrong in a sweep is told with its place", "[sweep]") {
  CHECK(error_of(sweep_with({{{"pointer", "/x"}}})) ==
        "s.json: /axes/0: expected one of values, numbers, and from with to, found none");
  CHECK(error_of(sweep_with({{{"pointer", "/x"}, {"values", {"a"}}, {"from", 1}}})) ==
        "s.json: /axes/0: expected one of values, numbers, and from with to, found several");
  CHECK(error_of(sweep_with({{{"pointer", "/x"}, {"from", 1}}})) ==
        "s.json: /axes/0: expected from and to, found no to");
  CHECK(error_of(sweep_with({{{"pointer", "/x"}, {"from", 2}, {"to", 1}}})) ==
        "s.json: /axes/0/to: expected at least from, 2, found 1");
  CHECK(error_of(sweep_with({{{"pointer", "/x"}, {"from", 0}, {"to", 1}, {"factor", 2}}})) ==
        "s.json: /axes/0/from: expected more than 0 beside a factor, found 0");
  CHECK(error_of(sweep_with({{{"pointer", "/x"}, {"values", {"a"}}, {"zip", true}}})) ==
        "s.json: /axes/0/zip: expected an axis before it, found none");
  CHECK(error_of(sweep_with(
            {{{"pointer", "/x"}, {"values", {"a"}}}, {{"pointer", "/y"}, {"numbers", {1, 2}}, {"zip", true}}})) ==
        "s.json: /axes/1: expected 1 values, as the axis that it changes together with, found 2");
  CHECK(error_of(sweep_with({{{"pointer", "x"}, {"values", {"a"}}}})) ==
        "s.json: /axes/0/pointer: expected a JSON Pointer such as /engines/3d/clock_mhz, found \"x\"");
  CHECK(error_of(sweep_with({{{"pointer", "/x"}, {"from", 0}, {"to", 1e9}}})) ==
        "s.json: /axes/0: expected at most 1000000 values, found more");
  const json long_axis = {{"pointer", "/x"}, {"from", 1}, {"to", 1e5}};
  CHECK(error_of(sweep_with({long_axis, long_axis})) == "s.json: /axes: expected at most 10000000 runs, found more");
  CHECK(error_of(sweep_with({{{"pointer", "/x"}, {"values", {"a"}}, {"name", "Run"}}})) ==
        "s.json: /axes/0/name: expected a name that no other column has, found \"run\"");
  json document = sweep_with(json::array());
  document["metrics"] = {"makespam_us"};
  CHECK_THAT(error_of(document),
             Contains("s.json: /metrics/0: expected /pointer into report.json, or one of makespan_us"));
  CHECK_THAT(error_of(document), Contains("(did you mean \"makespan_us\"?)"));
  document["metrics"] = {"makespan_us:game"};
  CHECK(error_of(document) == "s.json: /metrics/0: expected makespan_us alone, found \"makespan_us:game\"");
  document["metrics"] = {"packets", "packets"};
  CHECK(error_of(document) == "s.json: /metrics/1: expected a name that no other column has, found \"packets\"");
  document["workloads"] = json::array();
  CHECK(error_of(document) == "s.json: /workloads: expected at least one workload, found none");
  document["workload"] = "x";
  CHECK_THAT(error_of(document), Contains("unknown key \"workload\" (did you mean \"workloads\"?)"));
}

TEST_CASE("sweep: metrics are what the report has there", "[sweep]") {
  const json report = report_sample();
  CHECK(metric_of("makespan_us", report) == 80925.100398);
  CHECK(metric_of("packets", report) == 34);
  CHECK(metric_of("packets", report).is_number_integer());
  CHECK(metric_of("packets_per_second", report).get<double>() == Approx(34 / 0.080925100398));
  CHECK(metric_of("busy_percent", report) == 50.0);
  CHECK(metric_of("busy_percent:copy0", report) == 0.0);
  CHECK(metric_of("queue_p99_us", report) == 11222.604764);
  CHECK(metric_of("queue_p99_us:game", report) == 378.444841);
  CHECK(metric_of("deadlines_missed", report) == 8);
  CHECK(metric_of("deadlines_missed:vsync", report) == 7);
  CHECK(metric_of("deadlines_missed:game frame", report) == 1);
  CHECK(metric_of("deadlines_missed:nobody", report).is_null());
  CHECK(metric_of("deadlines_missed:nobody|game frame|vsync", report) == 1);
  CHECK(metrics_named({"urgent=queue_p99_us:a|b"}, "s")[0].name == "urgent");
  CHECK(metric_of("vblanks_missed", report) == 5);
  CHECK(metric_of("glitches:film", report) == 1);
  CHECK(metric_of("lost_percent", report) == 0.5);
  CHECK(metric_of("timeouts", report) == 0);
  CHECK(metric_of("paged_bytes", report).is_null());
  CHECK(metric_of("p=/statistics/queues/compositor/time_in_queue_ps/p99", report) == 11222604764);
  CHECK(metric_of("/statistics/queues/0/queue", report) == "adapter.scheduler.game");
  CHECK(metric_of("/statistics/completed", report) == 1);
  CHECK(metric_of("/statistics/nothing", report).is_null());
  CHECK(metrics_named({"p=/a/b"}, "s")[0].name == "p");
  for (const MetricRow& row : metric_rows()) CHECK_NOTHROW(metric_of(row.name, report));
  for (const std::string& name : usual_metrics()) CHECK(metrics_named({name}, "s").size() == 1);
  json nothing = report;
  nothing["statistics"]["preemption"] = {{"lost_ps", 0}, {"engine_ps", 0}};
  CHECK(metric_of("lost_percent", nothing) == 0.0);
}

TEST_CASE("sweep: a dump reads back as the same sweep, and any bytes are a sweep or a config error", "[sweep][fuzz]") {
  const std::string text = sweep_with({{{"pointer", "/engines/3d/clock_mhz"}, {"from", 1}, {"to", 9}, {"factor", 3}},
                                       {{"pointer", "/y"}, {"values", {"a", "b"}}}})
                               .dump();
  Mutator mutator(22);
  std::size_t read = 0;
  for (int round = 0; round < 3000; ++round) {
    try {
      const Sweep sweep = read_sweep(parse_json(mutator.mutated(text), "s.json"), "s.json");
      const SweepPlan plan(sweep, "s.json");
      ++read;
      if (plan.runs() > 0) plan.point(plan.runs() - 1);
      const nlohmann::ordered_json dump = dump_config(sweep);
      if (dump_config(read_config<Sweep>(dump, "s.json")) != dump) FAIL("a dump reads back as something else");
    } catch (const ConfigError& error) {
      if (!has_the_form(error.what(), "s.json")) FAIL("not one line of the form: " << error.what());
    }
  }
  CHECK(read > 30);
}

TEST_CASE("sweep: one none of whose runs can be played is refused before the first", "[sweep]") {
  const auto told = [](json axis) -> std::string {
    json document = {
        {"name", "s"}, {"workloads", {shipped_workload("multi_engine").string()}}, {"axes", json::array({axis})}};
    try {
      checked_sweep(read_sweep(document, "s.json"), "s.json");
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  };
  CHECK_THAT(told({{"pointer", "/engines/3d/clock_mhs"}, {"numbers", {1, 2}}}),
             Contains("did you mean \"clock_mhz\"?"));
  CHECK_THAT(told({{"pointer", "/engines/4d/clock_mhz"}, {"numbers", {1, 2}}}), Contains("did you mean \"3d\"?"));
  CHECK(told({{"pointer", "/engines/3d/clock_mhz"}, {"values", {"fast", "1000"}}}).empty());
}

TEST_CASE("sweep: a run that goes wrong is an outcome that says so", "[sweep]") {
  json document = {{"name", "s"},
                   {"workloads", {shipped_workload("multi_engine").string()}},
                   {"metrics", {"makespan_us", "packets"}},
                   {"axes", {{{"pointer", "/engines/3d/clock_mhz"}, {"values", {"fast", "1000"}}}}}};
  const SweepPlan plan(read_sweep(document, "s.json"), "s.json");
  const SweepOutcome wrong = play_point(plan, 0, "");
  CHECK(wrong.status == "wrong_input");
  CHECK(wrong.error == "--set: /engines/0/clock_mhz: expected a number from 0.001 to 1000000, found \"fast\"");
  CHECK(wrong.metrics.empty());
  const SweepOutcome right = play_point(plan, 1, "");
  CHECK(right.status == "done");
  REQUIRE(right.metrics.size() == 2);
  CHECK(right.metrics[0].get<double>() > 1000);
  document["limit_us"] = 100;
  const SweepOutcome limited = play_point(SweepPlan(read_sweep(document, "s.json"), "s.json"), 1, "");
  CHECK(limited.status == "limit");
  CHECK(limited.metrics[0] == 100.0);
  CHECK_FALSE(limited.error.empty());
}

TEST_CASE("sweep: all that is wrong in a sweep is told at once, and nothing that only follows from it", "[sweep]") {
  json document = sweep_with({{{"pointer", "x"}, {"values", {"a", "b"}}},
                              {{"pointer", "/y"}, {"values", {"a", "b", "c"}}, {"zip", true}},
                              {{"pointer", "/z=1"}, {"values", {"a"}}},
                              {{"pointer", "/fine"}, {"values", {"a", "b"}}},
                              {{"pointer", "/w"}, {"values", {"a"}}, {"zip", true}}});
  document["metrics"] = {"packets", "pakets", "makespan_us:game"};
  try {
    plan_of(document);
    FAIL("it was taken");
  } catch (const ConfigError& error) {
    std::vector<std::string> places;
    for (const ConfigError& one : error.each()) places.push_back(one.pointer());
    CHECK(places ==
          std::vector<std::string>{"/axes/0/pointer", "/axes/2/pointer", "/axes/4", "/metrics/1", "/metrics/2"});
  }
  document = sweep_with({{{"pointer", "/a"}, {"values", {"1"}}, {"name", "run"}},
                         {{"pointer", "/b"}, {"values", {"1"}}, {"name", "error"}}});
  document["metrics"] = json::array({"status=/x"});
  try {
    plan_of(document);
    FAIL("it was taken");
  } catch (const ConfigError& error) {
    CHECK(error.each().size() == 3);
  }
}

TEST_CASE("sweep: a metric of a queue, engine or deadline that no report has is refused", "[sweep]") {
  const ReportNames names = {{"queues", {"adapter.scheduler.game", "adapter.scheduler.compositor"}},
                             {"engines", {"adapter.3d0", "adapter.link1.3d0"}},
                             {"deadlines", {"vsync"}}};
  const auto complaint = [&](const std::vector<std::string>& metrics) -> std::string {
    try {
      check_which(metrics_named(metrics, "s.json"), names, "s.json");
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  };
  const auto check_none = [&]() -> std::string {
    try {
      check_which(metrics_named({"deadlines_missed:vsync"}, "s.json"), {{"deadlines", {}}}, "s.json");
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  };
  for (const char* good :
       {"queue_p99_us", "queue_p99_us:game", "queue_p99_us:game|compositor", "queue_p99_us:adapter.scheduler.game",
        "queue_p99_us:scheduler.game", "queue_p99_us:0", "busy_percent:3d0", "busy_percent:link1.3d0",
        "deadlines_missed:vsync", "glitches:anything", "x=/statistics/queues/gone/packets"}) {
    CAPTURE(good);
    CHECK(complaint({good}).empty());
  }
  CHECK(complaint({"packets", "queue_p99_us:gme"}) ==
        "s.json: /metrics/1: expected one of the queues compositor, game, found \"gme\" (did you mean \"game\"?)");
  CHECK(complaint({"deadlines_missed:vsnyc"}) ==
        "s.json: /metrics/0: expected one of the deadlines vsync, found \"vsnyc\" (did you mean \"vsync\"?)");
  CHECK_THAT(complaint({"busy_percent:d0"}), Contains("one of the engines 3d0, found \"d0\""));
  CHECK(check_none() == "s.json: /metrics/0: expected one of the deadlines, of which there are none, found \"vsync\"");
  CHECK_THAT(complaint({"queue_p99_us:game|", "queue_p50_us:nobody"}), Contains("a name behind the colon"));
}
