// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/machine_config.hpp"
#include "api/workload/program.hpp"
#include "api/workload/workload.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace fenceline {

/// A workload read and checked, with the machine it runs on.
struct LoadedWorkload {
  Workload workload;
  MachineConfig machine;
  Program program;
};

/// `--set` texts for the machine, and those that begin with /workload for the workload (without that).
struct Overrides {
  explicit Overrides(const std::vector<std::string>& sets);
  std::vector<std::string> machine;
  std::vector<std::string> workload;
};

/// The machine file, or the built-in machine when `name` has no '.' or '/'. Relative files are looked up in
/// `directory`.
MachineConfig load_machine(const std::string& name, const std::filesystem::path& directory,
                           const std::vector<std::string>& sets);

/// Reads the workload and its machine (`machine` if not empty, else the one that the workload names, else the built-in
/// h200), applies the overrides, resolves and checks everything. Throws ConfigError.
LoadedWorkload load_workload(const std::filesystem::path& file, const std::string& machine,
                             const std::vector<std::string>& sets);

}  // namespace fenceline
