// SPDX-License-Identifier: Apache-2.0
#include "api/sweep/coordinate_search.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace fenceline {
namespace {

constexpr std::size_t first_axis = 2;  // of the places, behind workload and machine
}  // namespace

CoordinateSearch::CoordinateSearch(const SweepPlan& plan, SearchGoal goal, std::uint64_t workload,
                                   std::uint64_t machine)
    : plan_(plan), goal_(std::move(goal)), places_(plan.sizes().size(), 0), axis_(first_axis) {
  places_[0] = workload;
  places_[1] = machine;
  first_ = plan_.run_at(places_);
  ask();
}

/// Of one that was heard of, as was the first combination: it is on the first line.
SearchScore CoordinateSearch::score(std::uint64_t run) const {
  return score_of(goal_, plan_.metrics(), heard_.at(run), heard_.at(first_));
}

/// Asks for what is not known yet of the axis, or of the next one.
void CoordinateSearch::ask() {
  for (;;) {
    const std::size_t axes = places_.size() - first_axis;
    if (axes == 0) {
      line_ = {plan_.run_at(places_)};
    } else {
      line_.clear();
      std::vector<std::uint64_t> places = places_;
      for (places[axis_] = 0; places[axis_] < plan_.sizes()[axis_]; ++places[axis_])
        line_.push_back(plan_.run_at(places));
    }
    std::copy_if(line_.begin(), line_.end(), std::back_inserter(wanted_),
                 [&](std::uint64_t run) { return heard_.count(run) == 0; });
    if (!wanted_.empty()) return;
    take_best();
    if (unchanged_ >= std::max<std::size_t>(axes, 1)) return;
  }
}

/// All of the axis is known: goes on from the best, which is the present one unless another is better.
void CoordinateSearch::take_best() {
  std::uint64_t best = plan_.run_at(places_);
  for (const std::uint64_t run : line_) {
    if (score(run).better_than(score(best))) best = run;
  }
  unchanged_ = best == plan_.run_at(places_) ? unchanged_ + 1 : 1;
  places_ = plan_.places(best);
  if (++axis_ >= places_.size()) axis_ = first_axis;
}

void CoordinateSearch::hear(const SweepOutcome& outcome) {
  const auto asked = std::find(wanted_.begin(), wanted_.end(), outcome.run);
  if (asked == wanted_.end()) return;
  heard_[outcome.run] = outcome;
  wanted_.erase(asked);
  if (!wanted_.empty()) return;
  take_best();
  if (unchanged_ < std::max<std::size_t>(places_.size() - first_axis, 1)) ask();
}

std::optional<std::uint64_t> CoordinateSearch::best() const {
  const std::uint64_t run = nearest();
  if (heard_.count(run) == 0 || score(run).beyond > 0) return std::nullopt;
  return run;
}

}  // namespace fenceline
