// SPDX-License-Identifier: Apache-2.0
#include "scheduler/policies/jitter.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <set>

using namespace fenceline;

TEST_CASE("jitter: none without a mean, else a function of seed, site, context and packet alone", "[scheduler]") {
  CHECK(jitter_ps(0, 1, JitterSite::launch, 2, 3) == 0);
  const std::uint64_t drawn = jitter_ps(180, 1, JitterSite::launch, 2, 3);
  CHECK(jitter_ps(180, 1, JitterSite::launch, 2, 3) == drawn);
  CHECK(jitter_ps(180, 2, JitterSite::launch, 2, 3) != drawn);
  CHECK(jitter_ps(180, 1, JitterSite::fence, 2, 3) != drawn);
  CHECK(jitter_ps(180, 1, JitterSite::launch, 3, 3) != drawn);
  CHECK(jitter_ps(180, 1, JitterSite::launch, 2, 4) != drawn);
}

TEST_CASE("jitter: is distributed exponentially, over packets and over seeds", "[scheduler]") {
  constexpr int draws = 20000;
  for (const bool over_seeds : {false, true}) {
    double sum_ns = 0;
    int below_mean = 0;
    for (int i = 0; i < draws; ++i) {
      const std::uint64_t seed = over_seeds ? static_cast<std::uint64_t>(i) : 1;
      const std::uint64_t packet = over_seeds ? 1 : static_cast<std::uint64_t>(i);
      const double ns = static_cast<double>(jitter_ps(1000, seed, JitterSite::fence, 0, packet)) / 1e3;
      sum_ns += ns;
      below_mean += ns < 1000 ? 1 : 0;
    }
    // Three standard errors of a mean of 20000, and of the share 1 - 1/e.
    CHECK(sum_ns / draws == Approx(1000).epsilon(0.0213));
    CHECK(static_cast<double>(below_mean) / draws == Approx(0.63212).margin(0.0103));
  }
}
