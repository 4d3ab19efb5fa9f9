// SPDX-License-Identifier: Apache-2.0
// Beats: times that repeats, sleeps and deadlines of a workload have in common.
#include "api/workload/beats.hpp"

#include "api/workload/program.hpp"
#include "sim/config/config.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using nlohmann::json;

namespace {

Workload resolved(const json& document) {
  auto workload = read_config<Workload>(document, "w.json");
  resolve_beats(workload, "w.json");
  return workload;
}

json with_cpu(json timeline) {
  json document = small_workload();
  document["cpus"][0]["timeline"] = std::move(timeline);
  document["queues"][1]["timeline"] = json::array();
  document["deadlines"] = json::array();
  return document;
}

}  // namespace

TEST_CASE("beats: repeats, sleeps and deadlines get the times that were worked out by hand", "[workload]") {
  json document = with_cpu(json::parse(R"([
    {"type": "sleep_until", "beat": "vsync", "offset_us": -3},
    {"type": "repeat", "beat": "vsync", "steps": [
      {"type": "sleep_until", "beat": "vsync", "offset_us": -2.5},
      {"type": "sleep_until", "beat": "vsync", "offset_us": 1, "from_iteration": 2},
      {"type": "sleep_until", "beat": "game", "from_iteration": 1},
      {"type": "execute", "queue": "direct", "lists": ["draws"]}
    ]},
    {"type": "repeat", "count": 2, "steps": [{"type": "sleep_until", "beat": "game", "offset_us": 100}]}
  ])"));
  document["queues"][0]["timeline"] = json::array({{{"type", "repeat"}, {"beat", "game"}, {"steps", json::array()}}});
  document["beats"] = json::parse(R"([{"name": "vsync", "us": 5, "us_step": 4, "count": 7},
                                      {"name": "game", "us": 0, "us_step": 16.5, "count": 3}])");
  document["deadlines"] = json::parse(R"([
    {"name": "shown", "fence": "a", "value": 1, "value_step": 1, "beat": "vsync"},
    {"name": "done", "fence": "a", "value": 1, "beat": "game", "offset_us": 16.5},
    {"name": "early", "fence": "b", "value": 1, "beat": "vsync", "offset_us": -5}
  ])");
  const nlohmann::ordered_json found = dump_config(resolved(document));
  const auto at = [&](const char* pointer) { return found.at(nlohmann::ordered_json::json_pointer(pointer)); };
  const auto times = [&](const std::string& pointer) {
    return std::vector<double>{at((pointer + "/us").c_str()).get<double>(),
                               at((pointer + "/us_step").c_str()).get<double>()};
  };
  CHECK(times("/cpus/0/timeline/0") == std::vector<double>{2, 0});
  CHECK(at("/cpus/0/timeline/1/count") == 7);
  CHECK(times("/cpus/0/timeline/1/steps/0") == std::vector<double>{2.5, 4});
  CHECK(times("/cpus/0/timeline/1/steps/1") == std::vector<double>{14, 4});       // 5 + 2 * 4 + 1
  CHECK(times("/cpus/0/timeline/1/steps/2") == std::vector<double>{16.5, 16.5});  // goes on beyond the beat's three
  CHECK(times("/cpus/0/timeline/2/steps/0") == std::vector<double>{100, 16.5});
  CHECK(at("/cpus/0/timeline/2/count") == 2);
  CHECK(at("/queues/0/timeline/0/count") == 3);
  CHECK(times("/deadlines/0") == std::vector<double>{5, 4});
  CHECK(at("/deadlines/0/count") == 7);
  CHECK(times("/deadlines/1") == std::vector<double>{16.5, 16.5});
  CHECK(at("/deadlines/1/count") == 3);
  CHECK(times("/deadlines/2") == std::vector<double>{0, 4});
  CHECK(at("/beats").empty());
  CHECK(found.dump().find("\"beat\"") == std::string::npos);
  CHECK(found == dump_config(read_config<Workload>(json(found), "again.json")));
}

