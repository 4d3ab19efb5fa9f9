// SPDX-License-Identifier: Apache-2.0
// What becomes of compiles whose pipeline state or queue goes, and what they cost the CPU.
#include "bgproc/pgo/pgo_driver.hpp"
#include "tests/bgproc/pgo/pgo_bench.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

namespace fenceline {
namespace {

/// Has so many constants, from 1, measured equally often and intrusively.
void train(PgoBench& bench, PgoPipeline& pipeline, ConstantsKey constants) {
  bench.set(ProcessingMode::allow_intrusive_measurements);
  for (ConstantsKey key = 1; key <= constants; ++key) bench.execute(pipeline, key);
}

/// Which of so many constants, from 1, have no variant.
std::vector<ConstantsKey> originals(PgoBench& bench, PgoPipeline& pipeline, ConstantsKey constants) {
  std::vector<ConstantsKey> keys;
  for (ConstantsKey key = 1; key <= constants; ++key) {
    if (bench.chosen(pipeline, key) == 0) keys.push_back(key);
  }
  return keys;
}

using Counts = std::array<std::uint64_t, 5>;
Counts counts_of(const PgoUsage& usage) {
  return {usage.number, usage.executions, usage.variants, usage.specialised, usage.saved_instructions};
}

}  // namespace

TEST_CASE("PGO driver: what was compiled for a pipeline state that is gone is dropped", "[bgproc]") {
  const bool begun = GENERATE(false, true);
  for (const ConstantsKey constants : {1, 2, 4}) {
    PgoBench bench(pgo_config_of(100));
    auto gone = bench.pipeline(1);
    const auto alive = bench.pipeline(2);
    train(bench, *gone, constants);
    train(bench, *alive, 1);
    bench.set(ProcessingMode::allowed, MeasurementsAction::commit_results);
    REQUIRE(bench.tasks.queued() == constants + 1);
    if (begun) bench.executor.start();  // two at most
    gone.reset();
    CHECK(bench.driver.dropped() == 0);
    bench.executor.run_all();
    CHECK(bench.tasks.finished() == constants + 1);
    CHECK(bench.driver.dropped() == constants);
    CHECK(bench.driver.variants() == 1);
    CHECK(bench.chosen(*alive, 1) == 1);
  }
}

TEST_CASE("PGO driver: a new pipeline state of a bygone one's number gets none of its variants", "[bgproc]") {
  const bool compiled_before = GENERATE(false, true);
  PgoBench bench(pgo_config_of(100));
  auto pipeline = bench.pipeline(7);
  train(bench, *pipeline, 1);
  bench.set(ProcessingMode::allowed, MeasurementsAction::commit_results);
  if (compiled_before) bench.executor.run_all();
  pipeline.reset();
  pipeline = bench.pipeline(7);
  bench.executor.run_all();
  CHECK(bench.chosen(*pipeline, 1) == 0);
  CHECK(bench.driver.dropped() == (compiled_before ? 0 : 1));
}

TEST_CASE("PGO driver: a pipeline state may go at any moment of many compiles", "[bgproc]") {
  std::mt19937_64 random(5);
  for (int round = 0; round < 100; ++round) {
    PgoBench bench(pgo_config_of(100));
    std::vector<std::unique_ptr<PgoPipeline>> pipelines;
    for (std::uint64_t number = 1; number <= 5; ++number) {
      pipelines.push_back(bench.pipeline(number));
      train(bench, *pipelines.back(), 1 + random() % 3);
    }
    bench.set(ProcessingMode::allowed, MeasurementsAction::commit_results);
    const std::uint64_t queued = bench.tasks.queued();
    std::uint64_t kept = 0;
    std::uint64_t lost = 0;
    while (kept + lost < queued) {
      if (random() % 3 == 0) pipelines[random() % pipelines.size()].reset();
      bench.executor.start();
      const std::vector<std::uint64_t> running = bench.executor.running();
      REQUIRE_FALSE(running.empty());
      const std::uint64_t task = running[random() % running.size()];
      std::uint64_t number = 0;
      for (const SteppedExecutor::Begun& one : bench.executor.begun()) {
        if (one.task.id == task) number = one.task.info.subject;
      }
      REQUIRE(number >= 1);
      REQUIRE(number <= pipelines.size());
      ++(pipelines[number - 1] ? kept : lost);
      bench.executor.finish(task);
      CHECK(bench.driver.variants() <= kept);
      CHECK(bench.driver.dropped() == lost);
    }
  }
}

TEST_CASE("PGO driver: a compile that is cancelled as it is queued may be queued again", "[bgproc]") {
  PgoBench bench(pgo_config_of(4));
  const auto pipeline = bench.pipeline(1);
  bench.set(ProcessingMode::allow_intrusive_measurements);
  bench.tasks.set_disabled(true);
  for (std::uint64_t attempt = 1; attempt <= 3; ++attempt) {
    bench.execute(*pipeline, 5, 4);
    CHECK(bench.tasks.queued() == attempt);
    CHECK(bench.tasks.cancelled() == attempt);
  }
  bench.tasks.set_disabled(false);
  bench.execute(*pipeline, 5, 4);
  CHECK(bench.tasks.queued() == 4);
  bench.executor.run_all();
  CHECK(bench.tasks.finished() == 1);
  CHECK(bench.chosen(*pipeline, 5) == 1);
  CHECK(bench.driver.variants() == 1);
  CHECK(bench.driver.dropped() == 0);
}

TEST_CASE("PGO driver: a compile that is cancelled before it begins may be queued again", "[bgproc]") {
  TaskQueueConfig queue;
  queue.parallel_tasks = GENERATE(1u, 2u);
  queue.disabling_cancels = true;
  PgoBench bench(pgo_config_of(12), queue);
  const auto pipeline = bench.pipeline(1);
  train(bench, *pipeline, 3);
  bench.set(ProcessingMode::allow_intrusive_measurements, MeasurementsAction::commit_results);
  REQUIRE(bench.tasks.queued() == 3);
  bench.executor.start();
  bench.tasks.set_disabled(true);
  const std::uint64_t cancelled = 3 - queue.parallel_tasks;
  CHECK(bench.tasks.cancelled() == cancelled);
  bench.tasks.set_disabled(false);
  bench.executor.run_all();
  CHECK(bench.driver.variants() == queue.parallel_tasks);
  const std::vector<ConstantsKey> left = originals(bench, *pipeline, 3);
  REQUIRE(left.size() == cancelled);
  for (const ConstantsKey constants : left) bench.execute(*pipeline, constants, 12 / cancelled);
  CHECK(bench.tasks.queued() == 3 + cancelled);
  bench.executor.run_all();
  CHECK(originals(bench, *pipeline, 3).empty());
  CHECK(bench.driver.dropped() == 0);
}

TEST_CASE("PGO driver: when the queue closes, compiles that run are finished and others forgotten", "[bgproc]") {
  const bool destroyed_before = GENERATE(false, true);
  PgoBench bench(pgo_config_of(4));
  auto pipeline = bench.pipeline(1);
  train(bench, *pipeline, 3);
  bench.set(ProcessingMode::allow_intrusive_measurements, MeasurementsAction::commit_results);
  REQUIRE(bench.tasks.queued() == 3);
  bench.executor.start();
  REQUIRE(bench.executor.running().size() == 2);
  if (destroyed_before) pipeline.reset();
  bench.tasks.close();
  CHECK(bench.tasks.finished() == 2);
  CHECK(bench.tasks.cancelled() == 1);
  CHECK(bench.driver.variants() == (destroyed_before ? 0 : 2));
  CHECK(bench.driver.dropped() == (destroyed_before ? 2 : 0));
  // Executions and commits go on; what they want compiled is refused.
  const auto late = bench.pipeline(2);
  bench.set(ProcessingMode::allow_intrusive_measurements);
  for (int round = 0; round < 3; ++round) {
    bench.execute(*late, 1, 5);
    if (pipeline) bench.execute(*pipeline, 3, 5);
    bench.set(ProcessingMode::allow_intrusive_measurements, MeasurementsAction::commit_results);
  }
  CHECK(bench.chosen(*late, 1) == 0);
  CHECK(bench.driver.variants() == (destroyed_before ? 0 : 2));
  CHECK(bench.tasks.finished() == 2);
}

TEST_CASE("PGO driver: a compile says its pipeline state and its CPU time, which grows with the instructions",
          "[bgproc]") {
  struct Shape {
    double compile_us;
    double us_per_instruction;
    double instructions;
    std::uint64_t cpu_ps;
  };
  const std::vector<Shape> shapes{
      {5000, 10, 100, 6'000'000'000},  // 5000 us and 100 times 10 us
      {5000, 0, 100, 5'000'000'000},
      {0, 10, 7, 70'000'000},
      {0.5, 0.25, 7, 2'250'000},  // 2.25 us
      {100'000, 1000, 10'000, 10'100'000'000'000},
  };
  for (const Shape& shape : shapes) {
    PgoConfig config = pgo_config_of(1);
    config.compile_us = shape.compile_us;
    config.compile_us_per_instruction = shape.us_per_instruction;
    PgoBench bench(config);
    const auto other = bench.pipeline(40, {}, 2 * shape.instructions);
    const auto pipeline = bench.pipeline(41, {}, shape.instructions);
    train(bench, *pipeline, 1);
    bench.executor.run_all();
    REQUIRE(bench.executor.begun().size() == 1);
    CHECK(bench.executor.begun()[0].task.info.subject == 41);
    CHECK(pipeline->number() == 41);
    CHECK(bench.executor.begun()[0].task.info.cpu_ps == shape.cpu_ps);
  }
}

TEST_CASE("PGO driver: what variants came to is kept for each pipeline state that was executed, also when it is gone",
          "[bgproc]") {
  PgoBench bench(pgo_config_of(4, 1));  // every execution is measured, the fourth of a constant is acted upon
  auto first = bench.pipeline(7);
  auto idle = bench.pipeline(8);
  const auto last = bench.pipeline(9);
  bench.execute(*last, 1);
  bench.execute(*first, 1, 4);
  bench.executor.run_all();
  bench.execute(*first, 1, 3);
  bench.execute(*first, 2);
  bench.driver.saved(*first, 50);
  bench.driver.saved(*first, 6);
  first.reset();
  idle.reset();
  const auto again = bench.pipeline(7);  // of the same number, and another one
  bench.execute(*again, 1, 2);
  const std::vector<PgoUsage> usage = bench.driver.usage();
  REQUIRE(usage.size() == 3);
  CHECK(counts_of(usage[0]) == Counts{7, 8, 1, 3, 56});
  CHECK(counts_of(usage[1]) == Counts{9, 1, 0, 0, 0});
  CHECK(counts_of(usage[2]) == Counts{7, 2, 0, 0, 0});
}

TEST_CASE("PGO driver: what variants of all pipeline states came to is the sum of each one's", "[bgproc]") {
  std::mt19937_64 random(11);
  for (int round = 0; round < 50; ++round) {
    PgoBench bench(pgo_config_of(1 + random() % 8, 1 + static_cast<std::uint32_t>(random() % 3)));
    std::vector<std::unique_ptr<PgoPipeline>> pipelines(6);
    std::uint64_t created = 0;
    std::uint64_t executions = 0;
    std::uint64_t specialised = 0;
    std::uint64_t saved = 0;
    for (int step = 0; step < 300; ++step) {
      std::unique_ptr<PgoPipeline>& one = pipelines[random() % pipelines.size()];
      if (one == nullptr) one = bench.pipeline(++created);
      const std::uint64_t what = random() % 20;
      if (what == 0) {
        one.reset();
      } else if (what == 1) {
        bench.executor.run_all();
      } else {
        ++executions;
        if (bench.execute(*one, 1 + random() % 2).rounds == 0) continue;
        ++specialised;
        bench.driver.saved(*one, what);
        saved += what;
      }
    }
    Counts sums{};
    std::uint64_t number = 0;
    for (const PgoUsage& one : bench.driver.usage()) {
      CHECK(one.number > number);  // in the order of creation
      CHECK(one.executions > 0);
      CHECK(one.specialised <= one.executions);
      number = one.number;
      for (std::size_t i = 1; i < sums.size(); ++i) sums[i] += counts_of(one)[i];
    }
    CHECK(sums == Counts{0, executions, bench.driver.variants(), specialised, saved});
    CHECK(bench.driver.specialised() == specialised);
    CHECK(bench.driver.saved_instructions() == saved);
  }
}

}  // namespace fenceline
