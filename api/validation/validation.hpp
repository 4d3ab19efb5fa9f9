// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/machine_config.hpp"
#include "api/validation/kinds/kinds.hpp"
#include "api/validation/play/validation_case.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace fenceline {

/// Distribution of absolute errors, percent. p90 is the nearest rank. All 0 for no values.
struct ErrorSummary {
  double mean = 0;
  double median = 0;
  double p90 = 0;
  double max = 0;
};
ErrorSummary summary_of(std::vector<double> absolute_errors);

/// The cases of one kind in one file.
struct ValidatedKind {
  std::string file;
  const MeasuredKind* kind = nullptr;
  std::vector<ValidationCase> cases;

  ErrorSummary errors() const;      ///< over the cases that count
  ErrorSummary operations() const;  ///< over all operations of all cases
  std::size_t over_limit() const;   ///< cases that miss their own limit
  bool pass() const;                ///< every limit of the kind is kept; informative kinds always pass
};

/// Rows that were read but could not be played.
struct SkippedRows {
  std::string file;
  SkippedKind skipped;
};

struct Validation {
  std::vector<ValidatedKind> kinds;
  std::vector<SkippedRows> skipped;

  std::vector<const ValidationCase*> cases() const;
  ErrorSummary makespan() const;    ///< over cases
  ErrorSummary operations() const;  ///< over all operations of all cases
  bool pass() const;
};

/// Plays every case of measured files, recognised by their top-level keys, and of the files below directories, each
/// case on a new machine. `progress` is called before each case with its index and the number of cases. Throws
/// ConfigError.
Validation validate(const std::vector<std::filesystem::path>& paths, const MachineConfig& machine,
                    const std::function<void(std::size_t, std::size_t)>& progress = {});
Validation validate(const std::filesystem::path& path, const MachineConfig& machine,
                    const std::function<void(std::size_t, std::size_t)>& progress = {});

/// What a machine made of a directory's files.
struct MachineValidation {
  std::string directory;
  std::string machine;  ///< its name
  Validation validation;
};

/// Plays the files of each directory below `path` on the machines that it names (measured_directory.hpp), with
/// `/pointer=value` texts for each of them. All machines and names are read first. Throws ConfigError.
std::vector<MachineValidation> validate_directories(const std::filesystem::path& path,
                                                    const std::vector<std::string>& sets,
                                                    const std::function<void(std::size_t, std::size_t)>& progress = {});

/// The document of `fenceline validate --json`.
nlohmann::ordered_json json_of(const Validation& validation);
/// The same of a directory of machines: "machines", each with its directory, machine and that document.
nlohmann::ordered_json json_of(const std::vector<MachineValidation>& validations);

}  // namespace fenceline
