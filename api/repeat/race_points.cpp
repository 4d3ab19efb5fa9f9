// SPDX-License-Identifier: Apache-2.0
#include "api/repeat/race_points.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace fenceline {
namespace {

constexpr std::size_t most_pairs = 4096;

using Pair = std::pair<std::size_t, std::size_t>;

/// Places that a run has, by start.
std::vector<std::size_t> order_of(const RunTable& table, std::size_t run) {
  std::vector<std::size_t> order;
  for (std::size_t place = 0; place < table.places(); ++place) {
    if (table.end_ps(run, place) > 0) order.push_back(place);
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(table.start_ps(run, a), a) < std::pair(table.start_ps(run, b), b);
  });
  return order;
}

std::set<Pair> neighbours(const RunTable& table) {
  std::set<Pair> pairs;
  for (std::size_t run = 0; run < table.runs && pairs.size() < most_pairs; ++run) {
    if (table.makespans_ps[run] == 0) continue;
    const std::vector<std::size_t> order = order_of(table, run);
    for (std::size_t i = 1; i < order.size() && pairs.size() < most_pairs; ++i) {
      const auto [one, other] = std::minmax(order[i - 1], order[i]);
      if (one / table.packets_of_queue != other / table.packets_of_queue) pairs.insert({one, other});
    }
  }
  return pairs;
}

std::uint64_t median(std::vector<std::uint64_t>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct Outcomes {
  std::vector<std::uint64_t> makespans, one_ends, other_ends;

  RaceOutcome medians() { return {makespans.size(), median(makespans), median(one_ends), median(other_ends)}; }
};

double change_of(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t lower = std::max<std::uint64_t>(std::min(a, b), 1);
  return static_cast<double>(std::max(a, b) - std::min(a, b)) / static_cast<double>(lower);
}

}  // namespace

std::vector<RacePoint> race_points(const RunTable& table, std::size_t most) {
  constexpr double least_change = 0.01;
  std::vector<RacePoint> points;
  for (const auto& [one, other] : neighbours(table)) {
    Outcomes by_order[2];
    for (std::size_t run = 0; run < table.runs; ++run) {
      if (table.makespans_ps[run] == 0 || table.end_ps(run, one) == 0 || table.end_ps(run, other) == 0) continue;
      const std::uint64_t of_one = table.start_ps(run, one);
      const std::uint64_t of_other = table.start_ps(run, other);
      if (of_one == of_other) continue;
      Outcomes& outcomes = by_order[of_one < of_other ? 0 : 1];
      outcomes.makespans.push_back(table.makespans_ps[run]);
      outcomes.one_ends.push_back(table.end_ps(run, one));
      outcomes.other_ends.push_back(table.end_ps(run, other));
    }
    const std::size_t rarer = std::min(by_order[0].makespans.size(), by_order[1].makespans.size());
    if (rarer == 0 || rarer * 100 < table.runs) continue;
    RacePoint point{one, other, by_order[0].medians(), by_order[1].medians(), 0};
    point.change = std::max({change_of(point.first.makespan_ps, point.second.makespan_ps),
                             change_of(point.first.one_end_ps, point.second.one_end_ps),
                             change_of(point.first.other_end_ps, point.second.other_end_ps)});
    if (point.change >= least_change) points.push_back(point);
  }
  std::sort(points.begin(), points.end(), [](const RacePoint& a, const RacePoint& b) {
    return std::make_tuple(-a.change, a.one, a.other) < std::make_tuple(-b.change, b.one, b.other);
  });
  if (points.size() > most) points.resize(most);
  return points;
}

}  // namespace fenceline
