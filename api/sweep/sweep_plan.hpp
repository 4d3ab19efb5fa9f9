// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/sweep/metric.hpp"
#include "api/sweep/sweep.hpp"
#include "sim/config_errors.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace fenceline {

/// One run of a sweep.
struct SweepPoint {
  std::uint64_t run = 0;            ///< its number, from 0
  std::string workload;             ///< file
  std::string machine;              ///< file or name; empty: the workload's own
  std::vector<std::string> values;  ///< one of each axis
};

/// A sweep, resolved: which runs it has, in which order, and what the columns of their rows are.
class SweepPlan {
 public:
  static constexpr std::uint64_t most_runs = 10'000'000;

  /// `file` names the sweep in errors. Throws ConfigError: with what is wrong what its reader found (`errors`), whose
  /// axes are left out.
  SweepPlan(Sweep sweep, std::string file, ConfigErrors errors = {});

  const Sweep& sweep() const { return sweep_; }
  const std::string& file() const { return file_; }
  /// How often each combination is played: the last axis is their seed then. 1 where the sweep has no repetitions.
  std::uint64_t repetitions() const { return sweep_.repeat == 0 ? 1 : sweep_.repeat; }
  /// One column for each, `seed` the last where there are repetitions.
  const std::vector<std::string>& axis_names() const { return axis_names_; }
  const std::vector<Metric>& metrics() const { return metrics_; }
  std::uint64_t runs() const { return runs_; }
  SweepPoint point(std::uint64_t run) const;
  /// Workload, machine and each group of zipped axes: which of its values a run has, in this order. A run's number is
  /// made of these, the last changing first.
  std::vector<std::uint64_t> places(std::uint64_t run) const;
  std::uint64_t run_at(const std::vector<std::uint64_t>& places) const;
  /// How many values each of `places` has.
  const std::vector<std::uint64_t>& sizes() const { return sizes_; }
  /// The `/pointer=value` texts of a run: the sweep's own, then those of the axes.
  std::vector<std::string> sets(const SweepPoint& point) const;

 private:
  void check_pointer(std::size_t index) const;
  void add_axis(std::size_t index);

  Sweep sweep_;
  std::string file_;
  std::vector<SweepAxis> axes_;                   ///< the sweep's, and the seed's
  std::vector<std::vector<std::string>> values_;  ///< of each axis
  std::vector<std::size_t> group_;                ///< of each axis
  std::vector<std::uint64_t> sizes_;
  std::vector<std::string> axis_names_;
  std::vector<Metric> metrics_;
  std::uint64_t runs_ = 0;
};

/// The values of an axis, as `--set` takes them. Throws ConfigError where there are too many.
std::vector<std::string> axis_values(const SweepAxis& axis, const std::string& file, const std::string& pointer);

}  // namespace fenceline
