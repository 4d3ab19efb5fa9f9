// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/described.hpp"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace fenceline {

/// The file `machines_file` (load_measured.hpp) of a directory.
struct MeasuredMachines {
  std::vector<std::string> machines;  ///< built-in machines, or files from the directory on
};
void describe(Fields& f, MeasuredMachines& c);

/// The document says nothing but machines.
bool is_measured_machines(const nlohmann::json& document);
/// Throws ConfigError for what is none, and for a machine that does not exist.
MeasuredMachines measured_machines(const nlohmann::json& document, const std::filesystem::path& path);

/// A directory of measured files, and one of the machines that they are of.
struct DirectoryOfMachine {
  std::filesystem::path directory;
  std::string machine;            ///< as `load_machine` takes it, from `directory` on
  std::filesystem::path said_in;  ///< the file that names the machine
};

/// The path is a directory of others: it has no files of its own to play, and some directory below says which machines
/// its files are of.
bool is_directory_of_machines(const std::filesystem::path& path);
/// Each such directory below it, in the order of their names, once for each of its machines. Throws ConfigError for one
/// that has measured files and does not say of which machines, or the other way round.
std::vector<DirectoryOfMachine> directories_of_machines(const std::filesystem::path& path);

}  // namespace fenceline
