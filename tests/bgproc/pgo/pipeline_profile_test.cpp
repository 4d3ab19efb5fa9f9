// SPDX-License-Identifier: Apache-2.0
#include "tests/bgproc/pgo/profile_bench.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

TEST_CASE("pipeline profile: nothing is asked for before the act-now threshold, then it is", "[bgproc]") {
  const Measurement how = GENERATE(Measurement::light, Measurement::intrusive);
  for (const std::uint64_t act_now : {1ull, 2ull, 3ull, 16ull, 256ull, 1'000'003ull}) {
    const PgoConfig config = config_of(act_now);
    PipelineProfile profile{FoldedParts{}};
    CHECK(profile.act(config, false).empty());
    if (act_now > 1) {
      profile.measured(7, how, act_now - 1);
      CHECK(profile.act(config, false).empty());
    }
    profile.measured(7, how, 1);
    CHECK(wanted(profile.act(config, false)) == Wanted{{7, 1}});
  }
}

TEST_CASE("pipeline profile: executions of all constants together reach the threshold", "[bgproc]") {
  PipelineProfile profile{FoldedParts{}};
  for (ConstantsKey constants = 1; constants <= 3; ++constants) profile.measured(constants, light, 2);
  CHECK(profile.act(config_of(8), false).empty());
  profile.measured(4, light, 2);
  CHECK(wanted(profile.act(config_of(8), false)) == Wanted{{1, 1}, {2, 1}, {3, 1}, {4, 1}});  // a quarter each
}

TEST_CASE("pipeline profile: constants from the frequent part on are compiled for, rarer ones are not", "[bgproc]") {
  struct Shape {
    double part;
    Histogram histogram;
    Wanted expected;
  };
  // Parts are sums of powers of two, so that ties are exact.
  const std::vector<Shape> shapes{
      {0.25, {{5, 1}}, {{5, 1}}},
      {1.0, {{5, 64}}, {{5, 1}}},
      {1.0, {{5, 63}, {6, 1}}, {}},
      {0.5, {{1, 8}, {2, 8}}, {{1, 1}, {2, 1}}},
      {0.5, {{1, 7}, {2, 9}}, {{2, 1}}},
      {0.75, {{1, 12}, {2, 4}}, {{1, 1}}},
      {0.75, {{1, 11}, {2, 5}}, {}},
      {0.25, {{1, 8}, {2, 4}, {3, 4}}, {{1, 1}, {2, 1}, {3, 1}}},
      {0.25, {{1, 9}, {2, 4}, {3, 3}}, {{1, 1}, {2, 1}}},
      {0.25, {{1, 2}, {2, 1}, {3, 2}, {4, 1}, {5, 2}}, {{1, 1}, {3, 1}, {5, 1}}},
      {0.125, {{1, 2}, {2, 1}, {3, 2}, {4, 1}, {5, 2}}, {{1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}}},
      {0.25, {{1, 4}, {2, 4}, {3, 4}, {4, 4}, {5, 4}}, {}},
  };
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    INFO("shape " << i);
    const Shape& shape = shapes[i];
    std::uint64_t total = 0;
    for (const auto& [constants, executions] : shape.histogram) total += executions;
    PipelineProfile full{FoldedParts{}};
    measure(full, shape.histogram, light);
    CHECK(wanted(full.act(config_of(total, shape.part), false)) == shape.expected);
    PipelineProfile partly{FoldedParts{}};  // filled to an eighth, and committed
    measure(partly, shape.histogram, light);
    CHECK(wanted(partly.act(config_of(8 * total, shape.part), true)) == shape.expected);
  }
}

TEST_CASE("pipeline profile: a commit scales what there is, be it one execution of very many", "[bgproc]") {
  const PgoConfig config = config_of(1'000'000'000'000, 1.0);
  PipelineProfile one{FoldedParts{}};
  one.measured(3, light, 1);
  CHECK(one.act(config, false).empty());
  CHECK(wanted(one.act(config, true)) == Wanted{{3, 1}});
  PipelineProfile none{FoldedParts{}};
  CHECK(none.act(config, true).empty());
}

