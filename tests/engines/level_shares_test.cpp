// SPDX-License-Identifier: Apache-2.0
#include "engines/memory/level_shares.hpp"

#include "tests/engines/shader_array/random_grids.hpp"

#include <catch2/catch.hpp>

#include <limits>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

using Rates = std::vector<std::uint64_t>;

/// What one byte costs each level, in quarters.
LevelCosts quarters(std::uint64_t first, std::uint64_t second, std::uint64_t third) {
  return {first * whole_byte / 4, second * whole_byte / 4, third * whole_byte / 4};
}

Rates share(LevelShares shares, const std::vector<ShareRequest>& requests, const std::vector<LevelCosts>& costs) {
  Rates rates;
  shares.share(requests, costs, rates);
  return rates;
}

double moved(const Rates& rates, const std::vector<LevelCosts>& costs, std::size_t level) {
  double sum = 0;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    sum += static_cast<double>(rates[i]) * static_cast<double>(costs[i][level]) / static_cast<double>(whole_byte);
  }
  return sum;
}

}  // namespace

TEST_CASE("level shares: the slowest level decides for all that cost the levels as much", "[engines]") {
  const LevelShares shares({1000, 400, 100}, 3);
  CHECK(shares.rate_of(quarters(4, 0, 0)) == 1000);  // L2 serves all
  CHECK(shares.rate_of(quarters(4, 1, 0)) == 1000);  // the second would do for 1600
  CHECK(shares.rate_of(quarters(4, 4, 0)) == 400);
  CHECK(shares.rate_of(quarters(4, 4, 1)) == 400);  // both just so
  CHECK(shares.rate_of(quarters(4, 4, 2)) == 200);
  CHECK(shares.rate_of(quarters(4, 4, 4)) == 100);
}

TEST_CASE("level shares: where one level is used up, who does not need it goes on", "[engines]") {
  const ShareRequest any{0, 1, no_limit};
  const std::vector<LevelCosts> costs = {quarters(4, 0, 0), quarters(4, 4, 0), quarters(4, 4, 4)};
  // 100 each until video memory is full; 300 more for the second, whose level is then full; L2's rest for the first.
  CHECK(share({{1000, 400, 100}, 3}, {any, any, any}, costs) == Rates{600, 300, 100});
  // The middle level is full first: 100 each.
  CHECK(share({{1000, 200, 150}, 3}, {any, any, any}, costs) == Rates{800, 100, 100});
  // L2 is full first: all stop.
  CHECK(share({{300, 400, 150}, 3}, {any, any, any}, costs) == Rates{100, 100, 100});
  // Weights, and a limit: the third asks for 40, video memory is not full; 360 of the middle level for the second.
  CHECK(share({{1000, 400, 100}, 3}, {any, {0, 3, no_limit}, {0, 1, 40}}, costs) == Rates{600, 360, 40});
  // By priority: the first takes all of L2.
  CHECK(share({{1000, 400, 100}, 3}, {{1, 1, no_limit}, any, any}, costs) == Rates{1000, 0, 0});
}

TEST_CASE("level shares: no level moves more than it can, and whoever gets less than asked for needs a full one",
          "[engines]") {
  RandomGrids random(33);
  for (int round = 0; round < 3000; ++round) {
    const std::size_t levels = 2 + random.below(max_levels - 1);
    ByLevel<std::uint64_t> capacities{};
    for (std::size_t level = 0; level < levels; ++level) capacities[level] = 1'000'000 * (1 + random.below(1000));
    std::vector<ShareRequest> requests;
    std::vector<LevelCosts> costs;
    for (std::uint64_t count = 1 + random.below(6); count > 0; --count) {
      requests.push_back({static_cast<int>(random.below(2)), 1 + random.below(100),
                          random.one_in(3) ? no_limit : 1'000'000 * (1 + random.below(1000))});
      LevelCosts cost = {whole_byte};
      for (std::size_t level = 1; level < levels; ++level) {
        cost[level] = random.one_in(3) ? cost[level - 1] : cost[level - 1] / 4 * random.below(4);
      }
      costs.push_back(cost);
    }
    const Rates rates = share({capacities, levels}, requests, costs);
    INFO("round " << round);
    for (std::size_t level = 0; level < levels; ++level) {
      REQUIRE(moved(rates, costs, level) <= static_cast<double>(capacities[level]) * (1 + 1e-12));
      for (std::size_t i = 0; level > 0 && i < rates.size(); ++i) {
        REQUIRE(costs[i][level] <= costs[i][level - 1]);  // no more comes to a level than came to the one before
      }
    }
    for (std::size_t i = 0; i < rates.size(); ++i) {
      REQUIRE(rates[i] <= requests[i].limit);
      if (rates[i] == requests[i].limit) continue;
      bool full = false;
      for (std::size_t level = 0; level < levels; ++level) {
        full =
            full || (costs[i][level] > 0 && moved(rates, costs, level) > static_cast<double>(capacities[level]) - 10);
      }
      REQUIRE(full);
    }
  }
}
