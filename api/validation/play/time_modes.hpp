// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace fenceline {

/// A time, and the part of all samples that it stands for.
struct WeightedTime {
  double us;
  double share;
};

/// One of the outcomes of a race: times that are close to one another, apart from all others.
struct OutcomeMode {
  double us;     ///< the middle one of its samples
  double share;  ///< of all samples
};

/// Ascending. A gap of more than a fiftieth (as in `run --repeat`) and more than a microsecond, by which a host's
/// times scatter, parts two modes; one that fewer samples belong to than `least_share` is none.
std::vector<OutcomeMode> modes_of(std::vector<WeightedTime> times, double least_share);
/// The one whose time is nearest to `us`; there is one.
std::size_t nearest_mode(const std::vector<OutcomeMode>& modes, double us);

/// Every sample counts alike.
std::vector<WeightedTime> alike(const std::vector<double>& times_us);
/// Quantiles of several runs with as many samples each. A quantile stands for the samples up to half of the way to its
/// neighbours.
std::vector<WeightedTime> of_quantiles(const std::vector<double>& quantiles,
                                       const std::vector<std::vector<double>>& runs_us);

}  // namespace fenceline
