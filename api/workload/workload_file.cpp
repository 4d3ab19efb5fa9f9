// SPDX-License-Identifier: Apache-2.0
#include "api/workload/workload_file.hpp"

#include "api/workload/bytecode.hpp"
#include "api/workload/satisfiable.hpp"
#include "sim/config.hpp"
#include "sim/json_file.hpp"

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

MachineConfig load_machine(const std::string& name, const std::filesystem::path& directory,
                           const std::vector<std::string>& sets) {
  if (name.find('.') == std::string::npos && name.find('/') == std::string::npos) {
    const std::string file = "built-in " + name;
    return read_with_overrides<MachineConfig>(parse_json(builtin_machine_text(name), file), file, sets);
  }
  const std::filesystem::path path = directory / name;
  return read_with_overrides<MachineConfig>(load_json(path), path.string(), sets);
}

LoadedWorkload load_workload(const std::filesystem::path& file, const std::string& machine,
                             const std::vector<std::string>& sets) {
  const Overrides overrides(sets);
  const std::string name = file.string();
  LoadedWorkload loaded;
  try {
    nlohmann::json document = load_json(file);
    apply_bytecode(document, name, file.parent_path());
    check_no_bytecode(overrides.workload);
    loaded.workload = read_with_overrides<Workload>(document, name, overrides.workload);
  } catch (const ConfigError& error) {
    if (error.file() != "--set") throw;
    throw ConfigError("--set", "/workload" + error.pointer(), error.expected(), error.found());  // as it was typed
  }
  loaded.program = make_program(loaded.workload, name);
  check_waits(loaded.program, name);
  if (!machine.empty()) {
    loaded.machine = load_machine(machine, "", overrides.machine);
  } else if (!loaded.workload.machine.empty()) {
    loaded.machine = load_machine(loaded.workload.machine, file.parent_path(), overrides.machine);
  } else {
    loaded.machine = load_machine("h200", "", overrides.machine);
  }
  check_machine(loaded.program, name, loaded.machine);
  return loaded;
}

}  // namespace fenceline
