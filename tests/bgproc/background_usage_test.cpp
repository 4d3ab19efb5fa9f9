// SPDX-License-Identifier: Apache-2.0
// The specification's usage scenarios, with a driver that queues and answers what the test says.
#include "bgproc/background_runtime.hpp"
#include "tests/bgproc/runtime_bench.hpp"

#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace fenceline {
namespace {

using Mode = ProcessingMode;
using Action = MeasurementsAction;
using Calls = std::vector<std::pair<Mode, Action>>;

}  // namespace

TEST_CASE("background usage: a developer turns it off, a retail game cannot", "[bgproc]") {
  const bool developer_mode = GENERATE(false, true);
  RuntimeBench bench(developer_mode);
  bench.driver.queue(3);
  bench.executor.start();
  CHECK(bench.set(Mode::disable_background_work, Action::keep_all).refusal.empty() == developer_mode);
  bench.driver.queue(4);
  CHECK(bench.tasks.cancelled() == (developer_mode ? 4 : 0));
  bench.executor.run_all();
  CHECK(bench.tasks.finished() == (developer_mode ? 3 : 3 + 4));
}

TEST_CASE("background usage: a benchmark renders until nothing more is desired, then commits, also in retail",
          "[bgproc]") {
  const bool developer_mode = GENERATE(false, true);
  for (const std::size_t frames : {1, 2, 5}) {
    RuntimeBench bench(developer_mode);
    bench.driver.answers.assign(frames, true);  // of the first call and of all frames but the last
    bench.driver.answers.push_back(false);
    CHECK(bench.set(Mode::allow_intrusive_measurements, Action::discard_previous).refusal.empty());
    std::size_t rendered = 0;
    for (bool more = true; more && rendered < 100;) {
      ++rendered;
      bench.driver.queue(2);   // a frame makes the driver compile,
      bench.executor.start();  // which begins meanwhile
      const ModeAnswer answer = bench.set(Mode::allow_intrusive_measurements, Action::keep_all);
      CHECK(answer.refusal.empty());
      CHECK(answer.commit == 0);
      more = answer.further_desired;
    }
    CHECK(rendered == frames);
    bench.driver.to_queue = 1;
    CHECK(bench.set_with_event(Mode::allowed, Action::commit_results).refusal.empty());
    CHECK(bench.signals == 0);
    CHECK(bench.tasks.priority() == TaskPriority::idle);
    bench.executor.run_all();
    CHECK(bench.signals == 1);
    CHECK(bench.tasks.finished() == 2 * frames + 1);
    CHECK(bench.tasks.cancelled() == 0);
    CHECK(bench.runtime.mode() == Mode::allowed);  // dynamic optimisation goes on
    Calls expected{{Mode::allow_intrusive_measurements, Action::discard_previous}};
    expected.insert(expected.end(), frames, {Mode::allow_intrusive_measurements, Action::keep_all});
    expected.emplace_back(Mode::allowed, Action::commit_results);
    CHECK(bench.driver.calls == expected);
  }
}

TEST_CASE("background usage: PIX replays a frame until the driver converges or it has tried often enough", "[bgproc]") {
  constexpr std::size_t most_passes = 4;
  for (const std::size_t desired : {0, 1, 3, 100}) {   // passes after which more is desired
    for (const std::size_t compiles : {0, 1, 3, 9}) {  // that each commit makes
      for (const std::size_t from_replay : {0, 2}) {   // tasks that the driver queues by itself
        INFO("desired " << desired << ", compiles " << compiles << ", from replay " << from_replay);
        RuntimeBench bench;
        Calls expected;
        std::size_t passes = 0;
        for (bool more = true; more && passes < most_passes; ++passes) {
          const Action first = passes == 0 ? Action::discard_previous : Action::keep_all;
          bench.driver.to_queue = 0;
          CHECK(bench.set(Mode::allow_intrusive_measurements, first).refusal.empty());
          expected.emplace_back(Mode::allow_intrusive_measurements, first);
          bench.driver.queue(from_replay);
          bench.driver.to_queue = compiles;
          bench.driver.answers = {passes < desired};
          const int signals_before = bench.signals;
          const ModeAnswer answer =
              bench.set_with_event(Mode::disable_profiling_by_system, Action::commit_results_high_priority);
          expected.emplace_back(Mode::disable_profiling_by_system, Action::commit_results_high_priority);
          CHECK(answer.commit == passes + 1);
          more = answer.further_desired;
          CHECK(more == (passes < desired));
          const bool empty = compiles + from_replay == 0;
          CHECK(bench.signals == signals_before + (empty ? 1 : 0));
          bench.executor.run_all();  // waits for the event
          CHECK(bench.signals == signals_before + 1);
          CHECK(bench.tasks.idle());
          CHECK(bench.tasks.priority() == TaskPriority::idle);
        }
        CHECK(passes == (desired < most_passes ? desired + 1 : most_passes));
        CHECK(bench.driver.calls == expected);
        CHECK(bench.tasks.finished() == passes * (compiles + from_replay));
        CHECK(bench.tasks.cancelled() == 0);
        bench.driver.queue(3);  // locked down: nothing disturbs what is measured now
        CHECK(bench.tasks.cancelled() == 3);
      }
    }
  }
}

TEST_CASE("background usage: without support PIX goes on after one pass", "[bgproc]") {
  RuntimeBench bench(true, false);
  CHECK_FALSE(bench.set(Mode::allow_intrusive_measurements, Action::discard_previous).further_desired);
  const ModeAnswer answer =
      bench.set_with_event(Mode::disable_profiling_by_system, Action::commit_results_high_priority);
  CHECK(answer.refusal.empty());
  CHECK_FALSE(answer.further_desired);
  CHECK(bench.signals == 1);
}

TEST_CASE("background usage: a program that asks for stable timing at start gets it in developer mode only",
          "[bgproc]") {
  const bool developer_mode = GENERATE(false, true);
  RuntimeBench bench(developer_mode);
  CHECK(bench.set(Mode::disable_profiling_by_system, Action::discard_previous).refusal.empty() == developer_mode);
  CHECK(bench.runtime.mode() == (developer_mode ? Mode::disable_profiling_by_system : Mode::allowed));
  bench.driver.queue(1);
  CHECK(bench.tasks.cancelled() == (developer_mode ? 1 : 0));
}

}  // namespace fenceline
