// SPDX-License-Identifier: Apache-2.0
#include "api/machine_change.hpp"

#include "sim/config/config.hpp"
#include "sim/config/json_pointer.hpp"
#include "sim/config/overrides.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace fenceline {
namespace {

/// Refuses differences that are not live; of one operation of JSON Patch alone, if one is given.
void check_live(const nlohmann::ordered_json& before, const nlohmann::ordered_json& after, const char* operation = "") {
  const nlohmann::json difference = nlohmann::json::diff(nlohmann::json(before), nlohmann::json(after));
  for (const nlohmann::json& one : difference) {
    if (*operation != '\0' && one.at("op") != operation) continue;
    const std::string pointer = one.at("path");
    if (!reaches_any(live_parameters(), pointer)) refuse_not_live(pointer, "what is decided when it is made");
  }
}

}  // namespace

const std::vector<std::string>& live_parameters() {
  static const std::vector<std::string> pointers = {"/scheduler/bands",
                                                    "/scheduler/enable_preemption",
                                                    "/engines/*/graphics_preemption",
                                                    "/engines/*/compute_preemption",
                                                    "/engines/*/preemption",
                                                    "/engines/*/context_state/bytes",
                                                    "/engines/*/context_state/thread_bytes",
                                                    "/engines/*/context_state/save_us",
                                                    "/engines/*/context_state/restore_us",
                                                    "/engines/*/context_state/switch_us",
                                                    "/engines/*/context_state/gb_per_s"};
  return pointers;
}

const std::vector<std::string>& live_workload_parameters() {
  static const std::vector<std::string> pointers = {
      "/workload/queues/*/priority",       "/workload/queues/*/in_process_priority",
      "/workload/queues/*/realtime_level", "/workload/queues/*/quantum_us",
      "/workload/queues/*/grace_us",       "/workload/queues/*/grace_same_priority_us",
      "/workload/processes/*/priority",    "/workload/processes/*/realtime_level"};
  return pointers;
}

bool reaches_any(const std::vector<std::string>& patterns, const std::string& pointer) {
  const auto place = split_pointer(pointer);
  const auto same = [](const std::string& token, const std::string& key) { return token == "*" || token == key; };
  return place && std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
           const std::vector<std::string> tokens = *split_pointer(pattern);
           return tokens.size() <= place->size() && std::equal(tokens.begin(), tokens.end(), place->begin(), same);
         });
}

void refuse_not_live(const std::string& pointer, const char* found) {
  throw ConfigError("--set", pointer,
                    fmt::format("what counts while a machine runs: {}, {}", fmt::join(live_parameters(), ", "),
                                fmt::join(live_workload_parameters(), ", ")),
                    found);
}

MachineConfig changed_machine(const MachineConfig& machine, const std::vector<std::string>& sets) {
  for (const std::string& set : sets) {
    if (set.rfind("/workload/", 0) == 0) refuse_not_live(set.substr(0, set.find('=')), "what is the workload's");
  }
  const nlohmann::ordered_json before = dump_config(machine);
  // What is not live is told first, whatever its value.
  nlohmann::ordered_json wanted = before;
  for (const std::string& set : sets) apply_override(wanted, set);
  check_live(before, wanted, "replace");
  MachineConfig changed;
  read_overridden(before, machine.name, sets, type_of<MachineConfig>(), &changed);
  check_live(before, dump_config(changed));
  return changed;
}

}  // namespace fenceline
