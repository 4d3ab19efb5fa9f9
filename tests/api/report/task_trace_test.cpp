// SPDX-License-Identifier: Apache-2.0
// Background tasks in trace.json and log.txt.
#include "api/report/perfetto/perfetto.hpp"
#include "api/report/text.hpp"
#include "tests/support/sink_output.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using nlohmann::json;

TEST_CASE("perfetto: a background task's slice says what it was, and a cancelled one is an instant", "[sim]") {
  EventLog log;
  const std::string text = finished_output_of<PerfettoSink>(log, 0, [&] {
    const LogName worker = log.name("adapter.background.worker0");
    const LogName scene = log.name("scene");
    log.task({TaskRecord::What::started, worker, scene, 7, 3, true, 1000, 1000, 0});
    log.span({worker, SpanKind::task, scene, 1000, 5000, 7});
    log.task({TaskRecord::What::finished, worker, scene, 7, 3, true, 5000, 1000, 2500, 4});
    log.task({TaskRecord::What::finished, worker, scene, 8, 0, false, 9000, 6000, 3000, {}, 4711});
    log.task({TaskRecord::What::cancelled, log.name("adapter.background"), scene, 9, 3, false, 9500, 9500, 0});
  });
  const json events = json::parse(text).at("traceEvents");
  const auto of_phase = [&events](const char* phase) {
    std::vector<json> found;
    for (const json& event : events) {
      if (event.at("ph") == phase) found.push_back(event);
    }
    return found;
  };
  const std::vector<json> slices = of_phase("X");
  REQUIRE(slices.size() == 2);
  CHECK(slices[0]["name"] == "scene");
  CHECK(slices[0]["args"] == json{{"id", 7},
                                  {"start_ps", 1000},
                                  {"end_ps", 5000},
                                  {"priority", "boosted"},
                                  {"cpu_ps", 2500},
                                  {"processor", 4},
                                  {"commit", 3},
                                  {"pipeline", "scene"}});
  CHECK(slices[1]["args"]["host_thread"] == 4711);
  CHECK(slices[1]["args"]["priority"] == "idle");
  CHECK_FALSE(slices[1]["args"].contains("processor"));
  const std::vector<json> instants = of_phase("i");
  REQUIRE(instants.size() == 1);
  CHECK(instants[0]["name"] == "cancelled");
  CHECK(instants[0]["args"] == json{{"id", 9}, {"commit", 3}, {"pipeline", "scene"}});
}

TEST_CASE("text: a background task's end says where it ran, and of which commit it was", "[sim]") {
  EventLog log;
  const std::string text = finished_output_of<TextSink>(log, 0, [&] {
    const LogName worker = log.name("adapter.background.worker0");
    const LogName scene = log.name("scene");
    log.task({TaskRecord::What::finished, worker, scene, 7, 3, true, 5'000'000, 1'000'000, 2'500'000, 4});
    log.task({TaskRecord::What::finished, worker, scene, 8, 0, false, 9'000'000, 6'000'000, 3'000'000, {}, 4711});
    log.task({TaskRecord::What::cancelled, log.name("adapter.background"), scene, 9, 3, false, 9, 9, 0});
  });
  CHECK_THAT(text, Contains("task 7 \"scene\" finished after 4") && Contains("on processor 4, of commit 3") &&
                       Contains("on thread 4711\n") && Contains("task 9 \"scene\" cancelled, of commit 3"));
}
