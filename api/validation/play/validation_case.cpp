// SPDX-License-Identifier: Apache-2.0
#include "api/validation/play/validation_case.hpp"

#include <cmath>
#include <numeric>

namespace fenceline {
namespace {

/// A measured picosecond; errors of less would be of any size.
constexpr double least_us = 1e-6;

}  // namespace

double mean_of(const std::vector<double>& values) {
  if (values.empty()) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double ValidationCase::error_pct() const {
  if (units) return (units->simulated - units->measured) / units->measured * 100;
  return measured_us >= least_us ? (simulated_us - measured_us) / measured_us * 100 : 0;
}
double ValidationCase::mean_op_error_pct() const { return mean_of(op_errors_pct()); }
bool OutcomeShares::within_limit() const { return std::abs(simulated_pct - measured_pct) <= limit_points; }
bool ValidationCase::within_limit() const {
  return (!limit_pct || std::abs(error_pct()) <= *limit_pct) && (!shares || shares->within_limit());
}
double ValidationOp::abs_error_pct() const {
  return measured_end_us >= least_us ? std::abs(simulated_end_us - measured_end_us) / measured_end_us * 100 : 0;
}

std::vector<double> ValidationCase::op_errors_pct() const {
  if (ops.empty()) return {std::abs(error_pct())};
  std::vector<double> errors;
  for (const ValidationOp& op : ops) errors.push_back(op.abs_error_pct());
  return errors;
}

}  // namespace fenceline
