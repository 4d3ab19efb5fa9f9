// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/machine_config.hpp"
#include "sim/config_errors.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace fenceline {

/// A machine's file. One that says `like` gives only what differs from another machine, which itself is like none:
/// objects are merged key by key, however deep; all else replaces what is there, lists as a whole. `engines` may be an
/// object whose keys are names of nodes ("3d0", "copy1"): then these nodes change and the others stay.
class MachineDocument {
 public:
  /// Of what a file says; files that it is like are looked up in `directory`. Throws ConfigError where that is wrong;
  /// what else is wrong waits for `read`.
  MachineDocument(nlohmann::json said, std::string file, const std::filesystem::path& directory);

  const std::string& file() const { return file_; }  ///< as errors call it
  /// The file's own values, each where it stands in the whole machine: what the user wrote down.
  const nlohmann::json& said() const { return said_; }
  const nlohmann::json& whole() const { return whole_; }  ///< with what it is like filled in
  const std::string& like() const { return like_; }       ///< the machine that it is like; empty: none
  const MachineConfig& liked() const { return liked_; }   ///< that machine, where it is like one

  /// The machine, with `/pointer=value` texts applied. What is wrong is told with the file and the place at which the
  /// user wrote it, else as of the machine that it is like, else of `--set`. `set` gets the
  /// pointers that were set, with indices in place of names. Throws ConfigError.
  MachineConfig read(const std::vector<std::string>& sets, std::vector<std::string>* set = nullptr) const;

 private:
  void fill_in(const std::filesystem::path& directory);
  /// What changes of engines, by their place instead of their name.
  nlohmann::json by_index(const nlohmann::json& engines);
  /// An error in the whole machine, at the place where the file says it.
  ConfigError as_said(const ConfigError& error) const;

  std::string file_;
  nlohmann::json said_;
  nlohmann::json whole_;
  std::string like_;
  MachineConfig liked_;
  std::vector<std::string> engine_names_;  ///< of all nodes, where the file names those that change
  ConfigErrors errors_;                    ///< of nodes that are named; nothing of these changes
};

/// The file, or the built-in machine when `name` has no '.' or '/'. Relative files are looked up in `directory`.
/// Throws ConfigError.
MachineDocument machine_document(const std::string& name, const std::filesystem::path& directory);

/// Each value in which `other` differs from `machine`, in one line with its pointer; names and sources aside.
std::vector<std::string> differences(const MachineConfig& machine, const MachineConfig& other);

/// The JSON Schema of machine files: of whole ones, and of those that are like another.
nlohmann::ordered_json machine_schema();

}  // namespace fenceline
