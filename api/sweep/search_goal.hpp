// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/sweep/metric.hpp"
#include "api/sweep/played_point.hpp"

#include <optional>
#include <string>
#include <vector>

namespace fenceline {

/// What is looked for: the least, or the most, of a metric within limits of others.
struct SearchGoal {
  /// What a metric may be.
  struct Limit {
    std::string metric;     ///< name of a column
    double bound = 0;       ///< a number, or percent of what the first combination has
    bool at_least = false;  ///< it is the least, not the most
    bool of_first = false;  ///< in percent
    std::string text{};     ///< as it was said
  };
  std::string metric;  ///< name of a column
  std::vector<Limit> limits;
  bool most = false;  ///< more of the metric is better
};

/// What `--optimise` takes: METRIC, max:METRIC or min:METRIC.
struct Optimised {
  std::string metric;        ///< as metrics_named takes it
  std::optional<bool> most;  ///< it was said
};
Optimised optimised_in(const std::string& text);

/// What `--within` takes: METRIC<=NUMBER or METRIC>=NUMBER, the number perhaps with a % behind it. Throws ConfigError.
SearchGoal::Limit limit_in(const std::string& text);

/// How good a run was: less is better.
struct SearchScore {
  double beyond = 0;  ///< the limits, in parts of them; 0: within
  double value = 0;   ///< of the metric, or less where more of it is better
  bool better_than(const SearchScore& other) const {
    return beyond < other.beyond || (beyond == other.beyond && value < other.value);
  }
};

/// Of a run whose workload and machine have `first` as their first combination.
SearchScore score_of(const SearchGoal& goal, const std::vector<Metric>& metrics, const SweepOutcome& outcome,
                     const SweepOutcome& first);

}  // namespace fenceline
