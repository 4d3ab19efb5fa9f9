// SPDX-License-Identifier: Apache-2.0
#include "api/workload/load/workload_file.hpp"

#include "api/capture/file/workload_document.hpp"
#include "api/machine_document.hpp"
#include "api/workload/load/bytecode.hpp"
#include "api/workload/load/live_change.hpp"
#include "api/workload/load/overrides.hpp"
#include "api/workload/recorded_contents.hpp"
#include "api/workload/satisfiable.hpp"
#include "sim/config/config.hpp"
#include "sim/config/json_file.hpp"
#include "sim/config/json_pointer.hpp"
#include "sim/config_error.hpp"
#include "sim/config_errors.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace fenceline {

namespace {

/// The machine that was asked for, else the workload's own, else the built-in h200.
MachineDocument machine_document_for(const std::string& machine, const std::string& own,
                                     const std::filesystem::path& directory) {
  if (!machine.empty()) return machine_document(machine, "");
  return own.empty() ? machine_document("h200", "") : machine_document(own, directory);
}

using Sets = std::vector<std::string>::const_iterator;

/// One of these sets what stands there, or what it is part of.
bool replaced(const std::string& place, Sets first, Sets last) {
  return std::any_of(first, last, [&](const std::string& set) {
    return pointer_within(place, std::string_view(set).substr(0, set.find('=')));
  });
}

/// What `--set` names: the value, or what is in it. A place at the end of an array (`-`) has no pointer of its own.
std::vector<NamedParameter> named_by(const std::vector<std::string>& sets) {
  std::vector<NamedParameter> named;
  for (auto set = sets.begin(); set != sets.end(); ++set) {
    const std::string pointer = set->substr(0, set->find('='));
    if (pointer.size() == set->size()) continue;  // no value: refused where it is applied
    if (pointer.find("/-") != std::string::npos || replaced(pointer, set + 1, sets.end())) continue;
    const nlohmann::json value = nlohmann::json::parse(set->substr(pointer.size() + 1), nullptr, false);
    const auto inside =
        named_in(value.is_discarded() ? nlohmann::json() : value, "--set", Overrides::is_of_workload(pointer), pointer);
    named.insert(named.end(), inside.begin(), inside.end());
  }
  return named;
}

/// The texts with the pointers that they set, in which indices stand in place of names: those of the workload and of
/// the machine, in the order of the texts. A place at the end of an array stays as it was typed.
std::vector<std::string> by_index(std::vector<std::string> sets, const std::vector<std::string>& of_workload,
                                  const std::vector<std::string>& of_machine) {
  auto workload = of_workload.begin();
  auto machine = of_machine.begin();
  for (std::string& set : sets) {
    const bool in_workload = Overrides::is_of_workload(set);
    const std::string pointer = in_workload ? "/workload" + *workload++ : *machine++;
    const std::size_t equals = set.find('=');
    if (std::string_view(set).substr(0, equals).find("/-") == std::string::npos) set.replace(0, equals, pointer);
  }
  return sets;
}

/// Where what a file names stands for `--set`.
std::string place_of(const NamedParameter& one) { return (one.of_workload ? "/workload" : "") + one.pointer; }

/// What a file says and `--set` does not replace.
void add_named(std::vector<NamedParameter>& all, const std::vector<NamedParameter>& more,
               const std::vector<std::string>& sets) {
  for (const NamedParameter& one : more) {
    if (!replaced(place_of(one), sets.begin(), sets.end())) all.push_back(one);
  }
}

/// The machine that a workload runs on.
struct ReadMachine {
  MachineConfig config;
  std::vector<std::string> set;                                   ///< pointers that --set has set
  std::optional<std::pair<std::string, nlohmann::json>> of_user;  ///< the machine's file, and what it says
};

/// `machine` if it is not empty, else the one that the document was taken on, else `own`, which is looked up beside the
/// workload.
ReadMachine read_machine(const WorkloadDocument& read, const std::filesystem::path& file, const std::string& machine,
                         const std::string& own, const std::vector<std::string>& sets) {
  const nlohmann::json none;
  const nlohmann::json& taken_on = read.recorded ? read.recorded->machine : read.capture ? read.capture->machine : none;
  ReadMachine result;
  if (machine.empty() && !taken_on.is_null()) {  // all values of its machine, of which the user wrote none down
    const std::string of_machine = (read.recorded ? read.recorded->file : file.string()) + ", machine";
    check_names_no_directory(taken_on, of_machine);
    result.config = read_with_overrides<MachineConfig>(taken_on, of_machine, sets, &result.set);
    return result;
  }
  const MachineDocument described = machine_document_for(machine, own, file.parent_path());
  check_names_no_directory(described.whole(), described.file());
  result.config = described.read(sets, &result.set);
  result.of_user = {described.file(), described.said()};
  return result;
}

/// The machine that a workload's document names.
std::string machine_named_in(const nlohmann::json& workload) {
  const bool names_one = workload.is_object() && workload.contains("machine") && workload["machine"].is_string();
  return names_one ? workload["machine"].get<std::string>() : "";
}

}  // namespace

