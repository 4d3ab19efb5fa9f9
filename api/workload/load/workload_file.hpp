// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/machine_config.hpp"
#include "api/workload/program.hpp"
#include "api/workload/workload.hpp"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace fenceline {

class MachineDocument;
struct RecordedRun;

/// A parameter that the user wrote down: in a file, or with --set.
struct NamedParameter {
  std::string file;     ///< "--set" of one that is set
  std::string pointer;  ///< in that file, or as it is typed for --set
  bool of_workload;     ///< else of the machine
};
/// The parameters that a document names, in its order. `base` is put before each pointer.
std::vector<NamedParameter> named_in(const nlohmann::json& document, const std::string& file, bool of_workload,
                                     const std::string& base = "");

/// A workload read and checked, with the machine it runs on.
struct LoadedWorkload {
  Workload workload;                  ///< as read
  MachineConfig machine;              ///< the one it runs on
  Program program;                    ///< the workload, ready to be played
  std::vector<NamedParameter> named;  ///< what the user wrote down
  std::string cut_off = {};           ///< of a capture that ends too early: where, in one line
  /// What report.json of a run says besides its workload; null: it is another file.
  std::shared_ptr<const RecordedRun> recorded = {};
  bool as_recorded = false;  ///< workload and machine are those of that run
};

/// A machine's document does not say where runs write: documents may be a stranger's. Throws ConfigError.
void check_names_no_directory(const nlohmann::json& machine, const std::string& file);

/// With `/pointer=value` texts applied, as MachineDocument::read, and as a document that names no directory. Throws
/// ConfigError.
MachineConfig read_machine(const MachineDocument& document, const std::vector<std::string>& sets,
                           std::vector<std::string>* set = nullptr);

/// The machine file, or the built-in machine when `name` has no '.' or '/'. Relative files are looked up in
/// `directory`.
MachineConfig load_machine(const std::string& name, const std::filesystem::path& directory,
                           const std::vector<std::string>& sets);

/// Reads the workload, JSON, a capture or report.json of a run (or its directory), and its machine (`machine` if not
/// empty, else the one that the capture was taken on, the run was on or the workload names, else the built-in h200),
/// applies the overrides, resolves and checks everything.
/// Throws ConfigError.
LoadedWorkload load_workload(const std::filesystem::path& file, const std::string& machine,
                             const std::vector<std::string>& sets);

}  // namespace fenceline
