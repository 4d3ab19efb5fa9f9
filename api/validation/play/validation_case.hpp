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

/// How many of the samples show an outcome that is one of several, percent.
struct OutcomeShares {
  double measured_pct = 0;
  double simulated_pct = 0;

  static constexpr double limit_points = 25;  ///< that they may differ by
  bool within_limit() const;
};

/// A figure that is told in another unit than microseconds.
struct FigureInUnits {
  double measured = 0;
  double simulated = 0;
  double amount = 1;     ///< of a rate: this in its unit, divided by the microseconds; of a time: times them
  bool is_time = false;  ///< else a rate
  std::string source;    ///< where it is from

  double of_us(double us) const { return is_time ? us * amount : amount / us; }
  double us_of(double value) const { return is_time ? value / amount : amount / value; }
};

/// One measured case and what the simulator said.
struct ValidationCase {
  std::string name;
  double measured_us = 0;
  double simulated_us = 0;
  std::vector<ValidationOp> ops;            ///< in the file's order; none: the case is one operation
  std::optional<double> limit_pct;          ///< that |error| should keep
  bool counts = true;                       ///< in the mean and p90 of its kind
  std::optional<FigureInUnits> units = {};  ///< set: what is told, and what the error is of
  std::optional<OutcomeShares> shares =
      {};  ///< of one that is an outcome among several, which hardware shows now and then

  double error_pct() const;  ///< of the makespan; positive when simulated is longer
  double mean_op_error_pct() const;
  /// |error| of each operation.
  std::vector<double> op_errors_pct() const;
  bool within_limit() const;  ///< its error, and its share if there is one; true without a limit
};

/// 0 for no values.
double mean_of(const std::vector<double>& values);

}  // namespace fenceline
