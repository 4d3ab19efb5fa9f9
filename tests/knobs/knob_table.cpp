// SPDX-License-Identifier: Apache-2.0
#include "tests/knobs/knob_table.hpp"

#include "api/workload/workload.hpp"
#include "sim/config/config.hpp"
#include "sim/config/json_file.hpp"
#include "sim/config/json_pointer.hpp"
#include "tests/knobs/parameters.hpp"
#include "tests/support/places.hpp"
#include "tests/support/samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <set>
#include <stdexcept>

namespace fenceline::testing {
namespace {

using Json = nlohmann::ordered_json;

const std::filesystem::path knobs = source_directory() / "tests/knobs";

std::map<std::string, std::string> reasons(const nlohmann::json& object) {
  return object.get<std::map<std::string, std::string>>();
}

void add_names(const Json& json, std::set<std::string>& names) {
  if (!json.is_structured()) return;
  for (const auto& [key, value] : json.items()) {
    if (key == "name" && value.is_string()) names.insert(value.get<std::string>());
    add_names(value, names);
  }
}

/// Values to try instead of one, the best first: twice as much, then others.
std::vector<Json> others(const Json& value, const ValueType& type, const std::vector<std::string>& names) {
  std::vector<Json> result;
  if (const auto* enumeration = type.as<EnumType>()) {
    for (const auto& [number, name] : enumeration->names) result.emplace_back(name);
  } else if (value.is_boolean()) {
    result.emplace_back(!value.get<bool>());
  } else if (value.is_number_integer()) {
    const auto number = value.get<std::int64_t>();
    if (number == 0) return {1};
    result = {2 * number, number / 2, number + 1};
  } else if (value.is_number()) {
    const auto number = value.get<double>();
    if (number == 0) return {1};
    result = {2 * number, number / 2};
  } else {
    for (const std::string& name : names) result.emplace_back(name);
  }
  result.erase(std::remove(result.begin(), result.end(), value), result.end());
  return result;
}

std::string assignment(const std::string& pointer, const std::string& value) { return pointer + '=' + value; }

const ValueType& type_at(const std::string& parameter) {
  static const std::map<std::string, const ValueType*> types = [] {
    std::map<std::string, const ValueType*> all;
    for (const Place& place : parameter_places(type_of<MachineConfig>())) all[place.parameter] = place.type;
    for (const Place& place : parameter_places(type_of<Workload>())) all["/workload" + place.parameter] = place.type;
    return all;
  }();
  return *types.at(parameter);
}

}  // namespace

Exemptions exemptions() {
  const nlohmann::json file = load_json(knobs / "exempt.json");
  return {reasons(file["keys"]), reasons(file["programs"]), reasons(file["files"]), reasons(file["ignored"]),
          reasons(file["addresses"])};
}

std::vector<std::string> all_parameters() {
  std::vector<std::string> all;
  for (const Place& place : parameter_places(type_of<MachineConfig>())) all.push_back(place.parameter);
  for (const Place& place : parameter_places(type_of<Workload>())) {
    // Commands in a repeat are those outside of one: repeated_commands_test.cpp holds them against each other.
    if (place.parameter.find("/commands/*:repeat/commands/") != std::string::npos) continue;
    all.push_back("/workload" + place.parameter);
  }
  return all;
}

bool exempt(const Exemptions& exemptions, const std::string& parameter) {
  const std::string key = parameter.substr(parameter.rfind('/') + 1);
  return exemptions.keys.count(key) + exemptions.programs.count(parameter) + exemptions.files.count(parameter) +
             exemptions.ignored.count(parameter) >
         0;
}

std::vector<Proof> read_table() {
  std::vector<Proof> proofs;
  for (const auto& row : load_json(knobs / "table.json")) {
    proofs.push_back({row["parameter"], row["scenario"], row["at"], row["from"], row["to"], row.contains("refused")});
  }
  return proofs;
}

Json dump_table(const std::vector<Proof>& proofs) {
  Json table = Json::array();
  for (const Proof& proof : proofs) {
    Json row = {{"parameter", proof.parameter},
                {"scenario", proof.scenario},
                {"at", proof.pointer},
                {"from", proof.from},
                {"to", proof.to}};
    if (proof.refused) row["refused"] = true;
    table.push_back(std::move(row));
  }
  return table;
}

Prover::Prover(const std::vector<Scenario>& scenarios) {
  for (const Scenario& scenario : scenarios) {
    Base base;
    base.scenario = scenario;
    const LoadedWorkload loaded = load(base.scenario);
    base.effective = effective(loaded);
    for (const Place& place : places_in(type_of<MachineConfig>(), base.effective)) {
      base.pointers.emplace(place.parameter, place.pointer);
    }
    for (const Place& place : places_in(type_of<Workload>(), base.effective["workload"])) {
      base.pointers.emplace("/workload" + place.parameter, "/workload" + place.pointer);
    }
    std::set<std::string> names;
    add_names(base.effective, names);
    for (const auto& [name, path] : base.effective["submission_paths"].items()) names.insert(name);
    base.names.assign(names.begin(), names.end());
    base.names.emplace_back("tiny");
    base.names.emplace_back("");
    bases_.push_back(std::move(base));
  }
}

Prover::Base* Prover::base_of(const std::string& scenario) {
  const auto found =
      std::find_if(bases_.begin(), bases_.end(), [&](const Base& base) { return base.scenario.name == scenario; });
  return found == bases_.end() ? nullptr : &*found;
}

const std::string& Prover::result(Base& base) {
  if (!base.result) base.result = result_of(load(base.scenario));
  return *base.result;
}

bool Prover::holds(const Proof& proof) {
  Base* base = base_of(proof.scenario);
  if (base == nullptr) return false;
  const Json::json_pointer pointer(proof.pointer);
  if (!base->effective.contains(pointer) || base->effective[pointer].dump() != proof.from) return false;
  LoadedWorkload changed;
  try {
    changed = load(base->scenario, {assignment(proof.pointer, proof.to)});
  } catch (const ConfigError&) {
    return proof.refused;
  }
  try {
    return !proof.refused && result_of(changed) != result(*base);
  } catch (const std::exception& error) {
    throw std::runtime_error(fmt::format("{}: {}={}: {}", proof.scenario, proof.pointer, proof.to, error.what()));
  }
}

std::vector<Proof> Prover::changes(const std::string& scenario, const std::string& pointer) {
  std::vector<Proof> result;
  Base* base = base_of(scenario);
  const Exemptions without = exemptions();
  for (const auto& [parameter, at] : base->pointers) {
    if (!pointer_within(at, pointer) || without.keys.count(at.substr(at.rfind('/') + 1)) > 0) continue;
    const Json& value = base->effective[Json::json_pointer(at)];
    for (const Json& other : others(value, type_at(parameter), base->names)) {
      result.push_back({parameter, scenario, at, value.dump(), other.dump()});
    }
  }
  return result;
}

std::optional<Proof> Prover::find(const std::string& parameter, bool refused,
                                  const std::function<bool(const Proof&)>& holds) {
  const ValueType& type = type_at(parameter);
  for (const bool doubled : {true, false}) {
    for (Base& base : bases_) {
      const auto [first, last] = base.pointers.equal_range(parameter);
      for (auto place = first; place != last; ++place) {
        const Json& value = base.effective[Json::json_pointer(place->second)];
        const std::vector<Json> values = others(value, type, base.names);
        for (std::size_t i = doubled ? 0 : 1; i < (doubled ? std::min<std::size_t>(1, values.size()) : values.size());
             ++i) {
          Proof proof{parameter, base.scenario.name, place->second, value.dump(), values[i].dump(), refused};
          if (holds(proof)) return proof;
        }
      }
    }
  }
  return {};
}

}  // namespace fenceline::testing
