// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/sweep/played_point.hpp"
#include "api/sweep/search_goal.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace fenceline {

/// Looks for the best run of a sweep with one of its workloads on one of its machines, an axis at a time: all values of
/// an axis beside the best ones so far of the others, then those of the next axis, until a turn through all axes has
/// changed nothing. Which runs it asks for does not depend on the order in which they are heard of.
class CoordinateSearch {
 public:
  /// Begins at the first value of each axis. The plan outlives it and has the goal's metrics.
  CoordinateSearch(const SweepPlan& plan, SearchGoal goal, std::uint64_t workload, std::uint64_t machine);

  /// Runs that it has to hear of before it goes on, in their order; none: it is over.
  const std::vector<std::uint64_t>& wanted() const { return wanted_; }
  /// A run is over; goes on with the last one that it waited for.
  void hear(const SweepOutcome& outcome);
  /// The best one that is within the limits; none: no run was.
  std::optional<std::uint64_t> best() const;
  /// The one with which the search ended: the best, or the nearest to the limits.
  std::uint64_t nearest() const { return plan_.run_at(places_); }

 private:
  SearchScore score(std::uint64_t run) const;
  void ask();
  void take_best();

  const SweepPlan& plan_;
  SearchGoal goal_;
  std::vector<std::uint64_t> places_;            ///< of the best run so far
  std::size_t axis_;                             ///< whose values are tried: an index of places
  std::size_t unchanged_ = 0;                    ///< axes in turn that have changed nothing
  std::uint64_t first_ = 0;                      ///< the first combination
  std::map<std::uint64_t, SweepOutcome> heard_;  ///< by run
  std::vector<std::uint64_t> line_;              ///< runs along the axis
  std::vector<std::uint64_t> wanted_;
};

}  // namespace fenceline
