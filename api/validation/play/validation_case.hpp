// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
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
  std::vector<ValidationOp> ops;    ///< in the file's order; none: the case is one operation
  std::optional<double> limit_pct;  ///< that |error| should keep
  bool counts = true;               ///< in the mean and p90 of its kind

  double error_pct() const;  ///< of the makespan; positive when simulated is longer
  double mean_op_error_pct() const;
  /// |error| of each operation.
  std::vector<double> op_errors_pct() const;
  bool within_limit() const;  ///< true without a limit
};

/// 0 for no values.
double mean_of(const std::vector<double>& values);

}  // namespace fenceline
