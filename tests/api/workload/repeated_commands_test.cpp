// SPDX-License-Identifier: Apache-2.0
// Commands that a list says once and has several times.
#include "api/workload/recorder.hpp"
#include "tests/api/report/recording.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <string>

using namespace fenceline;
using namespace fenceline::testing;
using nlohmann::json;

namespace {

/// The commands with each `repeat` written out.
json written_out(const json& commands) {
  json all = json::array();
  for (const json& command : commands) {
    if (command["type"] != "repeat") {
      all.push_back(command);
      continue;
    }
    for (int round = 0; round < command["count"].get<int>(); ++round) {
      for (const json& inner : command["commands"]) all.push_back(inner);
    }
  }
  return all;
}

}  // namespace

TEST_CASE("repeated commands: shipped workloads play as if they were written out, to the byte", "[cli]") {
  const Shell shell;
  for (const char* name : {"game_and_compositor", "vr_timewarp", "two_linked_adapters"}) {
    CAPTURE(name);
    json document = load_json(shipped_workload(name));
    std::size_t shorter = 0;
    for (json& list : document["command_lists"]) {
      const json all = written_out(list["commands"]);
      if (list.contains("split_offsets")) {  // they count what is written
        REQUIRE(list["split_offsets"] == json::parse("[1, 2]"));
        list["split_offsets"] = json::parse("[8, 16]");
        for (json& patch : list["patches"]) patch["command"] = patch["command"].get<int>() * 8;
      }
      shorter += all.size() - list["commands"].size();
      list["commands"] = all;
    }
    CHECK(shorter > 20);
    shell.write("written_out.json", document.dump());
    REQUIRE(shell.fenceline({"run", shipped_workload(name).string(), "--out", "repeated"}).code == 0);
    REQUIRE(shell.fenceline({"run", "written_out.json", "--out", "plain"}).code == 0);
    for (const char* file : {"packets.csv", "preemptions.csv", "log.txt"}) {
      CAPTURE(file);
      CHECK(contents_of(shell.work() / "repeated" / file) == contents_of(shell.work() / "plain" / file));
    }
    CHECK(shell.fenceline({"info", "written_out.json", "--json"}).code == 0);
    const json counts = json::parse(shell.fenceline({"info", "written_out.json", "--json"}).out);
    CHECK(json::parse(shell.fenceline({"info", shipped_workload(name).string(), "--json"}).out)["commands"] ==
          counts["commands"]);
  }
}

TEST_CASE("repeated commands: they are recorded round after round, bundles and markers among them", "[workload]") {
  const Streams streams =
      record({{"inner", "bundle", draw + R"(, {"type": "repeat", "count": 2, "commands": [)" + draw + "]}"},
              {"outer", "direct", dispatch + R"(, {"type": "repeat", "count": 3, "commands": [
          {"type": "begin_event", "name": "round"}, {"type": "execute_bundle", "bundle": "inner"}, {"type": "end_event"},
          {"type": "barrier"}]}, )" + dispatch}});
  REQUIRE(streams.size() == 2);
  CHECK(streams[0]->commands.size() == 3);
  const CommandStream& outer = *streams[1];
  REQUIRE(outer.commands.size() == 1 + 3 * 4 + 1);
  for (std::size_t i = 0; i < outer.commands.size(); ++i) {
    CAPTURE(i);
    const bool is_grid = i == 0 || i == 13;
    CHECK(std::holds_alternative<Dispatch>(outer.commands[i]) == is_grid);
    CHECK(std::holds_alternative<Barrier>(outer.commands[i]) == (!is_grid && i % 4 == 0));
    CHECK(std::holds_alternative<Draw>(outer.commands[i]) == (!is_grid && i % 4 != 0));
  }
  REQUIRE(outer.markers.size() == 6);
  CHECK(outer.markers[2].command == 5);
  CHECK(outer.markers[3].command == 8);
  CHECK(outer.splits.bundles.size() == 3);
}

TEST_CASE("repeated commands: split offsets count a repeat as one command", "[workload]") {
  json workload = recording_workload();
  workload["command_lists"] = json::parse(R"([{"name": "list", "type": "compute", "split_offsets": [1, 2], "commands": [
    {"type": "repeat", "count": 4, "commands": [{"type": "dispatch", "pipeline": "cs", "x": 1}, {"type": "barrier"}]},
    {"type": "barrier"}, {"type": "barrier"}]}])");
  const Streams streams = record_lists(read_config<Workload>(workload, "w.json"), "w.json");
  REQUIRE(streams[0]->splits.offsets);
  CHECK(*streams[0]->splits.offsets == std::vector<std::size_t>{8, 9});
  workload["command_lists"][0]["split_offsets"] = json::array({3});
  CHECK_THROWS_WITH(record_lists(read_config<Workload>(workload, "w.json"), "w.json"),
                    Catch::Contains("/command_lists/0/split_offsets/0"));
}
