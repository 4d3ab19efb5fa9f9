// SPDX-License-Identifier: Apache-2.0
#include "api/repeat/race_points.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <vector>

using namespace fenceline;

namespace {

/// Two queues of one packet; the run's makespan follows from the order.
struct Runs {
  std::vector<std::uint64_t> makespans;
  std::vector<std::uint64_t> times;

  void add(std::uint64_t one_start, std::uint64_t other_start, std::uint64_t makespan) {
    makespans.push_back(makespan);
    times.insert(times.end(), {one_start, one_start + 100, other_start, other_start + 100});
  }
  RunTable table() const { return {makespans.data(), times.data(), makespans.size(), 2, 1}; }
};

}  // namespace

TEST_CASE("race points: a pair whose order changes the makespan is found, with both outcomes", "[api]") {
  Runs runs;
  for (int i = 0; i < 30; ++i) runs.add(10, 11, 1000);
  for (int i = 0; i < 10; ++i) runs.add(11, 10, 1500);
  const auto points = race_points(runs.table(), 10);
  REQUIRE(points.size() == 1);
  CHECK(points[0].one == 0);
  CHECK(points[0].other == 1);
  CHECK(points[0].first.runs == 30);
  CHECK(points[0].first.makespan_ps == 1000);
  CHECK(points[0].second.runs == 10);
  CHECK(points[0].second.makespan_ps == 1500);
  CHECK(points[0].change == Approx(0.5));
}

TEST_CASE("race points: an order that never changes, or changes nothing, is none", "[api]") {
  Runs same_order;
  for (int i = 0; i < 30; ++i) same_order.add(10, 11 + i, 1000 + 100 * i);
  CHECK(race_points(same_order.table(), 10).empty());
  Runs same_outcome;
  for (int i = 0; i < 30; ++i) same_outcome.add(1000 + i % 2, 1000 + (i + 1) % 2, 5000);
  CHECK(race_points(same_outcome.table(), 10).empty());
}

TEST_CASE("race points: runs that did not complete, and packets that did not run, count for nothing", "[api]") {
  Runs runs;
  for (int i = 0; i < 30; ++i) runs.add(10, 11, 1000);
  for (int i = 0; i < 30; ++i) runs.add(11, 10, 0);
  CHECK(race_points(runs.table(), 10).empty());
}