TEST_CASE("beats: a workload that names them does what one does that writes the times down", "[workload]") {
  std::mt19937 random(20);
  const auto upto = [&](std::uint64_t most) { return std::uniform_int_distribution<std::uint64_t>(0, most)(random); };
  for (int round = 0; round < 200; ++round) {
    json beats = json::array();
    for (std::uint64_t i = 0; i <= upto(2); ++i) {
      beats.push_back({{"name", fmt::format("beat {}", i)},
                       {"us", 50 + static_cast<double>(upto(5000)) / 7},
                       {"us_step", static_cast<double>(upto(5000)) / 13},
                       {"count", 1 + upto(5)}});
    }
    const auto any_beat = [&]() -> const json& { return beats[upto(beats.size() - 1)]; };
    const auto offset = [&] { return static_cast<double>(upto(800)) / 8 - 50; };
    json named = json::array();
    json plain = json::array();
    for (std::uint64_t i = 0; i <= upto(3); ++i) {
      const json& times = any_beat();
      json repeat = {{"type", "repeat"}, {"steps", json::array()}};
      json same = repeat;
      repeat["beat"] = times["name"];
      same["count"] = times["count"];
      for (std::uint64_t k = 0; k <= upto(2); ++k) {
        const json& beat = any_beat();
        const double by_us = offset();
        const std::uint64_t from = upto(times["count"].get<std::uint64_t>() - 1);
        repeat["steps"].push_back(
            {{"type", "sleep_until"}, {"beat", beat["name"]}, {"offset_us", by_us}, {"from_iteration", from}});
        same["steps"].push_back(
            {{"type", "sleep_until"},
             {"us", beat["us"].get<double>() + beat["us_step"].get<double>() * static_cast<double>(from) + by_us},
             {"us_step", beat["us_step"]},
             {"from_iteration", from}});
      }
      named.push_back(repeat);
      plain.push_back(same);
    }
    json with_names = with_cpu(named);
    with_names["beats"] = beats;
    CAPTURE(with_names["cpus"], beats);
    const Program found = make_program(read_config<Workload>(with_names, "w.json"), "w.json");
    const Program expected = make_program(read_config<Workload>(with_cpu(plain), "w.json"), "w.json");
    REQUIRE(found.cpu_timelines.size() == expected.cpu_timelines.size());
    const auto& blocks = found.cpu_timelines[0].blocks;
    REQUIRE(blocks.size() == expected.cpu_timelines[0].blocks.size());
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const StepBlock& other = expected.cpu_timelines[0].blocks[i];
      CHECK(blocks[i].count == other.count);
      REQUIRE(blocks[i].steps.size() == other.steps.size());
      for (std::size_t k = 0; k < other.steps.size(); ++k) {
        const auto apart = static_cast<std::int64_t>(blocks[i].steps[k].until_ps - other.steps[k].until_ps);
        CHECK(std::abs(apart) <= 4);  // rounded to picoseconds once for each iteration left out
        CHECK(blocks[i].steps[k].until_step_ps == other.steps[k].until_step_ps);
        CHECK(blocks[i].steps[k].from_iteration == other.steps[k].from_iteration);
      }
    }
  }
}

TEST_CASE("beats: --set of one number moves all that keeps it, and what a run recorded plays the same", "[cli]") {
  const Shell shell;
  const std::string workload = shipped_workload("game_and_compositor").string();
  REQUIRE(shell.fenceline({"run", workload, "--out", "plain"}).code == 0);
  REQUIRE(shell
              .fenceline({"run", workload, "--set", "/workload/beats/vsync/us_step=8333.333333", "--set",
                          "/workload/beats/vsync/us=8333.333333", "--out", "slower"})
              .code == 0);
  const auto due = [&](const std::string& run) {
    std::vector<std::uint64_t> times;
    const json report = json::parse(contents_of(shell.work() / run / "report.json"));
    for (const json& time : report["statistics"]["deadline_times"]) {
      if (time["deadline"] == "vsync") times.push_back(time["due_ps"].get<std::uint64_t>());
    }
    return times;
  };
  REQUIRE(due("plain").size() == 12);
  REQUIRE(due("slower").size() == 12);
  CHECK(due("plain")[11] == 12 * 6944444444U);
  CHECK(due("slower")[11] == 12 * 8333333333U);
  // The compositor wakes 3 ms before each of them.
  const json report = json::parse(contents_of(shell.work() / "slower/report.json"));
  const json& times = report["statistics"]["deadline_times"];
  const auto first =
      std::find_if(times.begin(), times.end(), [](const json& one) { return one["deadline"] == "vsync"; });
  REQUIRE(first != times.end());
  CHECK((*first)["packet"]["submitted_ps"] == 5'333'333'333);
  CHECK(report["workload"]["beats"][1]["us_step"] == 8333.333333);
  REQUIRE(shell.fenceline({"run", "slower/report.json", "--out", "again"}).code == 0);
  CHECK(contents_of(shell.work() / "again/packets.csv") == contents_of(shell.work() / "slower/packets.csv"));
  const auto wrong = shell.fenceline({"run", workload, "--set", "/workload/beats/vsnyc/us=5"});
  CHECK(wrong.code == 2);
  CHECK(wrong.err.find("did you mean \"vsync\"") != std::string::npos);
}
