// SPDX-License-Identifier: Apache-2.0
#include "engines/memory/level_shares.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace fenceline {

std::uint64_t LevelShares::rate_of(const LevelCosts& costs) const {
  Wide rate = capacities_[0];
  for (std::size_t level = 1; level < levels_; ++level) {
    if (costs[level] > 0) rate = std::min(rate, (Wide{capacities_[level]} << 32) / costs[level]);
  }
  return static_cast<std::uint64_t>(rate);
}

void LevelShares::share(const std::vector<ShareRequest>& requests, const std::vector<LevelCosts>& costs,
                        std::vector<std::uint64_t>& rates) {
  requests_ = &requests;
  costs_ = &costs;
  rates_ = &rates;
  rates.resize(requests.size());
  order_.resize(requests.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    const ShareRequest& x = requests[a];
    const ShareRequest& y = requests[b];
    if (x.priority != y.priority) return x.priority > y.priority;
    const Wide x_first = Wide{x.limit} * y.weight;
    const Wide y_first = Wide{y.limit} * x.weight;
    return x_first != y_first ? x_first < y_first : a < b;
  });
  for (std::size_t level = 0; level < levels_; ++level) level_[level].left = static_cast<double>(capacities_[level]);
  for (auto next = order_.begin(); next != order_.end();) {
    const int priority = requests[*next].priority;
    const auto end =
        std::find_if(next, order_.end(), [&](std::uint32_t i) { return requests[i].priority != priority; });
    share_band(next, end);
    next = end;
  }
}

/// For a weight of one; no bound where nobody costs the level anything.
double LevelShares::part_of(const Level& level) const {
  if (level.weights == 0) return std::numeric_limits<double>::infinity();
  return level.left * static_cast<double>(whole_byte) / static_cast<double>(level.weights);
}

void LevelShares::give(std::uint32_t request, double rate) {
  (*rates_)[request] = static_cast<std::uint64_t>(rate);
  const LevelCosts& costs = (*costs_)[request];
  const Wide weight = (*requests_)[request].weight;
  for (std::size_t level = 0; level < levels_; ++level) {
    const double cost = static_cast<double>(costs[level]) / static_cast<double>(whole_byte);
    level_[level].left = std::max(0.0, level_[level].left - rate * cost);
    level_[level].weights -= weight * costs[level];
  }
}

/// Shares what is left among the requests of one priority, in the order in which they reach their limits.
void LevelShares::share_band(Order next, Order end) {
  for (std::size_t level = 0; level < levels_; ++level) {
    level_[level].weights = 0;
    for (auto i = next; i != end; ++i) {
      level_[level].weights += Wide{(*requests_)[*i].weight} * (*costs_)[*i][level];
    }
  }
  while (next != end) {
    std::size_t full = 0;
    double part = part_of(level_[0]);
    for (std::size_t level = 1; level < levels_; ++level) {
      const double of_level = part_of(level_[level]);
      if (of_level >= part) continue;
      full = level;
      part = of_level;
    }
    const auto weight_of = [this](std::uint32_t i) { return static_cast<double>((*requests_)[i].weight); };
    const auto limit = static_cast<double>((*requests_)[*next].limit);
    if (limit <= part * weight_of(*next)) {
      give(*next++, limit);
      continue;
    }
    // One level is used up: all who need it get no more than the part that is theirs. L2 is needed by all.
    const auto needs_it = [&](std::uint32_t i) { return (*costs_)[i][full] > 0; };
    const auto stop = full == 0 ? end : std::stable_partition(next, end, needs_it);
    for (; next != stop; ++next) give(*next, part * weight_of(*next));
  }
}

}  // namespace fenceline