TEST_CASE("pipeline profile: committed histograms give what the same ones give at the threshold", "[bgproc]") {
  std::mt19937_64 random(11);
  for (int round = 0; round < 500; ++round) {
    Histogram histogram;
    std::uint64_t total = 0;
    for (std::uint64_t left = 1 + random() % 6; left > 0; --left) {
      const std::uint64_t executions = 1 + random() % 20;
      histogram[random() % 100] += executions;
      total += executions;
    }
    const std::uint64_t scale = 1 + random() % 50;
    const double part = static_cast<double>(1 + random() % 16) / 16;  // exact: ties are, too
    const PgoConfig config = config_of(total * scale, part);
    const Measurement how = random() % 2 == 0 ? light : intrusive;
    PipelineProfile partly{FoldedParts{}};
    PipelineProfile full{FoldedParts{}};
    Wanted frequent;
    for (const auto& [constants, executions] : histogram) {
      if (static_cast<double>(executions) >= part * static_cast<double>(total)) frequent.emplace_back(constants, 1);
    }
    for (std::uint32_t compiles = 1; compiles <= (how == intrusive ? 3u : 1u); ++compiles) {
      INFO("round " << round << ", part " << part << ", scale " << scale << ", compile " << compiles);
      for (const auto& [constants, executions] : histogram) {
        partly.measured(constants, how, executions);
        for (std::uint64_t i = 0; i < scale; ++i) full.measured(constants, how, executions);
      }
      const std::vector<Variant> committed = partly.act(config, true);
      const std::vector<Variant> reached = full.act(config, false);
      REQUIRE(wanted(committed) == wanted(reached));
      for (auto& one : frequent) one.second = compiles;
      REQUIRE(wanted(committed) == frequent);
      CHECK(partly.wants_more() == full.wants_more());
      compile(partly, committed);
      compile(full, reached);
    }
  }
}

TEST_CASE("pipeline profile: a histogram begins anew where it was acted upon", "[bgproc]") {
  const bool committed = GENERATE(false, true);
  const PgoConfig config = config_of(8, 0.5);
  PipelineProfile profile{FoldedParts{}};
  profile.measured(1, light, 8);
  CHECK(wanted(profile.act(config, committed)) == Wanted{{1, 1}});
  CHECK(profile.act(config, committed).empty());
  profile.measured(2, light, 7);
  CHECK(profile.act(config, false).empty());  // the first eight do not count again
  profile.measured(3, light, 1);
  CHECK(wanted(profile.act(config, committed)) == Wanted{{2, 1}});
}

TEST_CASE("pipeline profile: a histogram below the threshold keeps what it has", "[bgproc]") {
  const PgoConfig config = config_of(100);
  PipelineProfile profile{FoldedParts{}};
  for (int i = 1; i < 100; ++i) {
    profile.measured(9, light, 1);
    REQUIRE(profile.act(config, false).empty());
    REQUIRE(profile.wants_more());
  }
  profile.measured(9, light, 1);
  CHECK(wanted(profile.act(config, false)) == Wanted{{9, 1}});
}

TEST_CASE("pipeline profile: a compile under way is not asked for twice", "[bgproc]") {
  const Measurement how = GENERATE(Measurement::light, Measurement::intrusive);
  const PgoConfig config = config_of(4);
  PipelineProfile profile{FoldedParts{}};
  profile.measured(1, how, 4);
  const std::vector<Variant> first = profile.act(config, false);
  REQUIRE(wanted(first) == Wanted{{1, 1}});
  for (int again = 0; again < 4; ++again) {
    profile.measured(1, how, 3);
    profile.measured(2 + static_cast<ConstantsKey>(again), how, 1);  // a quarter: others are asked for meanwhile
    const Wanted others = wanted(profile.act(config, again % 2 == 0));
    CHECK(std::count(others.begin(), others.end(), Wanted::value_type{1, 1}) == 0);
    CHECK(std::count(others.begin(), others.end(), Wanted::value_type{2 + static_cast<ConstantsKey>(again), 1}) == 1);
  }
  compile(profile, first);
  CHECK(profile.variant_of(1).rounds == 1);
}

TEST_CASE("pipeline profile: a dropped compile may be asked for again", "[bgproc]") {
  const PgoConfig config = config_of(4);
  PipelineProfile profile{FoldedParts{}};
  for (std::uint32_t round = 1; round <= 3; ++round) {
    for (int attempt = 0; attempt < 3; ++attempt) {
      profile.measured(1, intrusive, 4);
      const std::vector<Variant> recompiles = profile.act(config, attempt == 1);
      REQUIRE(wanted(recompiles) == Wanted{{1, round}});
      CHECK(profile.variant_of(1).rounds == round - 1);
      if (attempt < 2) {
        profile.dropped(recompiles[0]);
        CHECK(profile.wants_more());
      } else {
        profile.compiled(recompiles[0]);
      }
    }
  }
  CHECK(profile.variant_of(1).rounds == 3);
}

