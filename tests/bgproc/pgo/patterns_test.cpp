// SPDX-License-Identifier: Apache-2.0
// Branches and resources of executions: what a variant takes for granted, what it promises and what comes of it.
#include "bgproc/pgo/pattern_histogram.hpp"
#include "tests/bgproc/pgo/pgo_bench.hpp"
#include "tests/bgproc/pgo/profile_bench.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

constexpr ConstantsKey one_set = 5;

/// Intrusively measured, of ten executions so many with the other pattern.
std::vector<Variant> judged(PipelineProfile& profile, std::uint64_t others, const ExecutionPatterns& usual,
                            const ExecutionPatterns& other) {
  if (others < 10) profile.measured(one_set, intrusive, 10 - others, usual);
  if (others > 0) profile.measured(one_set, intrusive, others, other);
  return profile.act(config_of(10), true);
}

}  // namespace

TEST_CASE("pattern histogram: it tells the steadiest pattern and its part, and knows 16 patterns", "[bgproc]") {
  PatternHistogram histogram;
  CHECK(histogram.steadiest().pattern == 0);
  CHECK(histogram.steadiest().part == 1);
  histogram.add(9, 3);
  histogram.add(4, 3);
  CHECK(histogram.steadiest().pattern == 9);  // came first
  histogram.add(4, 2);
  CHECK(histogram.steadiest().pattern == 4);
  CHECK(histogram.steadiest().part == 5.0 / 8);
  for (PatternKey pattern = 100; pattern < 200; ++pattern) histogram.add(pattern, 1);
  CHECK(histogram.size() == PatternHistogram::most_patterns);
  CHECK(histogram.steadiest().pattern == 4);
  CHECK(histogram.steadiest().part == 5.0 / 108);  // those that it does not know count as well
  histogram.clear();
  CHECK(histogram.size() == 0);
  CHECK(histogram.steadiest().part == 1);
}

TEST_CASE("PGO profile: a round of branches takes for granted what is steady, and leaves out what is not", "[bgproc]") {
  for (std::uint64_t others = 0; others <= 10; ++others) {
    CAPTURE(others);
    PipelineProfile profile({0.1, 0.1, 0});
    compile(profile, judged(profile, 0, {7, 0}, {}));
    REQUIRE(profile.variant_of(one_set).rounds == 1);
    const std::vector<Variant> variants = judged(profile, others, {7, 0}, {8, 0});
    const std::uint64_t most = others <= 5 ? 10 - others : others;
    if (10 * 0.75 > static_cast<double>(most)) {
      CHECK(variants.empty());
      CHECK_FALSE(profile.wants_more());  // nothing is left to find
    } else {
      REQUIRE(wanted(variants) == Wanted{{one_set, 2}});
      CHECK(variants[0].branches.pattern == (others <= 5 ? 7 : 8));
      CHECK(variants[0].branches.part == static_cast<double>(most) / 10);
    }
  }
}

TEST_CASE("PGO profile: resources are found behind branches that were left out", "[bgproc]") {
  PipelineProfile profile({0.1, 0.1, 0.2});
  compile(profile, judged(profile, 0, {7, 3}, {}));
  const std::vector<Variant> variants = judged(profile, 5, {7, 3}, {8, 3});
  REQUIRE(wanted(variants) == Wanted{{one_set, 3}});
  CHECK(variants[0].branches.part == 0);
  CHECK(variants[0].resources.pattern == 3);
  CHECK(variants[0].resources.part == 1);
  compile(profile, variants);
  CHECK_FALSE(profile.wants_more());
}

TEST_CASE("PGO profile: what was left out is judged anew when measurements are discarded or a compile is dropped",
          "[bgproc]") {
  PipelineProfile profile({0.1, 0.1, 0});
  compile(profile, judged(profile, 0, {7, 0}, {}));
  CHECK(judged(profile, 5, {7, 0}, {8, 0}).empty());
  CHECK(judged(profile, 0, {7, 0}, {}).empty());
  profile.discard();
  std::vector<Variant> variants = judged(profile, 0, {7, 0}, {});
  REQUIRE(wanted(variants) == Wanted{{one_set, 2}});
  profile.dropped(variants[0]);
  variants = judged(profile, 0, {8, 0}, {});
  REQUIRE(wanted(variants) == Wanted{{one_set, 2}});
  CHECK(variants[0].branches.pattern == 8);
}

