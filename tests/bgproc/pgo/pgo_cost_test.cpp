// SPDX-License-Identifier: Apache-2.0
// What variants, measurements and trials do to the cost of an execution.
#include "bgproc/pgo/pgo_driver.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cstdint>
#include <random>
#include <vector>

namespace fenceline {
namespace {

constexpr std::array<Measurement, 3> measurements{Measurement::none, Measurement::light, Measurement::intrusive};

CostScale scale_of(const PgoConfig& config, const FoldedParts& parts, std::uint32_t rounds,
                   Measurement measurement = Measurement::none, bool trial = false) {
  PgoExecution execution;
  execution.rounds = rounds;
  execution.measurement = measurement;
  execution.trial = trial;
  return cost_scale(config, parts, execution);
}

/// But for the rounding of a few sums and products.
Approx about(double value) { return Approx(value).epsilon(1e-12); }

}  // namespace

TEST_CASE("PGO cost: the original, not measured, costs exactly what it costs", "[bgproc]") {
  for (const FoldedParts& parts : {FoldedParts{}, FoldedParts{0, 0, 0}, FoldedParts{0.3, 0.3, 0.3}}) {
    for (const double part : {0.0, 0.1, 7.0}) {
      PgoConfig config;
      config.light_cost = config.intrusive_cost = config.tuning_cost = part;
      const CostScale scale = scale_of(config, parts, 0);
      CHECK(scale.instructions == 1.0);
      CHECK(scale.bytes == 1.0);
    }
  }
}

TEST_CASE("PGO cost: each round folds its part, of instructions or of bytes", "[bgproc]") {
  const PgoConfig config;
  const FoldedParts standard;  // 0.1, 0.05 and 0.05
  CHECK(scale_of(config, standard, 1).instructions == about(0.9));
  CHECK(scale_of(config, standard, 1).bytes == about(1));
  CHECK(scale_of(config, standard, 2).instructions == about(0.85));
  CHECK(scale_of(config, standard, 2).bytes == about(1));
  CHECK(scale_of(config, standard, 3).instructions == about(0.85));
  CHECK(scale_of(config, standard, 3).bytes == about(0.95));
  const FoldedParts large{0.25, 0.5, 0.125};
  CHECK(scale_of(config, large, 1).instructions == about(0.75));
  CHECK(scale_of(config, large, 1).bytes == about(1));
  CHECK(scale_of(config, large, 2).instructions == about(0.25));
  CHECK(scale_of(config, large, 2).bytes == about(1));
  CHECK(scale_of(config, large, 3).instructions == about(0.25));
  CHECK(scale_of(config, large, 3).bytes == about(0.875));
}

TEST_CASE("PGO cost: a measurement and a trial add their instructions and no bytes", "[bgproc]") {
  const PgoConfig config;  // light 0.05, intrusive 0.5, trial 0.03
  const FoldedParts parts;
  CHECK(scale_of(config, parts, 0, Measurement::light).instructions == about(1.05));
  CHECK(scale_of(config, parts, 0, Measurement::intrusive).instructions == about(1.5));
  CHECK(scale_of(config, parts, 0, Measurement::none, true).instructions == about(1.03));
  for (const Measurement measurement : measurements) {
    for (const bool trial : {false, true}) CHECK(scale_of(config, parts, 0, measurement, trial).bytes == 1.0);
  }
}

TEST_CASE("PGO cost: parts folded are taken away and what measurements and trials add is added", "[bgproc]") {
  struct Row {
    std::uint32_t rounds;
    Measurement measurement;
    bool trial;
    double instructions;
    double bytes;
  };
  // Parts 0.1, 0.05 and 0.05; light 0.05, intrusive 0.5, trial 0.03: all parts are of the original.
  const std::vector<Row> rows{
      {0, Measurement::light, true, 1.08, 1},        {0, Measurement::intrusive, true, 1.53, 1},
      {1, Measurement::none, true, 0.93, 1},         {1, Measurement::light, false, 0.95, 1},
      {1, Measurement::light, true, 0.98, 1},        {1, Measurement::intrusive, false, 1.4, 1},
      {1, Measurement::intrusive, true, 1.43, 1},    {2, Measurement::none, true, 0.88, 1},
      {2, Measurement::light, false, 0.9, 1},        {2, Measurement::light, true, 0.93, 1},
      {2, Measurement::intrusive, false, 1.35, 1},   {2, Measurement::intrusive, true, 1.38, 1},
      {3, Measurement::none, true, 0.88, 0.95},      {3, Measurement::light, false, 0.9, 0.95},
      {3, Measurement::light, true, 0.93, 0.95},     {3, Measurement::intrusive, false, 1.35, 0.95},
      {3, Measurement::intrusive, true, 1.38, 0.95},
  };
  for (const Row& row : rows) {
    INFO("rounds " << row.rounds << ", measurement " << static_cast<int>(row.measurement) << ", trial " << row.trial);
    const CostScale scale = scale_of({}, {}, row.rounds, row.measurement, row.trial);
    CHECK(scale.instructions == about(row.instructions));
    CHECK(scale.bytes == about(row.bytes));
  }
}

TEST_CASE("PGO cost: a variant never costs more than the original, nor than one of fewer rounds", "[bgproc]") {
  std::mt19937_64 random(23);
  std::uniform_real_distribution<double> part(0, 0.3);  // 0.9 together at most
  std::uniform_real_distribution<double> cost(0, 2);
  for (int i = 0; i < 1000; ++i) {
    PgoConfig config;
    config.light_cost = cost(random);
    config.intrusive_cost = cost(random);
    config.tuning_cost = cost(random);
    FoldedParts parts{part(random), part(random), part(random)};
    if (i % 2 == 0) parts.constants = 0;
    if (i % 3 == 0) parts.branches = 0;
    if (i % 5 == 0) parts.resources = 0;
    for (const Measurement measurement : measurements) {
      for (const bool trial : {false, true}) {
        CostScale last = scale_of(config, parts, 0, measurement, trial);
        for (std::uint32_t rounds = 1; rounds <= folding_rounds; ++rounds) {
          const CostScale scale = scale_of(config, parts, rounds, measurement, trial);
          // Sums in another order may differ in the last bit.
          REQUIRE(scale.instructions <= last.instructions + 1e-12);
          REQUIRE(scale.bytes <= last.bytes + 1e-12);
          REQUIRE(scale.instructions > 0);
          REQUIRE(scale.bytes > 0);
          last = scale;
        }
      }
    }
  }
}

}  // namespace fenceline
