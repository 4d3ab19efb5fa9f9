// SPDX-License-Identifier: Apache-2.0
#include "tests/knobs/scenario.hpp"

#include "api/report/run/run.hpp"
#include "sim/config/config.hpp"
#include "sim/config/json_file.hpp"
#include "tests/support/places.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/temporary_directory.hpp"

#include <cstdlib>

namespace fenceline::testing {
namespace {

class Warnings final : public LogSink {
 public:
  void message(const EventLog&, const Message& message) override {
    if (message.severity != Severity::info) text += message.text + '\n';
  }
  std::string text;
};

}  // namespace

std::vector<Scenario> scenarios() {
  std::vector<Scenario> list;
  for (const auto& one : load_json(source_directory() / "tests/knobs/scenarios.json")) {
    list.push_back({one["name"], one["workload"], one.value("set", std::vector<std::string>())});
  }
  return list;
}

LoadedWorkload load(const Scenario& scenario, const std::vector<std::string>& more) {
  std::vector<std::string> sets = scenario.sets;
  sets.insert(sets.end(), more.begin(), more.end());
  return load_workload(source_directory() / scenario.workload, "", sets);
}

std::string result_of(const LoadedWorkload& loaded) {
  ::setenv("FENCELINE_CHECK_INVARIANTS", "0", 1);
  const TemporaryDirectory directory;
  Warnings warnings;
  RunOptions options;
  options.directory = directory / "run";
  options.progress = &warnings;
  RunResult result;
  run_workload(loaded, options, result);
  nlohmann::json statistics = load_json(directory / "run/report.json")["statistics"];
  statistics["preemption"].erase("caps");  // what the machine says of itself
  if (statistics.contains("residency")) statistics["residency"].erase("resident_bytes");  // of unused ones, too
  return statistics.dump() + contents_of(directory / "run/packets.csv") + contents_of(directory / "run/markers.csv") +
         warnings.text;
}

nlohmann::ordered_json effective(const LoadedWorkload& loaded) {
  nlohmann::ordered_json document = dump_config(loaded.machine);
  document["workload"] = dump_config(loaded.workload);
  return document;
}

}  // namespace fenceline::testing
