// SPDX-License-Identifier: Apache-2.0
#include "api/compare/run_inputs.hpp"

#include "api/capture/file/recorded_run.hpp"
#include "api/workload/load/overrides.hpp"
#include "sim/config/config.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fenceline {
namespace {

using nlohmann::json;

void apply(json& document, const std::vector<std::string>& sets) {
  if (sets.empty() || document.is_null()) return;
  nlohmann::ordered_json changed(document);
  for (const std::string& set : sets) apply_override(changed, set);
  document = json(std::move(changed));
}

}  // namespace

json run_inputs(const json& report) {
  json inputs;
  for (const char* key : {"machine", "workload", "run", "fenceline"}) inputs[key] = report.value(key, json());
  json& run = inputs["run"];
  if (run.is_null()) run = json::object();
  const bool has_change = run.is_object() && run.contains("change");
  const PlayedHow how = has_change ? read_config<PlayedHow>(run, "report.json", "/run") : PlayedHow{};
  if (run.is_object()) run["change"] = json::object();
  if (!how.change) return inputs;
  const Overrides overrides(how.change->set);
  apply(inputs["machine"], overrides.machine);
  apply(inputs["workload"], overrides.workload);
  run["change"]["at_ps"] = how.change->at_ps;
  return inputs;
}

}  // namespace fenceline
