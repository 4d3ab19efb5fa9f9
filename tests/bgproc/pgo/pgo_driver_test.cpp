// SPDX-License-Identifier: Apache-2.0
#include "bgproc/pgo/pgo_driver.hpp"

#include "tests/bgproc/pgo/pgo_bench.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace fenceline {
namespace {

/// Whether the indices are so far apart, each.
bool apart(const std::vector<std::size_t>& indices, std::size_t distance) {
  for (std::size_t i = 1; i < indices.size(); ++i) {
    if (indices[i] - indices[i - 1] != distance) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("PGO driver: by default each so-and-so-manieth execution is measured, and stands for those between",
          "[bgproc]") {
  for (const std::uint32_t period : {1u, 2u, 7u, 16u}) {
    INFO("period " << period);
    PgoBench bench(pgo_config_of(1'000'000, period));
    const auto one = bench.pipeline(1);
    const auto other = bench.pipeline(2);
    std::vector<std::size_t> measured;
    for (std::size_t i = 0; i < 5 * period; ++i) {
      const PgoExecution execution = bench.execute(*one, i % 3);
      CHECK(execution.constants == i % 3);
      bench.execute(*other, 1, i % 4);  // has a count of its own
      if (execution.measurement == Measurement::none) continue;
      CHECK(execution.measurement == Measurement::light);
      CHECK(execution.stands_for == period);
      measured.push_back(i);
    }
    CHECK(measured.size() == 5);
    CHECK(apart(measured, period));
  }
}

TEST_CASE("PGO driver: light measurements reach the threshold with what they stand for", "[bgproc]") {
  for (const std::uint32_t period : {1u, 4u, 16u}) {
    PgoBench bench(pgo_config_of(4 * period, period));
    const auto pipeline = bench.pipeline(1);
    bench.execute(*pipeline, 5, 3 * period);  // three are measured, wherever the count begins
    CHECK(bench.tasks.queued() == 0);
    bench.execute(*pipeline, 5, period);
    CHECK(bench.tasks.queued() == 1);
  }
}

TEST_CASE("PGO driver: every execution is measured where intrusive measurements are allowed", "[bgproc]") {
  for (const std::uint64_t act_now : {1ull, 5ull, 33ull}) {
    PgoBench bench(pgo_config_of(act_now));
    const auto pipeline = bench.pipeline(1);
    bench.set(ProcessingMode::allow_intrusive_measurements);
    for (std::uint64_t i = 0; i < act_now; ++i) {
      CHECK(bench.tasks.queued() == 0);
      const PgoExecution execution = bench.execute(*pipeline, 5);
      CHECK(execution.measurement == Measurement::intrusive);
      CHECK(execution.stands_for == 1);
    }
    CHECK(bench.tasks.queued() == 1);
  }
}

TEST_CASE("PGO driver: an execution counts when it has ended", "[bgproc]") {
  PgoBench bench(pgo_config_of(3));
  const auto pipeline = bench.pipeline(1);
  bench.set(ProcessingMode::allow_intrusive_measurements);
  std::vector<PgoExecution> executions;
  for (int i = 0; i < 5; ++i) executions.push_back(bench.driver.begin(*pipeline, 5));
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(bench.tasks.queued() == 0);
    bench.driver.end(*pipeline, executions[i]);
  }
  CHECK(bench.tasks.queued() == 1);
}

TEST_CASE("PGO driver: without background work executions are measured still, but nothing is queued", "[bgproc]") {
  PgoBench bench(pgo_config_of(32, 4));
  const auto pipeline = bench.pipeline(1);
  bench.set(ProcessingMode::disable_background_work);
  std::size_t measured = 0;
  for (int i = 0; i < 200; ++i) {
    if (bench.execute(*pipeline, 5).measurement != Measurement::none) ++measured;
  }
  CHECK(measured > 0);
  CHECK(bench.tasks.queued() == 0);
  bench.set(ProcessingMode::allowed, MeasurementsAction::commit_results);  // now it counts
  CHECK(bench.tasks.queued() == 1);
}

TEST_CASE("PGO driver: with profiling disabled nothing is measured and nothing tried", "[bgproc]") {
  PgoConfig config = pgo_config_of(1, 1);
  config.tuning_period = 1;
  PgoBench bench(config);
  const auto pipeline = bench.pipeline(1);
  bench.set(ProcessingMode::disable_profiling_by_system);
  for (int i = 0; i < 100; ++i) {
    const PgoExecution execution = bench.execute(*pipeline, 5);
    REQUIRE(execution.measurement == Measurement::none);
    REQUIRE_FALSE(execution.trial);
    REQUIRE(execution.rounds == 0);
  }
  CHECK(bench.tasks.queued() == 0);
  CHECK_FALSE(bench.set(ProcessingMode::allowed, MeasurementsAction::commit_results));
  CHECK(bench.tasks.queued() == 0);
}

TEST_CASE("PGO driver: trials come at their period unless profiling is disabled", "[bgproc]") {
  const ProcessingMode mode = GENERATE(ProcessingMode::allowed, ProcessingMode::allow_intrusive_measurements,
                                       ProcessingMode::disable_background_work);
  for (const std::uint32_t period : {0u, 1u, 3u, 8u}) {
    PgoConfig config = pgo_config_of(1'000'000);
    config.tuning_period = period;
    PgoBench bench(config);
    const auto pipeline = bench.pipeline(1);
    bench.set(mode);
    std::vector<std::size_t> trials;
    for (std::size_t i = 0; i < 6 * std::max(period, 1u); ++i) {
      if (bench.execute(*pipeline, 5).trial) trials.push_back(i);
    }
    CHECK(trials.size() == (period == 0 ? 0 : 6));
    CHECK(apart(trials, period));
  }
}

TEST_CASE("PGO driver: the original runs until the compile has finished, then a variant for its constants alone",
          "[bgproc]") {
  PgoBench bench(pgo_config_of(4));
  const auto pipeline = bench.pipeline(1);
  const auto same_constants = bench.pipeline(2);
  bench.set(ProcessingMode::allow_intrusive_measurements);
  bench.execute(*pipeline, 5, 4);
  REQUIRE(bench.tasks.queued() == 1);
  CHECK(bench.chosen(*pipeline, 5) == 0);
  bench.executor.start();
  REQUIRE(bench.executor.running().size() == 1);
  CHECK(bench.chosen(*pipeline, 5) == 0);
  CHECK(bench.driver.variants() == 0);
  bench.executor.finish(bench.executor.running().front());
  CHECK(bench.driver.variants() == 1);
  CHECK(bench.chosen(*pipeline, 5) == 1);
  for (const ConstantsKey other : {0ull, 4ull, 6ull, ~0ull}) CHECK(bench.chosen(*pipeline, other) == 0);
  CHECK(bench.chosen(*same_constants, 5) == 0);
}

TEST_CASE("PGO driver: variants and executions of them are counted", "[bgproc]") {
  PgoBench bench(pgo_config_of(100));
  const auto one = bench.pipeline(1);
  const auto other = bench.pipeline(2);
  bench.set(ProcessingMode::allow_intrusive_measurements);
  for (const ConstantsKey constants : {1ull, 2ull}) bench.execute(*one, constants);
  bench.execute(*other, 1);
  bench.set(ProcessingMode::disable_profiling_by_system, MeasurementsAction::commit_results);
  CHECK(bench.tasks.queued() == 3);
  bench.execute(*one, 1, 10);
  CHECK(bench.driver.specialised() == 0);
  bench.executor.run_all();
  CHECK(bench.driver.variants() == 3);
  CHECK(bench.driver.dropped() == 0);
  bench.execute(*one, 1, 4);
  bench.execute(*one, 2, 3);
  bench.execute(*one, 3, 9);
  bench.execute(*other, 1, 2);
  bench.execute(*other, 2, 9);
  CHECK(bench.driver.specialised() == 4 + 3 + 2);
  CHECK(bench.driver.saved_instructions() == 0);
  bench.driver.saved(*one, 5);
  bench.driver.saved(*other, 1ull << 40);
  CHECK(bench.driver.saved_instructions() == 5 + (1ull << 40));
}

TEST_CASE("PGO driver: measuring, committing and locking down converges after a round for each part", "[bgproc]") {
  // As PIX does: replay one frame until no further measurements are desired.
  const MeasurementsAction commit =
      GENERATE(MeasurementsAction::commit_results, MeasurementsAction::commit_results_high_priority);
  struct Shape {
    std::vector<FoldedParts> pipelines;
    std::vector<int> answers;
    std::uint64_t compiles;  // two frequent constants for each part that is not 0
  };
  const FoldedParts standard;
  const std::vector<Shape> shapes{
      {{standard}, {1, 1, 0}, 2 * 3},
      {{{0.2, 0, 0.3}}, {1, 0}, 2 * 2},
      {{{0.2, 0, 0}}, {0}, 2 * 1},
      {{{0, 0, 0}}, {0}, 0},
      {{{0.2, 0, 0}, standard, {0, 0, 0}}, {1, 1, 0}, 2 * (1 + 3)},
  };
  for (const Shape& shape : shapes) {
    PgoBench bench(PgoConfig{});
    std::vector<std::unique_ptr<PgoPipeline>> pipelines;
    for (const FoldedParts& parts : shape.pipelines) pipelines.push_back(bench.pipeline(pipelines.size() + 1, parts));
    std::vector<int> answers;
    for (bool more = true; more && answers.size() < 10; answers.push_back(more ? 1 : 0)) {
      bench.set(ProcessingMode::allow_intrusive_measurements,
                answers.empty() ? MeasurementsAction::discard_previous : MeasurementsAction::keep_all);
      for (const auto& pipeline : pipelines) {
        bench.execute(*pipeline, 1, 6);
        bench.execute(*pipeline, 2, 3);
        bench.execute(*pipeline, 3, 1);  // a tenth is too rare
      }
      more = bench.set(ProcessingMode::disable_profiling_by_system, commit);
      bench.executor.run_all();
    }
    CHECK(answers == shape.answers);
    CHECK(bench.tasks.queued() == shape.compiles);
    CHECK(bench.tasks.finished() == shape.compiles);
    for (const auto& pipeline : pipelines) {
      const FoldedParts parts = pipeline->parts();
      for (const ConstantsKey constants : {1, 2, 3}) {
        const CostScale scale = cost_scale(PgoConfig{}, parts, bench.execute(*pipeline, constants));
        const bool folded = constants < 3;
        CHECK(scale.instructions == Approx(folded ? 1 - parts.constants - parts.branches : 1).epsilon(1e-12));
        CHECK(scale.bytes == Approx(folded ? 1 - parts.resources : 1).epsilon(1e-12));
      }
    }
  }
}

TEST_CASE("PGO driver: a benchmark that renders until nothing more is desired has three thresholds' worth",
          "[bgproc]") {
  const bool compile_before_asking = GENERATE(false, true);
  struct Shape {
    std::uint64_t act_now;
    std::uint64_t frame;  // executions, not more than the threshold
  };
  for (const Shape shape : {Shape{256, 100}, Shape{256, 256}, Shape{4, 1}, Shape{10, 7}, Shape{1, 1}}) {
    INFO("act now " << shape.act_now << ", frame " << shape.frame);
    PgoBench bench(pgo_config_of(shape.act_now));
    const auto pipeline = bench.pipeline(1);
    bench.set(ProcessingMode::allow_intrusive_measurements, MeasurementsAction::discard_previous);
    std::uint64_t frames = 0;
    for (bool more = true; more && frames < 1000;) {
      ++frames;
      bench.execute(*pipeline, 8, shape.frame);
      if (compile_before_asking) bench.executor.run_all();
      more = bench.set(ProcessingMode::allow_intrusive_measurements, MeasurementsAction::keep_all);
      bench.executor.run_all();
    }
    CHECK(frames == (folding_rounds * shape.act_now + shape.frame - 1) / shape.frame);
    CHECK(bench.tasks.queued() == folding_rounds);
    CHECK_FALSE(bench.set(ProcessingMode::allowed, MeasurementsAction::commit_results));
    CHECK(bench.tasks.queued() == folding_rounds);
    CHECK(bench.chosen(*pipeline, 8) == folding_rounds);
  }
}

TEST_CASE("PGO driver: a commit's compiles are queued and run although it disables, and their variants are used",
          "[bgproc]") {
  const ProcessingMode mode =
      GENERATE(ProcessingMode::disable_background_work, ProcessingMode::disable_profiling_by_system);
  const bool disabled_before = GENERATE(false, true);
  PgoBench bench(PgoConfig{});
  const auto pipeline = bench.pipeline(1);
  bench.set(ProcessingMode::allow_intrusive_measurements);
  bench.execute(*pipeline, 1, 2);
  bench.execute(*pipeline, 2, 2);
  if (disabled_before) bench.set(mode);
  CHECK(bench.tasks.queued() == 0);
  bench.set(mode, MeasurementsAction::commit_results);
  CHECK(bench.tasks.queued() == 2);
  bench.executor.run_all();
  CHECK(bench.chosen(*pipeline, 1) == 1);
  CHECK(bench.chosen(*pipeline, 2) == 1);
}

TEST_CASE("PGO driver: keeping goes on with the histogram, discarding begins a new one and keeps variants",
          "[bgproc]") {
  PgoBench bench(pgo_config_of(4));
  const auto pipeline = bench.pipeline(1);
  bench.set(ProcessingMode::allow_intrusive_measurements);
  bench.execute(*pipeline, 1, 3);
  CHECK(bench.set(ProcessingMode::allow_intrusive_measurements, MeasurementsAction::keep_all));
  bench.execute(*pipeline, 1, 1);
  REQUIRE(bench.tasks.queued() == 1);
  bench.executor.run_all();
  bench.execute(*pipeline, 1, 3);
  CHECK_FALSE(bench.set(ProcessingMode::allow_intrusive_measurements, MeasurementsAction::discard_previous));
  CHECK(bench.chosen(*pipeline, 1) == 1);
  bench.execute(*pipeline, 1, 3);
  CHECK(bench.tasks.queued() == 1);
  bench.execute(*pipeline, 1, 1);
  CHECK(bench.tasks.queued() == 2);
}

TEST_CASE("PGO driver: more is desired while any pipeline state that lives wants it", "[bgproc]") {
  PgoBench bench(pgo_config_of(100));
  const auto plain = bench.pipeline(1, {0, 0, 0});
  auto open = bench.pipeline(2);
  auto also_open = bench.pipeline(3);
  CHECK_FALSE(bench.set(ProcessingMode::allow_intrusive_measurements));
  bench.execute(*plain, 1);
  CHECK_FALSE(bench.set(ProcessingMode::allow_intrusive_measurements));
  bench.execute(*open, 1);
  bench.execute(*also_open, 1);
  CHECK(bench.set(ProcessingMode::allow_intrusive_measurements));
  also_open.reset();
  CHECK(bench.set(ProcessingMode::allow_intrusive_measurements));
  open.reset();
  CHECK_FALSE(bench.set(ProcessingMode::allow_intrusive_measurements));
}

TEST_CASE("PGO driver: what began before earlier measurements were discarded does not count", "[bgproc]") {
  PgoBench bench(pgo_config_of(2));
  const auto pipeline = bench.pipeline(1);
  bench.set(ProcessingMode::allow_intrusive_measurements);
  const PgoExecution before = bench.driver.begin(*pipeline, 5);
  CHECK_FALSE(bench.set(ProcessingMode::allow_intrusive_measurements, MeasurementsAction::discard_previous));
  const PgoExecution after = bench.driver.begin(*pipeline, 5);
  bench.driver.end(*pipeline, before);
  CHECK_FALSE(bench.set(ProcessingMode::allow_intrusive_measurements));
  bench.driver.end(*pipeline, after);
  CHECK(bench.tasks.queued() == 0);
  bench.execute(*pipeline, 5);
  CHECK(bench.tasks.queued() == 1);
}

}  // namespace fenceline
