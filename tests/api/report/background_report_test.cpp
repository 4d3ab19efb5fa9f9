// SPDX-License-Identifier: Apache-2.0
// What report.json and timeline.html say of background processing.
#include "api/report/run/run_background.hpp"
#include "sim/config/json_file.hpp"
#include "tests/support/places.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using nlohmann::json;

namespace {

BackgroundStatistics statistics_of(std::vector<PipelineStatistics> pipelines) {
  BackgroundStatistics statistics;
  statistics.queued = 1000;
  statistics.cpu_ps = 2'000'000;
  statistics.dropped = 3;
  for (const PipelineStatistics& one : pipelines) statistics.saved_instructions += one.saved_instructions;
  statistics.pipelines = std::move(pipelines);
  return statistics;
}

}  // namespace

TEST_CASE("background report: report.json has a row for each pipeline state of a process, in their order", "[api]") {
  const json told =
      json_of(BackgroundByProcess{{"", {}}, {"game", statistics_of({{"b", 9, 1, 3, 7}, {"a", 2, 0, 0, 0}})}});
  REQUIRE(told.size() == 2);
  CHECK(told[0]["process"] == "");
  CHECK(told[0]["pipelines"] == json::array());
  CHECK(told[1]["process"] == "game");
  CHECK(told[1]["saved_instructions"] == 7);
  CHECK(told[1]["pipelines"] == json{{{"pipeline", "b"},
                                      {"executions", 9},
                                      {"variants", 1},
                                      {"specialised_executions", 3},
                                      {"saved_instructions", 7}},
                                     {{"pipeline", "a"},
                                      {"executions", 2},
                                      {"variants", 0},
                                      {"specialised_executions", 0},
                                      {"saved_instructions", 0}}});
}

TEST_CASE("background report: the page's table has pipeline states first whose variants saved most", "[api]") {
  using Rows = std::vector<std::vector<std::string>>;
  const BackgroundStatistics one = statistics_of({{"a", 2, 0, 0, 0}, {"b", 9, 1, 3, 7000}, {"c", 1, 0, 0, 0}});
  const auto alone = html_tables_of(BackgroundByProcess{{"", one}});
  REQUIRE(alone.size() == 2);
  CHECK(alone[0].rows == Rows{{"1,000", "0", "0", "0", "2.000", "3", "0", "0", "7,000"}});
  CHECK(alone[0].columns.size() == 9);
  CHECK(alone[0].columns[3] == "pending");
  CHECK(alone[0].columns[5] == "dropped");
  CHECK(alone[1].columns.front() == "pipeline state");
  CHECK(alone[1].rows == Rows{{"b", "9", "1", "3", "7,000"}, {"a", "2", "0", "0", "0"}, {"c", "1", "0", "0", "0"}});
  // Which process it is says a column, where there is more than the one without a name.
  const auto two = html_tables_of(BackgroundByProcess{{"x", one}, {"y", statistics_of({{"d", 4, 1, 2, 8000}})}});
  CHECK(two[0].columns.front() == "process");
  CHECK(two[0].rows[1].front() == "y");
  CHECK(two[1].columns.front() == "process");
  CHECK(two[1].rows[0] == std::vector<std::string>{"y", "d", "4", "1", "2", "8,000"});
  CHECK(two[1].rows.size() == 4);
}

TEST_CASE("background report: what variants take for granted is told where executions said their branches or resources",
          "[api]") {
  const BackgroundByProcess all{{"", statistics_of({{"a", 9, 1, 6, 700, true, 2, 1, 800}, {"b", 2, 0, 0, 0}})}};
  const json rows = json_of(all)[0]["pipelines"];
  CHECK(rows[0]["promised_instructions"] == 800);
  CHECK(rows[0]["branch_misses"] == 2);
  CHECK(rows[0]["resource_misses"] == 1);
  CHECK(rows[1].size() == 5);
  const auto table = html_tables_of(all)[1];
  CHECK(table.columns.size() == 8);
  CHECK(table.rows[0] == std::vector<std::string>{"a", "9", "1", "6", "700", "800", "2", "1"});
  CHECK(table.rows[1].size() == 8);
}

TEST_CASE("background report: tasks that are pending are told, so that the figures add up", "[api]") {
  BackgroundStatistics statistics = statistics_of({});
  statistics.finished = 700;
  statistics.cancelled = 50;
  statistics.pending = 250;
  const json told = json_of(BackgroundByProcess{{"", statistics}})[0];
  CHECK(told["pending"] == 250);
  CHECK(told["queued"] == told["finished"].get<int>() + told["cancelled"].get<int>() + told["pending"].get<int>());
}

TEST_CASE("background report: where nothing was executed or done there is no table", "[api]") {
  CHECK(html_tables_of({}).empty());
  CHECK(html_tables_of(BackgroundByProcess{{"", statistics_of({})}}).size() == 1);
  const BackgroundByProcess all{{"idle", {}}, {"tasks", statistics_of({})}};
  CHECK(with_something_to_tell(all).size() == 1);
  CHECK(with_something_to_tell(all).count("tasks") == 1);
}

TEST_CASE("background report: of many pipeline states the page has the hundred that saved most", "[api]") {
  std::vector<PipelineStatistics> many;
  for (std::uint64_t i = 0; i < 1234; ++i) many.push_back({"p" + std::to_string(i), 2, 1, 1, i});
  const auto tables = html_tables_of(BackgroundByProcess{{"", statistics_of(many)}});
  REQUIRE(tables.size() == 2);
  CHECK(tables[1].rows.size() == 100);
  CHECK(tables[1].rows.front().front() == "p1233");
  CHECK(tables[1].rows.back().front() == "p1134");
  CHECK_THAT(tables[1].note, Contains("1,134 more are in report.json"));
}

TEST_CASE("background report: rows of pipeline states add up to their process's totals", "[api]") {
  const Shell shell;
  for (const char* name : {"pgo_single_frame", "pgo_off", "pgo_glitch"}) {
    const std::string workload = (source_directory() / "configs/workloads" / (std::string(name) + ".json")).string();
    REQUIRE(shell.fenceline({"run", workload, "--html", "--out", name}).code == 0);
    const json report = parse_json(contents_of(shell.work() / name / "report.json"), "report.json");
    const std::string page = contents_of(shell.work() / name / "timeline.html");
    for (const json& process : report["statistics"]["background_processing"]) {
      std::uint64_t variants = 0;
      std::uint64_t specialised = 0;
      std::uint64_t saved = 0;
      std::set<std::string> names;
      for (const json& row : process["pipelines"]) {
        variants += row["variants"].get<std::uint64_t>();
        specialised += row["specialised_executions"].get<std::uint64_t>();
        saved += row["saved_instructions"].get<std::uint64_t>();
        CHECK(row["executions"] > 0);
        CHECK(row["executions"] >= row["specialised_executions"]);
        const std::string pipeline = row["pipeline"];
        CHECK(names.insert(pipeline).second);
        CHECK_THAT(page, Contains("<tr><td>" + pipeline + "</td>"));
      }
      CHECK(process["variants"] == variants);
      CHECK(process["specialised_executions"] == specialised);
      CHECK(process["saved_instructions"] == saved);
      if (name == std::string("pgo_single_frame")) CHECK(names == std::set<std::string>{"lighting", "scene"});
    }
  }
}
