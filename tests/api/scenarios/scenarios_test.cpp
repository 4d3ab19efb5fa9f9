// SPDX-License-Identifier: Apache-2.0
// Plays tests/scenarios: small runs whose results were worked out by hand from docs/scheduling.md and docs/display.md,
// without a look at the code. tests/scenarios/README.md says what a file holds.
#include "api/capture/file/recorded_run.hpp"
#include "api/report/run/run.hpp"
#include "api/workload/load/live_change.hpp"
#include "api/workload/replay/replayed.hpp"
#include "sim/config/json_file.hpp"
#include "sim/config_error.hpp"
#include "tests/api/scenarios/expectations.hpp"
#include "tests/support/places.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using nlohmann::json;

namespace {

const std::filesystem::path scenarios = source_directory() / "tests/scenarios";

ReplayChoice choice_of(const json& replay) {
  ReplayChoice choice;
  for (const auto& [key, value] : replay.items()) {
    if (key == "from") choice.range.from = point_of(value, "--from");
    if (key == "to") choice.range.to = point_of(value, "--to");
    if (key == "single_queue") choice.single_queue = value;
    static const std::set<std::string> keys = {"from", "to", "single_queue", "loop"};
    if (keys.count(key) == 0) malformed(key);
  }
  return choice;
}

/// What changes while the machine runs (docs/replay.md, rule 24e). Throws ConfigError where it cannot.
std::shared_ptr<const PlayedChange> change_of(const json& fork, const LoadedWorkload& loaded) {
  PlayedChange change;
  change.at_ps = static_cast<std::uint64_t>(std::llround(fork.at("at_us").get<double>() * 1e6));
  change.set = fork.at("set").get<std::vector<std::string>>();
  live_change(loaded.workload, loaded.machine, change.set);
  return std::make_shared<const PlayedChange>(std::move(change));
}

/// Changes of `resident_threads` in a detailed trace: pairs of a time in microseconds and the threads from then on.
json residents_in(const std::filesystem::path& trace) {
  json changes = json::array();
  const json document = load_json(trace);
  for (const json& event : document.at("traceEvents")) {
    if (event.at("ph") != "C" || !event.at("args").contains("resident_threads")) continue;
    changes.push_back({event.at("ts"), event.at("args").at("resident_threads")});
  }
  return changes;
}

enum class Forked : std::uint8_t { changed, unchanged };

Broken broken_by(const json& scenario, Forked forked) {
  for (const auto& item : scenario.items()) {
    static const std::set<std::string> keys = {"rule",     "why",    "machine",         "set", "fork", "replay",
                                               "workload", "expect", "expect_unchanged"};
    if (keys.count(item.key()) == 0) malformed(item.key());
  }
  const json& expect = scenario.at(forked == Forked::changed ? "expect" : "expect_unchanged");
  const Shell shell;
  // A name is a shipped workload.
  std::filesystem::path file = shell.work() / "workload.json";
  if (scenario.at("workload").is_string()) {
    file = shipped_workload(scenario["workload"]);
  } else {
    shell.write("workload.json", scenario["workload"].dump());
  }
  PlayedFile played;
  std::optional<LoadedWorkload> loaded;
  RunOptions options;
  try {
    loaded = load_workload(file, scenario.value("machine", "tiny"), scenario.value("set", std::vector<std::string>{}));
    loaded = replayed(std::move(*loaded), choice_of(scenario.value("replay", json::object())), file.string());
    if (forked == Forked::changed && scenario.contains("fork")) options.change = change_of(scenario["fork"], *loaded);
  } catch (const std::exception& refusal) {
    const auto* config = dynamic_cast<const ConfigError*>(&refusal);
    played.refused = config != nullptr ? config->lines() : refusal.what();
  }
  if (loaded && !played.refused) {
    options.check_invariants = true;
    options.progress = &played.log;
    options.passes = scenario.value("replay", json::object()).value("loop", 1);
    options.detailed_trace = expect.contains("resident_threads");
    if (options.detailed_trace || expect.contains("attempts") || expect.contains("swap_chains") ||
        expect.contains("residency"))
      options.directory = shell.work() / "run";
    try {
      run_workload(*loaded, options, played.result);
    } catch (const std::exception& error) {
      return {std::string("the run failed: ") + error.what()};
    }
    if (!options.directory.empty()) {
      const json report = load_json(options.directory / "report.json");
      const json none = json::object();
      played.swap_chains = report["statistics"].value("swap_chains", json::array());
      played.residency = report["statistics"].value("residency", json::object());
      played.attempts = report["statistics"].value("preemption", none).value("attempts", none);
      if (options.detailed_trace) played.resident_threads = residents_in(options.directory / "trace.json");
    }
  }
  return broken_of(expect, played);
}

/// Of both runs, where there is a fork.
Broken broken_by(const json& scenario) {
  Broken broken = broken_by(scenario, Forked::changed);
  if (!scenario.contains("expect_unchanged")) return broken;
  if (!scenario.contains("fork")) malformed("expect_unchanged without fork");
  for (const std::string& sentence : broken_by(scenario, Forked::unchanged)) broken.push_back("unchanged: " + sentence);
  return broken;
}

/// Scenarios that do not hold yet, from pending.txt. A path, and "endless" behind it where the run would not end.
std::map<std::string, bool> pending_scenarios() {
  std::map<std::string, bool> pending;
  std::ifstream file(scenarios / "pending.txt");
  REQUIRE(file);
  for (std::string line; std::getline(file, line);) {
    if (line.empty()) continue;
    const std::string path = line.substr(0, line.find(' '));
    const std::string rest = line.substr(path.size());
    if (!rest.empty() && rest != " endless") malformed("pending.txt: " + line);
    if (!std::filesystem::exists(scenarios / path)) malformed("pending.txt: no file " + path);
    pending[path] = !rest.empty();
  }
  return pending;
}

std::vector<std::string> scenario_files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(scenarios)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path().lexically_relative(scenarios).string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

TEST_CASE("scenarios: every result worked out by hand is what a run shows", "[blind]") {
  const std::map<std::string, bool> pending = pending_scenarios();
  const std::vector<std::string> files = scenario_files();
  REQUIRE(files.size() >= 60);
  for (const std::string& file : files) {
    INFO(file);
    const auto waiting = pending.find(file);
    if (waiting != pending.end() && waiting->second) continue;
    const json scenario = load_json(scenarios / file);
    const Broken broken = broken_by(scenario);
    if (waiting != pending.end()) {
      if (broken.empty()) FAIL_CHECK(file << " holds now: take it out of tests/scenarios/pending.txt");
      continue;
    }
    for (const std::string& sentence : broken) {
      FAIL_CHECK(file << " (" << scenario.at("rule").get<std::string>() << "): " << sentence);
    }
    CHECK(broken.empty());
  }
}
