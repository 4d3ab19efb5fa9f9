// SPDX-License-Identifier: Apache-2.0
#include "api/sweep/search_goal.hpp"

#include "sim/config_error.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>

namespace fenceline {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// The outcome's number in that column.
std::optional<double> number_of(const std::vector<Metric>& metrics, const SweepOutcome& outcome,
                                const std::string& name) {
  const auto found =
      std::find_if(metrics.begin(), metrics.end(), [&](const Metric& metric) { return metric.name == name; });
  const auto index = static_cast<std::size_t>(found - metrics.begin());
  if (outcome.status != "done" || index >= outcome.metrics.size() || !outcome.metrics[index].is_number()) return {};
  const double number = outcome.metrics[index].get<double>();
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

}  // namespace

Optimised optimised_in(const std::string& text) {
  const std::string said = text.substr(0, 4);
  if (said != "max:" && said != "min:") return {text, std::nullopt};
  return {text.substr(4), said == "max:"};
}

SearchGoal::Limit limit_in(const std::string& text) {
  const auto refuse = [&]() -> SearchGoal::Limit {
    throw ConfigError("--within", "", "METRIC<=NUMBER or METRIC>=NUMBER, NUMBER% for a part of the first combination's",
                      in_quotes(text));
  };
  const std::size_t at = std::min(text.find("<="), text.find(">="));
  if (at == 0 || at == std::string::npos) return refuse();
  SearchGoal::Limit limit;
  limit.metric = text.substr(0, at);
  limit.at_least = text[at] == '>';
  limit.text = text;
  std::string number = text.substr(at + 2);
  limit.of_first = !number.empty() && number.back() == '%';
  if (limit.of_first) number.pop_back();
  char* end = nullptr;
  limit.bound = std::strtod(number.c_str(), &end);
  return number.empty() || *end != '\0' || !std::isfinite(limit.bound) ? refuse() : limit;
}

SearchScore score_of(const SearchGoal& goal, const std::vector<Metric>& metrics, const SweepOutcome& outcome,
                     const SweepOutcome& first) {
  SearchScore score;
  const std::optional<double> value = number_of(metrics, outcome, goal.metric);
  score.value = value ? (goal.most ? -*value : *value) : never;
  if (!value) score.beyond = never;
  for (const SearchGoal::Limit& limit : goal.limits) {
    const std::optional<double> number = number_of(metrics, outcome, limit.metric);
    const std::optional<double> whole = limit.of_first ? number_of(metrics, first, limit.metric) : std::optional(100.0);
    if (!number || !whole) {
      score.beyond = never;
      continue;
    }
    const double bound = limit.of_first ? limit.bound * *whole / 100 : limit.bound;
    const double over = limit.at_least ? bound - *number : *number - bound;
    if (over > 0) score.beyond += over / std::max(std::abs(bound), 1e-9);
  }
  return score;
}

}  // namespace fenceline
