// SPDX-License-Identifier: Apache-2.0
#include "api/validation/measured_directory.hpp"

#include "api/validation/load_measured.hpp"
#include "api/workload/load/workload_file.hpp"
#include "sim/config/config.hpp"
#include "sim/config/fields.hpp"
#include "sim/config/json_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace fenceline {
namespace {

namespace fs = std::filesystem;

/// The directory's own files, and the directories in it, in the order of their names.
struct Listing {
  bool says_machines = false;
  bool has_files = false;
  std::vector<fs::path> directories;
};
Listing listing_of(const fs::path& directory) {
  Listing listing;
  for (const auto& entry : fs::directory_iterator(directory)) {
    if (entry.is_directory()) {
      if (entry.is_symlink()) continue;  // it may lead back
      listing.directories.push_back(entry.path());
    } else if (entry.path().filename() == machines_file) {
      listing.says_machines = true;
    } else if (is_measured_name(entry.path())) {
      listing.has_files = true;
    }
  }
  std::sort(listing.directories.begin(), listing.directories.end());
  return listing;
}

bool says_machines_below(const fs::path& directory) {
  const Listing listing = listing_of(directory);
  return listing.says_machines ||
         std::any_of(listing.directories.begin(), listing.directories.end(), says_machines_below);
}

void collect(const fs::path& directory, std::vector<DirectoryOfMachine>& all) {
  const Listing listing = listing_of(directory);
  if (listing.says_machines) {
    measured_paths(directory);  // there are some
    const fs::path file = directory / machines_file;
    for (const std::string& machine : measured_machines(load_json(file), file).machines) {
      all.push_back({directory, machine, file});
    }
    return;
  }
  if (listing.has_files) {
    throw ConfigError((directory / machines_file).string(), "",
                      "a file that says which machines the measured files beside it are of", "none");
  }
  if (listing.directories.empty()) measured_paths(directory);  // tells that it is empty
  for (const fs::path& one : listing.directories) collect(one, all);
}

}  // namespace

void describe(Fields& f, MeasuredMachines& c) {
  f.about("which machines the measured files of a directory are of");
  f.required("machines", c.machines, "built-in machines, or machine files from this directory on");
  f.check(!c.machines.empty(), "at least one machine", "none", "machines");
  const std::set<std::string> distinct(c.machines.begin(), c.machines.end());
  f.check(distinct.size() == c.machines.size(), "each machine once", "one of them twice", "machines");
}

bool is_measured_machines(const nlohmann::json& document) {
  return document.is_object() && document.size() == 1 && document.contains("machines");
}

MeasuredMachines measured_machines(const nlohmann::json& document, const fs::path& path) {
  auto machines = read_config<MeasuredMachines>(document, path.string());
  for (std::size_t i = 0; i < machines.machines.size(); ++i) {
    const std::string& name = machines.machines[i];
    try {
      load_machine(name, path.parent_path(), {});
    } catch (const ConfigError& error) {
      if (!error.pointer().empty()) throw;  // the machine is there, and is itself wrong
      throw ConfigError(path.string(), fmt::format("/machines/{}", i), error.expected(), error.found());
    }
  }
  return machines;
}

bool is_directory_of_machines(const fs::path& path) {
  if (!fs::is_directory(path)) return false;
  const Listing listing = listing_of(path);
  return !listing.says_machines && !listing.has_files && says_machines_below(path);
}

std::vector<DirectoryOfMachine> directories_of_machines(const fs::path& path) {
  std::vector<DirectoryOfMachine> all;
  collect(path, all);
  return all;
}

}  // namespace fenceline
