// SPDX-License-Identifier: Apache-2.0
#include "sim/config/json_file.hpp"
#include "tests/support/places.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <map>
#include <string>

namespace fenceline::testing {
namespace {

using nlohmann::json;

json report_of(const Shell& shell, std::vector<std::string> sets) {
  std::vector<std::string> arguments{
      "run", (source_directory() / "configs/workloads/cold_and_warm_start.json").string(), "--json"};
  for (std::string& set : sets) {
    arguments.emplace_back("--set");
    arguments.push_back(std::move(set));
  }
  const Output output = shell.fenceline(arguments);
  REQUIRE(output.code == 0);
  return parse_json(output.out, "report.json");
}

/// Mean time on screen by launch, milliseconds.
std::map<std::string, double> frame_ms(const json& report) {
  std::map<std::string, double> frames;
  for (const json& chain : report["statistics"]["swap_chains"]) {
    frames[chain["swap_chain"]] = chain["frame_ps"]["mean"].get<double>() / 1e9;
  }
  return frames;
}

}  // namespace

TEST_CASE("cold start: a game of 1,000 pipeline states stutters cold and after a driver update, and not when warm",
          "[api]") {
  const Shell shell;
  const json report = report_of(shell, {});
  const json& made = report["statistics"]["pipeline_creation"];
  REQUIRE(made.size() == 3);
  // 640 opaque ones of 300 instructions in two shaders (80 and 220), 360 for post-processing of 150 in one.
  const double compiling = 640 * (10'000 + 105 * 300.) + 360 * (10'000 + 105 * 150.);
  const double converting = 640 * (2 * 1000 + 10 * 300.) + 360 * (1000 + 10 * 150.);
  const double converted = 640 * (2 * 55 + 0.3 * 300) + 360 * (55 + 0.3 * 150);
  const double compiled = 640 * (55 + 0.3 * 300) + 360 * (55 + 0.3 * 150);
  const std::map<std::string, double> cpu_us{
      {"cold", compiling + converting}, {"warm", compiled + converted}, {"after_update", compiling + converted}};
  for (const json& one : made) {
    const std::string launch = one["process"];
    INFO(launch);
    CHECK(one["created"] == 1000);
    CHECK(one["compiled"] == (launch == "warm" ? 0 : 1000));
    CHECK(one["converted"] == (launch == "cold" ? 1640 : 0));
    CHECK(one["conversions_found"] == (launch == "cold" ? 0 : 1640));
    CHECK(one["cpu_ps"].get<double>() / 1e6 == Approx(cpu_us.at(launch)));
  }
  const auto frames = frame_ms(report);
  CHECK(frames.at("cold") > 10 * frames.at("warm"));
  CHECK(frames.at("after_update") > 10 * frames.at("warm"));
  CHECK(frames.at("after_update") < frames.at("cold"));
  CHECK(frames.at("warm") == Approx(1000. / 60).epsilon(0.01));
}

TEST_CASE("cold start: with warm caches no launch stutters but the one after the update", "[api]") {
  const Shell shell;
  const auto frames = frame_ms(report_of(shell, {"/shader_cache/start=warm"}));
  CHECK(frames.at("cold") == frames.at("warm"));
  CHECK(frames.at("after_update") > 10 * frames.at("warm"));
}

TEST_CASE("cold start: a run with a directory begins with what the last one left, and others know nothing of it",
          "[api]") {
  const Shell shell;
  const std::string directory = "/shader_cache/directory=kept";
  const json alone = report_of(shell, {});
  const json first = report_of(shell, {directory});
  const json second = report_of(shell, {directory});
  CHECK(first["statistics"]["pipeline_creation"] == alone["statistics"]["pipeline_creation"]);
  CHECK(report_of(shell, {})["statistics"] == alone["statistics"]);
  std::map<std::string, std::uint64_t> compiled;
  for (const json& one : second["statistics"]["pipeline_creation"]) {
    compiled[one["process"]] = one["compiled"];
    CHECK(one["converted"] == 0);
  }
  // The last run ended with an updated driver: to that of this run, the former version, its compilations are of no use.
  CHECK(compiled == std::map<std::string, std::uint64_t>{{"cold", 1000}, {"warm", 0}, {"after_update", 1000}});
  const json updated = report_of(shell, {directory, "/shader_cache/driver_revision=1"});
  for (const json& one : updated["statistics"]["pipeline_creation"]) {
    if (one["process"] == "cold") CHECK(one["compiled"] == 0);
  }
}

}  // namespace fenceline::testing
