// SPDX-License-Identifier: Apache-2.0
#include "api/workload/load/workload_file.hpp"

#include "api/capture/file/workload_document.hpp"
#include "api/machine_document.hpp"
#include "api/workload/checks/satisfiable.hpp"
#include "api/workload/load/blob_contents.hpp"
#include "api/workload/load/bytecode.hpp"
#include "api/workload/load/elsewhere.hpp"
#include "api/workload/load/live_change.hpp"
#include "api/workload/load/overrides.hpp"
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
  if (machine == "-") return {load_json(machine), "standard input", ""};
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
ReadMachine machine_of(const WorkloadDocument& read, const std::filesystem::path& file, const std::string& machine,
                       const std::string& own, const std::vector<std::string>& sets) {
  const nlohmann::json none;
  const nlohmann::json& taken_on = read.recorded ? read.recorded->machine : read.capture ? read.capture->machine : none;
  ReadMachine result;
  if (machine.empty() && !taken_on.is_null()) {  // all values of its machine, of which the user wrote none down
    const std::string of_machine = (read.recorded ? read.recorded->file : file.string()) + ", machine";
    do_each([&] { check_names_no_directory(taken_on, of_machine); },
            [&] { result.config = read_with_overrides<MachineConfig>(taken_on, of_machine, sets, &result.set); });
    return result;
  }
  const MachineDocument described = machine_document_for(machine, own, file.parent_path());
  result.config = read_machine(described, sets, &result.set);
  result.of_user = {described.file(), described.said()};
  return result;
}

/// Does a piece that reads what an earlier one may have left wrong: in the objects of which that one told, this one's
/// errors only follow from it. Those of `--set` are told as they were typed. True: the piece has been done.
template <class Piece>
bool keep_others(ConfigErrors& errors, Piece&& piece) {
  const std::vector<ConfigError> earlier = errors.all();
  try {
    piece();
    return true;
  } catch (const ConfigError& error) {
    for (const ConfigError& one : error.each()) {
      const auto holds_it = [&](const ConfigError& other) {
        const std::string object = other.pointer().substr(0, other.pointer().rfind('/'));
        return other.file() == one.file() && pointer_within(one.pointer(), object);
      };
      if (std::any_of(earlier.begin(), earlier.end(), holds_it)) continue;
      errors.add(
          one.file() != "--set" ? one : ConfigError("--set", "/workload" + one.pointer(), one.expected(), one.found()));
    }
  }
  return false;
}

/// The contents of a workload and its program, as far as they are sound.
void make_loaded_program(LoadedWorkload& loaded, const std::string& name, const BlobPlace& blobs,
                         ConfigErrors& errors) {
  const bool has_blobs = errors.keep([&] { load_contents(loaded.workload, blobs); });
  try {
    loaded.program = make_program(loaded.workload, name);
  } catch (const ConfigError& error) {
    for (const ConfigError& one : error.each()) {
      const std::string& pointer = one.pointer();
      const bool is_of_blob = pointer.substr(pointer.rfind('/') + 1) == "blob";  // of one that was not read
      if (has_blobs || !is_of_blob) errors.add(one);
    }
  }
}

/// The machine that a workload's document names, or that is set in its place.
std::string machine_named_in(const nlohmann::json& workload, const std::vector<std::string>& sets) {
  constexpr std::string_view key = "/machine=";
  for (auto set = sets.rbegin(); set != sets.rend(); ++set) {
    if (set->compare(0, key.size(), key) == 0) return set->substr(key.size());
  }
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
  return read_machine(machine_document(name, directory), sets);
}

MachineConfig read_machine(const MachineDocument& document, const std::vector<std::string>& sets,
                           std::vector<std::string>* set) {
  MachineConfig config;
  do_each([&] { check_names_no_directory(document.whole(), document.file()); },
          [&] { config = document.read(sets, set); });
  return config;
}

LoadedWorkload load_workload(const std::filesystem::path& file, const std::string& machine,
                             const std::vector<std::string>& sets) {
  if (file == "-" && machine == "-") {
    throw ConfigError("--machine", "", "a file or a built-in machine: standard input is the workload", "-");
  }
  const Overrides overrides(sets);
  LoadedWorkload loaded;
  WorkloadDocument read = load_workload_document(file);
  const std::string own_name = file == "-" ? "standard input" : file.string();
  const std::string name = read.recorded ? read.recorded->file + ", workload" : own_name;
  nlohmann::json& document = read.workload;
  if (read.capture) loaded.cut_off = read.capture->cut_off;
  std::vector<std::string> set_in_workload;
  ConfigErrors errors;
  const bool has_code = !read.capture && !read.recorded;  // these have what the code says
  if (has_code) errors.keep([&] { apply_bytecode(document, name, file.parent_path()); });
  keep_others(errors, [&] { check_no_bytecode(overrides.workload); });
  const bool is_read = keep_others(errors, [&] {
    loaded.workload = read_with_overrides<Workload>(document, name, overrides.workload, &set_in_workload);
  });
  if (is_read) make_loaded_program(loaded, name, {report_of(file), read.capture.has_value(), read.bytes}, errors);
  const bool is_whole = errors.size() == 0;
  // What a captured program waited for may have been ended with its fence, or its queue; the run tells of what is left.
  const std::vector<bool>& captured = loaded.program.captured;
  if (is_whole && std::find(captured.begin(), captured.end(), true) == captured.end()) {
    errors.keep([&] { check_waits(loaded.program, name); });
  }
  ReadMachine on;
  const bool has_machine = errors.keep([&] {
    on = machine_of(read, file, machine,
                    is_read ? loaded.workload.machine : machine_named_in(document, overrides.workload),
                    overrides.machine);
  });
  if (read.capture && is_whole && has_machine) take_what_is_there(on.config, loaded.workload, loaded.program);
  if (is_whole && has_machine) errors.keep([&] { check_machine(loaded.program, name, on.config); });
  errors.throw_any();
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
  return loaded;
}

}  // namespace fenceline
