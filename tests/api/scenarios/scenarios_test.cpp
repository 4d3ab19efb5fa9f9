// SPDX-License-Identifier: Apache-2.0
// Plays tests/scenarios: small runs whose results were worked out by hand from docs/scheduling.md and docs/display.md,
// without a look at the code. tests/scenarios/README.md says what a file holds.
#include "api/report/run/run.hpp"
#include "api/workload/replay/replayed.hpp"
#include "sim/config/json_file.hpp"
#include "tests/api/scenarios/expectations.hpp"
#include "tests/support/places.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
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

Broken broken_by(const json& scenario) {
  for (const auto& item : scenario.items()) {
    static const std::set<std::string> keys = {"rule", "why", "machine", "set", "replay", "workload", "expect"};
    if (keys.count(item.key()) == 0) malformed(item.key());
  }
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
  try {
    loaded = load_workload(file, scenario.value("machine", "tiny"), scenario.value("set", std::vector<std::string>{}));
    loaded = replayed(std::move(*loaded), choice_of(scenario.value("replay", json::object())), file.string());
  } catch (const std::exception& refusal) {
    played.refused = refusal.what();
  }
  if (loaded) {
    RunOptions options;
    options.check_invariants = true;
    options.progress = &played.log;
    options.passes = scenario.value("replay", json::object()).value("loop", 1);
    const json& expect = scenario.at("expect");
    if (expect.contains("attempts") || expect.contains("swap_chains") || expect.contains("residency"))
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
    }
  }
  return broken_of(scenario.at("expect"), played);
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
    DYNAMIC_SECTION(file) {
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
}