TEST_CASE("pipeline profile: discarding forgets histograms and keeps variants and compiles under way", "[bgproc]") {
  const PgoConfig config = config_of(4, 0.5);
  PipelineProfile profile{FoldedParts{}};
  measure(profile, {{1, 2}, {2, 2}}, intrusive);
  const std::vector<Variant> first = profile.act(config, false);
  REQUIRE(wanted(first) == Wanted{{1, 1}, {2, 1}});
  profile.compiled(first[0]);
  profile.measured(3, intrusive, 3);
  CHECK(profile.wants_more());
  profile.discard();
  CHECK_FALSE(profile.wants_more());
  CHECK(profile.act(config, true).empty());
  CHECK(profile.variant_of(1).rounds == 1);
  profile.measured(1, light, 1);
  CHECK_FALSE(profile.wants_more());  // nothing intrusive any more
  profile.measured(2, light, 3);
  CHECK(profile.act(config, false).empty());  // of 2 the first round is under way still
  profile.compiled(first[1]);
  CHECK(profile.variant_of(2).rounds == 1);
  profile.discard();
  profile.measured(3, light, 3);
  CHECK(profile.act(config, false).empty());
  profile.measured(3, light, 1);
  CHECK(wanted(profile.act(config, false)) == Wanted{{3, 1}});
}

TEST_CASE("pipeline profile: other constants later are wanted anew, rare and bygone ones are not", "[bgproc]") {
  const Measurement how = GENERATE(Measurement::light, Measurement::intrusive);
  const std::size_t rounds = how == light ? 1 : 3;
  const PgoConfig config = config_of(16);
  PipelineProfile profile{FoldedParts{}};
  CHECK(converge(profile, config, 1, how) == rounds);
  measure(profile, {{1, 15}, {2, 1}}, how);
  CHECK(profile.wants_more());
  CHECK(profile.act(config, false).empty());
  CHECK_FALSE(profile.wants_more());  // 2 is too rare
  measure(profile, {{1, 8}, {2, 8}}, how);
  const std::vector<Variant> shift = profile.act(config, false);
  CHECK(wanted(shift) == Wanted{{2, 1}});
  compile(profile, shift);
  CHECK(profile.wants_more() == (rounds > 1));
  CHECK(converge(profile, config, 3, how) == rounds);  // 2 is gone, so that its open rounds do not count
  CHECK_FALSE(profile.wants_more());
  CHECK(profile.variant_of(1).rounds == rounds);
  CHECK(profile.variant_of(2).rounds == 1);
  CHECK(profile.variant_of(3).rounds == rounds);
  CHECK(profile.variant_of(4).rounds == 0);
}

TEST_CASE("pipeline profile: recompiles come in the order of their constants' keys", "[bgproc]") {
  Wanted order{{0, 1}, {1, 1}, {7, 1}, {1ull << 32, 1}, {~0ull, 1}};
  const Wanted sorted = order;
  std::mt19937_64 random(3);
  for (int round = 0; round < 20; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    PipelineProfile profile{FoldedParts{}};
    for (const auto& one : order) profile.measured(one.first, light, 1 + random() % 3);
    CHECK(wanted(profile.act(config_of(1000, 1.0 / 16), true)) == sorted);  // each has 1 of 13 at least
  }
}

TEST_CASE("pipeline profile: constants that were judged too rare want nothing, until they are discarded", "[bgproc]") {
  const PgoConfig config = config_of(20);
  PipelineProfile profile{FoldedParts{}};
  const Histogram even{{1, 4}, {2, 4}, {3, 4}, {4, 4}, {5, 4}};  // 20 % each, and 25 % is frequent
  measure(profile, even, light);
  CHECK(profile.wants_more());
  CHECK(profile.act(config, false).empty());
  CHECK_FALSE(profile.wants_more());
  profile.measured(1, light, 4);  // a histogram that has not been acted upon: judged as before
  CHECK_FALSE(profile.wants_more(config.frequent_part));
  profile.measured(6, light, 1);  // new, and rarer than what was judged
  CHECK_FALSE(profile.wants_more(config.frequent_part));
  profile.measured(6, light, 3);
  CHECK_FALSE(profile.wants_more(config.frequent_part));  // 4, of 20 judged before
  profile.measured(6, light, 1);
  CHECK(profile.wants_more(config.frequent_part));
  CHECK(wanted(profile.act(config, true)) == Wanted{{1, 1}, {6, 1}});  // 4 and 5 of 9
  profile.discard();
  CHECK_FALSE(profile.wants_more());
  profile.measured(8, light, 1);
  CHECK(profile.wants_more());
}