std::vector<NamedParameter> named_in(const nlohmann::json& document, const std::string& file, bool of_workload,
                                     const std::string& base) {
  std::vector<NamedParameter> named;
  if (!document.is_structured() || document.empty()) return {{file, base, of_workload}};
  std::size_t index = 0;
  for (const auto& [key, value] : document.items()) {
    const std::string pointer = document.is_array() ? pointer_to(base, index++) : pointer_to(base, key);
    const auto inside = named_in(value, file, of_workload, pointer);
    named.insert(named.end(), inside.begin(), inside.end());
  }
  return named;
}

void check_names_no_directory(const nlohmann::json& machine, const std::string& file) {
  const nlohmann::json::json_pointer pointer("/shader_cache/directory");
  if (!machine.is_object() || !machine.contains(pointer) || machine[pointer] == "") return;
  const nlohmann::json& found = machine[pointer];
  throw ConfigError(file, pointer.to_string(), "nothing: --set alone says where a run writes",
                    found.is_string() ? in_quotes(found.get<std::string>()) : shortened(found.dump(), 60));
}

MachineConfig load_machine(const std::string& name, const std::filesystem::path& directory,
                           const std::vector<std::string>& sets) {
  const MachineDocument document = machine_document(name, directory);
  check_names_no_directory(document.whole(), document.file());
  return document.read(sets);
}

LoadedWorkload load_workload(const std::filesystem::path& file, const std::string& machine,
                             const std::vector<std::string>& sets) {
  const Overrides overrides(sets);
  LoadedWorkload loaded;
  WorkloadDocument read = load_workload_document(file);
  const std::string name = read.recorded ? read.recorded->file + ", workload" : file.string();
  nlohmann::json& document = read.workload;
  if (read.capture) loaded.cut_off = read.capture->cut_off;
  std::vector<std::string> set_in_workload;
  try {
    const bool has_code = !read.capture && !read.recorded;  // these have what the code says
    if (has_code) apply_bytecode(document, name, file.parent_path());
    check_no_bytecode(overrides.workload);
    loaded.workload = read_with_overrides<Workload>(document, name, overrides.workload, &set_in_workload);
  } catch (const ConfigError& error) {
    ConfigErrors errors;
    bool by_set = true;
    for (const ConfigError& one : error.each()) {  // as they were typed
      by_set = by_set && one.file() == "--set";
      errors.add(
          one.file() != "--set" ? one : ConfigError("--set", "/workload" + one.pointer(), one.expected(), one.found()));
    }
    // What --set makes wrong in the machine is told beside it.
    if (by_set) errors.keep([&] { read_machine(read, file, machine, machine_named_in(document), overrides.machine); });
    errors.throw_any();
  }
  load_contents(loaded.workload, {report_of(file), read.capture.has_value(), read.bytes});
  loaded.program = make_program(loaded.workload, name);
  // What a captured program waited for may have been ended with its fence, or its queue; the run tells of what is left.
  const std::vector<bool>& captured = loaded.program.captured;
  if (std::find(captured.begin(), captured.end(), true) == captured.end()) check_waits(loaded.program, name);
  ReadMachine on = read_machine(read, file, machine, loaded.workload.machine, overrides.machine);
  loaded.machine = std::move(on.config);
  const std::vector<std::string> indexed = by_index(sets, set_in_workload, on.set);
  loaded.named = named_by(indexed);
  if (!read.recorded) add_named(loaded.named, named_in(document, name, true), indexed);
  if (on.of_user) add_named(loaded.named, named_in(on.of_user->second, on.of_user->first, false), indexed);
  if (read.recorded && read.recorded->how.change) {
    try {
      live_change(loaded.workload, loaded.machine, read.recorded->how.change->set);
    } catch (const ConfigError& error) {
      throw ConfigError(read.recorded->file, "/run/change/set", error.expected(), error.found());
    }
  }
  if (read.recorded) {
    loaded.as_recorded = sets.empty() && machine.empty();
    loaded.recorded = std::make_shared<const RecordedRun>(*std::move(read.recorded));
  }
  check_machine(loaded.program, name, loaded.machine);
  return loaded;
}

}  // namespace fenceline
