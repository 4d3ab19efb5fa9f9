// SPDX-License-Identifier: Apache-2.0
#include "api/sweep/coordinate_search.hpp"

#include "sim/config_error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <utility>

namespace fenceline {
namespace {

constexpr std::size_t first_axis = 2;  // of the places, behind workload and machine
constexpr double never = std::numeric_limits<double>::infinity();

/// The outcome's number in that column; infinite where it has none.
double number_of(const SweepPlan& plan, const SweepOutcome& outcome, const std::string& name) {
  const auto& metrics = plan.metrics();
  const auto found =
      std::find_if(metrics.begin(), metrics.end(), [&](const Metric& metric) { return metric.name == name; });
  const auto index = static_cast<std::size_t>(found - metrics.begin());
  if (outcome.status != "done" || index >= outcome.metrics.size() || !outcome.metrics[index].is_number()) return never;
  return outcome.metrics[index].get<double>();
}

}  // namespace

SearchGoal::Limit limit_in(const std::string& text) {
  const std::size_t at = text.find("<=");
  const std::string number = at == std::string::npos ? "" : text.substr(at + 2);
  char* end = nullptr;
  const double most = std::strtod(number.c_str(), &end);
  if (at == 0 || number.empty() || *end != '\0' || !std::isfinite(most)) {
    throw ConfigError("--within", "", "METRIC<=NUMBER", in_quotes(text));
  }
  return {text.substr(0, at), most};
}

CoordinateSearch::CoordinateSearch(const SweepPlan& plan, SearchGoal goal, std::uint64_t workload,
                                   std::uint64_t machine)
    : plan_(plan), goal_(std::move(goal)), places_(plan.sizes().size(), 0), axis_(first_axis) {
  places_[0] = workload;
  places_[1] = machine;
  ask();
}

bool CoordinateSearch::better(const Score& one, const Score& other) {
  return one.beyond < other.beyond || (one.beyond == other.beyond && one.value < other.value);
}

CoordinateSearch::Score CoordinateSearch::score_of(const SweepOutcome& outcome) const {
  Score score;
  score.value = number_of(plan_, outcome, goal_.metric);
  if (!std::isfinite(score.value)) score.beyond = never;
  for (const SearchGoal::Limit& limit : goal_.limits) {
    const double over = number_of(plan_, outcome, limit.metric) - limit.most;
    if (over > 0) score.beyond += over / std::max(std::abs(limit.most), 1e-9);
  }
  return score;
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
                 [&](std::uint64_t run) { return scores_.count(run) == 0; });
    if (!wanted_.empty()) return;
    take_best();
    if (unchanged_ >= std::max<std::size_t>(axes, 1)) return;
  }
}

/// All of the axis is known: goes on from the best, which is the present one unless another is better.
void CoordinateSearch::take_best() {
  std::uint64_t best = plan_.run_at(places_);
  for (const std::uint64_t run : line_) {
    if (better(scores_.at(run), scores_.at(best))) best = run;
  }
  unchanged_ = best == plan_.run_at(places_) ? unchanged_ + 1 : 1;
  places_ = plan_.places(best);
  if (++axis_ >= places_.size()) axis_ = first_axis;
}

void CoordinateSearch::hear(const SweepOutcome& outcome) {
  const auto asked = std::find(wanted_.begin(), wanted_.end(), outcome.run);
  if (asked == wanted_.end()) return;
  scores_[outcome.run] = score_of(outcome);
  wanted_.erase(asked);
  if (!wanted_.empty()) return;
  take_best();
  if (unchanged_ < std::max<std::size_t>(places_.size() - first_axis, 1)) ask();
}

std::optional<std::uint64_t> CoordinateSearch::best() const {
  const std::uint64_t run = plan_.run_at(places_);
  const auto known = scores_.find(run);
  if (known == scores_.end() || known->second.beyond > 0) return std::nullopt;
  return run;
}

}  // namespace fenceline