TEST_CASE("PGO profile: light measurements see no branches and no resources", "[bgproc]") {
  PipelineProfile profile({0.1, 0.1, 0.2});
  const PgoConfig config = config_of(10);
  profile.measured(one_set, light, 10, {7, 3});
  compile(profile, profile.act(config, true));
  profile.measured(one_set, light, 90, {7, 3});
  profile.measured(one_set, intrusive, 10, {8, 4});
  const std::vector<Variant> variants = profile.act(config, true);
  REQUIRE(variants.size() == 1);
  CHECK(variants[0].branches.pattern == 8);
  CHECK(variants[0].branches.part == 1);
}

TEST_CASE("PGO cost: a variant promises its parts as often as they came true", "[bgproc]") {
  const FoldedParts parts{0.2, 0.1, 0.4};
  CHECK(promised_scale(parts, {}).instructions == 1);
  CHECK(promised_scale(parts, {1, 1, {7, 0.5}, {3, 0.5}}).instructions == 1 - 0.2);
  const CostScale all = promised_scale(parts, {1, 3, {7, 0.8}, {3, 0.75}});
  CHECK(all.instructions == Approx(1 - 0.2 - 0.1 * 0.8));
  CHECK(all.bytes == Approx(1 - 0.4 * 0.75));
  const CostScale left_out = promised_scale(parts, {1, 3, {0, 0}, {3, 1}});
  CHECK(left_out.instructions == 1 - 0.2);
  CHECK(left_out.bytes == 1 - 0.4);
}

TEST_CASE("PGO driver: a variant folds branches and resources away where they are what it takes for granted",
          "[bgproc]") {
  const FoldedParts parts{0.2, 0.1, 0.4};
  PgoBench bench(pgo_config_of(4));
  const auto pipeline = bench.pipeline(1, parts);
  bench.set(ProcessingMode::allow_intrusive_measurements);
  const auto execute = [&](const ExecutionPatterns& patterns, int times) {
    for (; times > 0; --times) bench.driver.end(*pipeline, bench.driver.begin(*pipeline, one_set, patterns));
  };
  for (int round = 0; round < 3; ++round) {
    execute({7, 3}, 4);
    bench.executor.run_all();
  }
  bench.set(ProcessingMode::disable_profiling_by_system);
  const auto scale_of = [&](const ExecutionPatterns& patterns) {
    const PgoExecution execution = bench.driver.begin(*pipeline, one_set, patterns);
    CHECK(execution.promised_part == Approx(0.3));
    return cost_scale(bench.driver.config(), parts, execution);
  };
  CHECK(scale_of({7, 3}).instructions == Approx(0.7));
  CHECK(scale_of({7, 3}).bytes == Approx(0.6));
  CHECK(scale_of({8, 3}).instructions == Approx(0.8));
  CHECK(scale_of({8, 3}).bytes == Approx(0.6));
  CHECK(scale_of({7, 4}).instructions == Approx(0.7));
  CHECK(scale_of({7, 4}).bytes == 1);
  CHECK(scale_of({}).instructions == Approx(0.8));  // who does not say took no known way
  const PgoUsage usage = bench.driver.usage().at(0);
  CHECK(usage.patterns);
  CHECK(usage.branch_misses == 3);
  CHECK(usage.resource_misses == 3);
}

TEST_CASE("PGO driver: executions that say nothing fold everything away as they come to it", "[bgproc]") {
  const FoldedParts parts{0.2, 0.1, 0.4};
  PgoBench bench(pgo_config_of(4));
  const auto pipeline = bench.pipeline(1, parts);
  bench.set(ProcessingMode::allow_intrusive_measurements);
  for (int round = 0; round < 3; ++round) {
    bench.execute(*pipeline, one_set, 4);
    bench.executor.run_all();
  }
  const PgoExecution execution = bench.driver.begin(*pipeline, one_set);
  CHECK(execution.rounds == 3);
  CHECK((execution.folds_branches && execution.folds_resources));
  const PgoUsage usage = bench.driver.usage().at(0);
  CHECK_FALSE(usage.patterns);
  CHECK(usage.branch_misses + usage.resource_misses == 0);
}
