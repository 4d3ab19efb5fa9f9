// SPDX-License-Identifier: Apache-2.0
// Rounds of recompiles: constants, then what folds once they are known.
#include "tests/bgproc/pgo/profile_bench.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

TEST_CASE("pipeline profile: light measurements find constants alone, one round", "[bgproc]") {
  const PgoConfig config = config_of(4);
  PipelineProfile profile{FoldedParts{}};
  CHECK_FALSE(profile.wants_more());
  profile.measured(1, light, 3);
  CHECK(profile.wants_more());
  profile.measured(1, light, 1);
  CHECK(profile.wants_more());
  const std::vector<Variant> first = profile.act(config, false);
  REQUIRE(wanted(first) == Wanted{{1, 1}});
  CHECK_FALSE(profile.wants_more());  // under way
  CHECK(profile.variant_of(1).rounds == 0);
  compile(profile, first);
  CHECK(profile.variant_of(1).rounds == 1);
  for (int again = 0; again < 4; ++again) {
    profile.measured(1, light, 4);
    CHECK_FALSE(profile.wants_more());
    CHECK(profile.act(config, again % 2 == 0).empty());
  }
  CHECK(profile.variant_of(1).rounds == 1);
}

TEST_CASE("pipeline profile: intrusive measurements converge after three rounds", "[bgproc]") {
  const bool committed = GENERATE(false, true);
  const PgoConfig config = config_of(4);
  const std::uint64_t executions = committed ? 1 : 4;
  PipelineProfile profile{FoldedParts{}};
  for (std::uint32_t round = 1; round <= 3; ++round) {
    profile.measured(1, intrusive, executions);
    CHECK(profile.wants_more());
    const std::vector<Variant> recompiles = profile.act(config, committed);
    REQUIRE(wanted(recompiles) == Wanted{{1, round}});
    CHECK(profile.wants_more() == (round < 3));
    CHECK(profile.variant_of(1).rounds == round - 1);
    compile(profile, recompiles);
    CHECK(profile.variant_of(1).rounds == round);
    CHECK(profile.wants_more() == (round < 3));
  }
  profile.measured(1, intrusive, 4);
  CHECK_FALSE(profile.wants_more());
  CHECK(profile.act(config, committed).empty());
  CHECK(profile.variant_of(1).rounds == 3);
}

TEST_CASE("pipeline profile: after light rounds intrusive measurements open the further ones", "[bgproc]") {
  const PgoConfig config = config_of(4);
  PipelineProfile profile{FoldedParts{}};
  CHECK(converge(profile, config, 1, light) == 1);
  profile.measured(1, intrusive, 1);
  CHECK(profile.wants_more());
  CHECK(converge(profile, config, 1, intrusive) == 2);
  CHECK(profile.variant_of(1).rounds == 3);
}

TEST_CASE("pipeline profile: a further round is asked for only for constants with intrusive measurements", "[bgproc]") {
  const PgoConfig config = config_of(4);
  PipelineProfile profile{FoldedParts{}};
  measure(profile, {{1, 2}, {2, 2}}, light);
  compile(profile, profile.act(config, false));
  profile.measured(1, light, 2);
  profile.measured(2, intrusive, 2);
  CHECK(wanted(profile.act(config, false)) == Wanted{{2, 2}});
}

TEST_CASE("pipeline profile: there are as many rounds as parts that are not 0, each folds the next", "[bgproc]") {
  const PgoConfig config = config_of(4);
  for (unsigned mask = 0; mask < 8; ++mask) {
    INFO("mask " << mask);
    const FoldedParts parts{mask % 2 == 0 ? 0 : 0.125, mask / 2 % 2 == 0 ? 0 : 0.25, mask / 4 == 0 ? 0 : 0.375};
    PipelineProfile profile{parts};
    double instructions = 1;
    double bytes = 1;
    for (std::size_t round = 0; round < folding_rounds; ++round) {
      const double part = parts.by_round()[round];
      if (part == 0) continue;
      profile.measured(1, intrusive, 4);
      CHECK(profile.wants_more());
      const std::vector<Variant> recompiles = profile.act(config, false);
      REQUIRE(recompiles.size() == 1);
      compile(profile, recompiles);
      CHECK(profile.variant_of(1).rounds == recompiles[0].rounds);
      (round < 2 ? instructions : bytes) -= part;
      PgoExecution execution;
      execution.rounds = recompiles[0].rounds;
      const CostScale scale = cost_scale(config, parts, execution);
      CHECK(scale.instructions == Approx(instructions));  // rounding of a few sums
      CHECK(scale.bytes == Approx(bytes));
    }
    profile.measured(1, intrusive, 4);
    CHECK_FALSE(profile.wants_more());
    CHECK(profile.act(config, mask % 2 == 0).empty());
  }
}

TEST_CASE("pipeline profile: where nothing folds nothing is ever wanted", "[bgproc]") {
  const Measurement how = GENERATE(Measurement::light, Measurement::intrusive);
  PipelineProfile profile{FoldedParts{0, 0, 0}};
  profile.measured(1, how, 1000);
  CHECK_FALSE(profile.wants_more());
  CHECK(profile.act(config_of(1000), how == light).empty());
  CHECK_FALSE(profile.wants_more());
  CHECK(profile.variant_of(1).rounds == 0);
}
