// SPDX-License-Identifier: Apache-2.0
#include "api/workload/workload_file.hpp"

#include "api/capture/file/workload_document.hpp"
#include "api/machine_document.hpp"
#include "api/workload/bytecode.hpp"
#include "api/workload/recorded_contents.hpp"
#include "api/workload/satisfiable.hpp"
#include "sim/config/config.hpp"
#include "sim/config/json_file.hpp"
#include "sim/config/json_pointer.hpp"
#include "sim/config_error.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace fenceline {

Overrides::Overrides(const std::vector<std::string>& sets) {
  const std::string prefix = "/workload/";
  for (const std::string& set : sets) {
    if (set.compare(0, prefix.size(), prefix) == 0) {
      workload.push_back(set.substr(prefix.size() - 1));
    } else {
      machine.push_back(set);
    }
  }
}

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
  const std::string workload = "/workload/";
  std::vector<NamedParameter> named;
  for (auto set = sets.begin(); set != sets.end(); ++set) {
    const std::string pointer = set->substr(0, set->find('='));
    if (pointer.size() == set->size()) continue;  // no value: refused where it is applied
    if (pointer.find("/-") != std::string::npos || replaced(pointer, set + 1, sets.end())) continue;
    const nlohmann::json value = nlohmann::json::parse(set->substr(pointer.size() + 1), nullptr, false);
    const auto inside = named_in(value.is_discarded() ? nlohmann::json() : value, "--set",
                                 pointer.compare(0, workload.size(), workload) == 0, pointer);
    named.insert(named.end(), inside.begin(), inside.end());
  }
  return named;
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
  const std::string name = file.string();
  LoadedWorkload loaded;
  WorkloadDocument read = load_workload_document(file);
  nlohmann::json& document = read.workload;
  if (read.capture) loaded.cut_off = read.capture->cut_off;
  try {
    if (!read.capture) apply_bytecode(document, name, file.parent_path());  // a capture has what the code says
    check_no_bytecode(overrides.workload);
    loaded.named = named_by(sets);
    add_named(loaded.named, named_in(document, name, true), sets);
    loaded.workload = read_with_overrides<Workload>(document, name, overrides.workload);
  } catch (const ConfigError& error) {
    if (error.file() != "--set") throw;
    throw ConfigError("--set", "/workload" + error.pointer(), error.expected(), error.found());  // as it was typed
  }
  load_contents(loaded.workload, {file, read.capture.has_value(), read.bytes});
  loaded.program = make_program(loaded.workload, name);
  // What a captured program waited for may have been ended with its fence, or its queue; the run tells of what is left.
  const std::vector<bool>& captured = loaded.program.captured;
  if (std::find(captured.begin(), captured.end(), true) == captured.end()) check_waits(loaded.program, name);
  const bool taken_on = machine.empty() && read.capture && !read.capture->machine.is_null();
  if (taken_on) {  // all values of its machine, of which the user wrote none down
    const std::string of_machine = name + ", machine";
    check_names_no_directory(read.capture->machine, of_machine);
    loaded.machine = read_with_overrides<MachineConfig>(read.capture->machine, of_machine, overrides.machine);
  } else {
    const MachineDocument described = machine_document_for(machine, loaded.workload.machine, file.parent_path());
    check_names_no_directory(described.whole(), described.file());
    loaded.machine = described.read(overrides.machine);
    add_named(loaded.named, named_in(described.said(), described.file(), false), sets);
  }
  check_machine(loaded.program, name, loaded.machine);
  return loaded;
}

}  // namespace fenceline
