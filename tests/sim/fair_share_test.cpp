// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/fair_share.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <vector>

using namespace fenceline;

namespace {

using Wide = unsigned __int128;
using Shares = std::vector<std::uint64_t>;
constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

Wide sum_of_limits(const std::vector<ShareRequest>& requests) {
  Wide sum = 0;
  for (const ShareRequest& request : requests) sum += request.limit;
  return sum;
}

}  // namespace

TEST_CASE("fair share: examples worked by hand", "[sim]") {
  CHECK(fair_shares(100, {}).empty());
  CHECK(fair_shares(100, {{0, 1, no_limit}}) == Shares{100});
  CHECK(fair_shares(100, {{0, 1, 30}}) == Shares{30});
  CHECK(fair_shares(100, {{0, 1, no_limit}, {0, 1, no_limit}}) == Shares{50, 50});
  CHECK(fair_shares(100, {{0, 1, 20}, {0, 1, no_limit}, {0, 1, no_limit}}) == Shares{20, 40, 40});
  CHECK(fair_shares(100, {{0, 1, no_limit}, {0, 3, no_limit}}) == Shares{25, 75});
  CHECK(fair_shares(120, {{0, 1, no_limit}, {0, 3, 60}}) == Shares{60, 60});
  CHECK(fair_shares(100, {{0, 1, no_limit}, {5, 1, 70}, {5, 1, 10}}) == Shares{20, 70, 10});
  CHECK(fair_shares(100, {{-1, 9, no_limit}, {0, 1, no_limit}}) == Shares{0, 100});
  CHECK(fair_shares(100, {{0, 1, 0}, {0, 1, no_limit}}) == Shares{0, 100});
  CHECK(fair_shares(0, {{0, 1, 5}, {1, 1, 5}}) == Shares{0, 0});
  CHECK(fair_shares(no_limit, {{0, no_limit, no_limit}, {0, no_limit, no_limit}}) ==
        Shares{no_limit / 2, no_limit - no_limit / 2});
}

TEST_CASE("fair share: random wishes are shared in full, within limits, by strict priority, max-min fair", "[sim]") {
  std::mt19937_64 random(1);
  for (int round = 0; round < 20'000; ++round) {
    const std::uint64_t scale = std::uint64_t{1} << (random() % 62);
    const std::uint64_t weight_scale = std::uint64_t{1} << (random() % 24);
    const std::uint64_t capacity = random() % (scale + 1);
    std::vector<ShareRequest> requests(random() % 12);
    for (ShareRequest& request : requests) {
      request.priority = static_cast<int>(random() % 3) - 1;
      request.weight = 1 + random() % weight_scale;
      request.limit = random() % 4 == 0 ? no_limit : random() % (scale + 1);
    }
    const Shares shares = fair_shares(capacity, requests);
    REQUIRE(shares.size() == requests.size());

    Wide sum = 0;
    for (const std::uint64_t share : shares) sum += share;
    REQUIRE(sum == std::min<Wide>(capacity, sum_of_limits(requests)));

    // Each floor gives away less than one unit, which those behind it share: never more than this part of a unit per
    // unit of weight in all, for weights are at least 1.
    double harmonic = 0;
    for (std::size_t k = 1; k <= requests.size(); ++k) harmonic += 1 / static_cast<double>(k);
    for (std::size_t u = 0; u < requests.size(); ++u) {
      REQUIRE(shares[u] <= requests[u].limit);
      if (shares[u] == requests[u].limit) continue;
      for (std::size_t v = 0; v < requests.size(); ++v) {
        if (requests[v].priority < requests[u].priority) REQUIRE(shares[v] == 0);  // strict
        if (requests[v].priority != requests[u].priority) continue;
        const auto ratio = [&](std::size_t i, std::uint64_t extra) {
          return (static_cast<long double>(shares[i]) + extra) / requests[i].weight;
        };
        REQUIRE(ratio(v, 0) <= ratio(u, 1) + harmonic);
      }
    }
  }
}

TEST_CASE("fair share: equal users differ by one byte a second at most, and their order does not matter", "[sim]") {
  std::mt19937_64 random(2);
  for (int round = 0; round < 1000; ++round) {
    const std::vector<ShareRequest> equal(1 + random() % 40, ShareRequest{0, 1 + random() % 9, no_limit});
    const Shares shares = fair_shares(random() % 100'000, equal);
    const auto [least, most] = std::minmax_element(shares.begin(), shares.end());
    REQUIRE(*most - *least <= 1);
  }
  for (int round = 0; round < 1000; ++round) {
    std::vector<ShareRequest> requests(1 + random() % 10);
    for (ShareRequest& request : requests) {
      request = {static_cast<int>(random() % 2), 1 + random() % 5, random() % 1'000'000'000};
    }
    const std::uint64_t capacity = random() % 4'000'000'000;
    const Shares shares = fair_shares(capacity, requests);
    std::vector<std::size_t> order(requests.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    std::vector<ShareRequest> shuffled;
    shuffled.reserve(order.size());
    for (const std::size_t i : order) shuffled.push_back(requests[i]);
    const Shares again = fair_shares(capacity, shuffled);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::uint64_t x = again[i];
      const std::uint64_t y = shares[order[i]];
      // Users of one ratio limit / weight may swap the remainders of the division: one unit for each user.
      REQUIRE(std::max(x, y) - std::min(x, y) <= requests.size());
    }
  }
}
