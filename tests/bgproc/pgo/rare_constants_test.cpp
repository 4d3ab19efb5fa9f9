// SPDX-License-Identifier: Apache-2.0
// Pipeline profiles whose root constants differ with nearly every draw.
#include "bgproc/pgo/pipeline_profile.hpp"

#include <catch2/catch.hpp>

#include <cstdint>

using namespace fenceline;

TEST_CASE("pipeline profile: constants that are rare so far keep nobody measuring", "[bgproc]") {
  PipelineProfile profile({0.1, 0, 0});
  PgoConfig config;
  config.frequent_part = 0.25;
  for (ConstantsKey one = 1; one <= 100; ++one) profile.measured(one, Measurement::intrusive, 1);
  CHECK_FALSE(profile.wants_more(config.frequent_part));
  profile.measured(7, Measurement::intrusive, 40);  // 41 of 140
  CHECK(profile.wants_more(config.frequent_part));
  const auto recompiles = profile.act(config, true);
  REQUIRE(recompiles.size() == 1);
  CHECK(recompiles[0].constants == 7);
  profile.compiled(recompiles[0]);
  CHECK(profile.variant_of(7).rounds == 1);
  CHECK_FALSE(profile.wants_more(config.frequent_part));
  CHECK(profile.variant_of(8).rounds == 0);
}

TEST_CASE("pipeline profile: constants beyond what it holds count, but get no variant", "[bgproc]") {
  PipelineProfile profile({0.1, 0, 0});
  PgoConfig config;
  config.frequent_part = 0.001;
  for (ConstantsKey one = 1; one <= 10'000; ++one) profile.measured(one, Measurement::light, 1);
  profile.measured(10'000, Measurement::light, 100);
  profile.measured(1, Measurement::light, 100);
  const auto recompiles = profile.act(config, true);
  REQUIRE(recompiles.size() == 1);  // of 10,200
  CHECK(recompiles[0].constants == 1);
  profile.measured(10'000, Measurement::light, 100);  // there is room again
  CHECK(profile.act(config, true).size() == 1);
}
