// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/machine_config.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace fenceline {

/// One operation of a measured case.
struct ValidationOp {
  double measured_end_us = 0;
  double simulated_start_us = 0;
  double simulated_end_us = 0;
  /// |simulated end - measured end| / measured end
  double abs_error_pct() const;
};

/// One measured case and what the simulator said.
struct ValidationCase {
  std::string name;
  double measured_us = 0;
  double simulated_us = 0;
  std::vector<ValidationOp> ops;  ///< in the file's order

  double error_pct() const;  ///< of the makespan; positive when simulated is longer
  double mean_op_error_pct() const;
};

/// Distribution of absolute errors, percent. p90 is the nearest rank. All 0 for no values.
struct ErrorSummary {
  double mean = 0;
  double median = 0;
  double p90 = 0;
  double max = 0;
};
ErrorSummary summary_of(std::vector<double> absolute_errors);

struct Validation {
  std::vector<ValidationCase> cases;
  ErrorSummary makespan() const;    ///< over cases
  ErrorSummary operations() const;  ///< over all operations of all cases
};

/// Plays every case of a measured file, recognised by its top-level keys, each on a new machine. `progress` is called
/// before each case with its index and the number of cases. Throws ConfigError.
Validation validate(const std::filesystem::path& file, const MachineConfig& machine,
                    const std::function<void(std::size_t, std::size_t)>& progress = {});

/// The document of `fenceline validate --json`.
nlohmann::ordered_json json_of(const Validation& validation);

}  // namespace fenceline
