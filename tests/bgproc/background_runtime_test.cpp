// SPDX-License-Identifier: Apache-2.0
#include "bgproc/background_runtime.hpp"

#include "tests/bgproc/runtime_bench.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <random>
#include <utility>
#include <vector>

namespace fenceline {
namespace {

using Mode = ProcessingMode;
using Action = MeasurementsAction;
using Calls = std::vector<std::pair<Mode, Action>>;

constexpr std::array<Mode, 4> modes{Mode::allowed, Mode::allow_intrusive_measurements, Mode::disable_background_work,
                                    Mode::disable_profiling_by_system};
constexpr std::array<Action, 4> actions{Action::keep_all, Action::commit_results, Action::commit_results_high_priority,
                                        Action::discard_previous};

bool disables(Mode mode) { return mode == Mode::disable_background_work || mode == Mode::disable_profiling_by_system; }
bool needs_developer_mode(Mode mode, Action action) {
  return disables(mode) || action == Action::commit_results_high_priority;
}
bool is_commit(Action action) {
  return action == Action::commit_results || action == Action::commit_results_high_priority;
}

}  // namespace

TEST_CASE("background runtime: its mode is allowed at first and then what was granted last", "[bgproc]") {
  RuntimeBench bench;
  CHECK(bench.runtime.mode() == Mode::allowed);
  for (const Mode from : modes) {
    for (const Mode to : modes) {
      CHECK(bench.set(from, Action::keep_all).refusal.empty());
      CHECK(bench.runtime.mode() == from);
      CHECK(bench.set(to, Action::discard_previous).refusal.empty());
      CHECK(bench.runtime.mode() == to);
    }
  }
}

TEST_CASE("background runtime: each mode with each action is granted or refused, and refused it does nothing",
          "[bgproc]") {
  const bool developer_mode = GENERATE(false, true);
  const bool event = GENERATE(false, true);
  const bool further = GENERATE(false, true);
  for (const Mode mode : modes) {
    for (const Action action : actions) {
      INFO("mode " << static_cast<int>(mode) << ", action " << static_cast<int>(action));
      RuntimeBench bench(developer_mode);
      const Mode before = Mode::allow_intrusive_measurements;
      bench.set(before, Action::keep_all);
      bench.driver.calls.clear();
      bench.driver.to_queue = 2;
      bench.driver.answers = {further};
      const ModeAnswer answer = event ? bench.set_with_event(mode, action) : bench.set(mode, action);
      const bool refused = (event && !is_commit(action)) || (!developer_mode && needs_developer_mode(mode, action));
      CHECK(answer.refusal.empty() == !refused);
      CHECK(bench.runtime.mode() == (refused ? before : mode));
      CHECK(bench.driver.calls == (refused ? Calls{} : Calls{{mode, action}}));
      CHECK(bench.tasks.queued() == (refused ? 0 : 2));
      CHECK(bench.tasks.cancelled() == 0);
      CHECK(bench.signals == 0);  // the driver's two tasks have not run
      CHECK((answer.commit != 0) == (!refused && is_commit(action)));
      CHECK((bench.tasks.priority() == TaskPriority::boosted) ==
            (!refused && action == Action::commit_results_high_priority));
      if (!refused) CHECK(answer.further_desired == further);
      bench.executor.run_all();
      CHECK(bench.signals == (event && !refused ? 1 : 0));
      CHECK(bench.tasks.priority() == TaskPriority::idle);
      bench.driver.queue(1);
      const bool disabled = !refused && disables(mode);
      CHECK(bench.driver.fates.back().cancelled == (disabled ? 1 : 0));
    }
  }
}

TEST_CASE("background runtime: a refused request leaves new tasks disabled where they are", "[bgproc]") {
  RuntimeBench bench;
  bench.set(Mode::disable_background_work, Action::keep_all);
  for (const Action action : {Action::keep_all, Action::discard_previous}) {
    CHECK_FALSE(bench.set_with_event(Mode::allowed, action).refusal.empty());
    CHECK(bench.runtime.mode() == Mode::disable_background_work);
    bench.driver.queue(1);
    CHECK(bench.driver.fates.back().cancelled == 1);
  }
  CHECK(bench.signals == 0);
  CHECK(bench.driver.calls.size() == 1);
}

TEST_CASE("background runtime: without a commit nobody is told of anything", "[bgproc]") {
  const Action action = GENERATE(Action::keep_all, Action::discard_previous);
  int told = 0;
  RuntimeBench bench;
  bench.driver.to_queue = 3;
  CHECK(bench.runtime.set_mode({Mode::allowed, action, false}, [&told] { ++told; }).commit == 0);
  bench.executor.run_all();
  CHECK(bench.tasks.finished() == 3);
  CHECK(told == 0);
}

TEST_CASE("background runtime: without a driver that supports it nothing happens, but refusals are the same",
          "[bgproc]") {
  const bool developer_mode = GENERATE(false, true);
  const bool event = GENERATE(false, true);
  for (const Mode mode : modes) {
    for (const Action action : actions) {
      INFO("mode " << static_cast<int>(mode) << ", action " << static_cast<int>(action));
      RuntimeBench bench(developer_mode, false);
      bench.driver.to_queue = 2;
      bench.driver.answers = {true};
      bench.driver.queue(1);  // though nobody should: it is not waited for
      const ModeAnswer answer = event ? bench.set_with_event(mode, action) : bench.set(mode, action);
      const bool refused = (event && !is_commit(action)) || (!developer_mode && needs_developer_mode(mode, action));
      CHECK(answer.refusal.empty() == !refused);
      CHECK_FALSE(answer.further_desired);
      CHECK(bench.driver.calls.empty());
      CHECK(bench.signals == (event && !refused ? 1 : 0));
      CHECK(bench.tasks.priority() == TaskPriority::idle);
      bench.driver.queue(1);
      CHECK(bench.tasks.cancelled() == 0);
      bench.executor.run_all();
      CHECK(bench.tasks.finished() == 2);
      CHECK(bench.signals == (event && !refused ? 1 : 0));
    }
  }
}

TEST_CASE("background runtime: a commit that disables takes the driver's tasks inside the call and none after it",
          "[bgproc]") {
  const Mode mode = GENERATE(Mode::disable_background_work, Mode::disable_profiling_by_system);
  const Action action = GENERATE(Action::commit_results, Action::commit_results_high_priority);
  for (const Mode before : modes) {  // disabled already, or not
    for (const std::size_t count : {0, 1, 5}) {
      INFO("before " << static_cast<int>(before) << ", tasks " << count);
      RuntimeBench bench;
      bench.set(before, Action::keep_all);
      bench.driver.to_queue = count;
      bench.set_with_event(mode, action);
      CHECK(bench.tasks.queued() == count);
      CHECK(bench.tasks.cancelled() == 0);
      CHECK(bench.signals == (count == 0 ? 1 : 0));
      bench.driver.queue(2);
      CHECK(bench.tasks.cancelled() == 2);
      for (std::size_t i = 0; i < count + 2; ++i) CHECK(bench.driver.fates[i].cancelled == (i < count ? 0 : 1));
      bench.executor.run_all();
      CHECK(bench.tasks.finished() == count);
      for (std::size_t i = 0; i < count + 2; ++i) CHECK(bench.driver.fates[i].ran == (i < count ? 1 : 0));
      CHECK(bench.signals == 1);
    }
  }
}

TEST_CASE("background runtime: disabled already and without a commit, the driver's tasks are cancelled", "[bgproc]") {
  const Mode mode = GENERATE(Mode::disable_background_work, Mode::disable_profiling_by_system);
  const Action action = GENERATE(Action::keep_all, Action::discard_previous);
  RuntimeBench bench;
  bench.set(Mode::disable_background_work, Action::keep_all);
  bench.driver.to_queue = 3;
  bench.set(mode, action);
  CHECK(bench.tasks.cancelled() == 3);
  bench.driver.to_queue = 0;
  bench.set(Mode::allowed, Action::keep_all);
  bench.driver.queue(2);  // accepted again
  bench.executor.run_all();
  CHECK(bench.tasks.cancelled() == 3);
  CHECK(bench.tasks.finished() == 2);
}

TEST_CASE("background runtime: tasks that were queued before disabling run to their end, in order", "[bgproc]") {
  const Mode mode = GENERATE(Mode::disable_background_work, Mode::disable_profiling_by_system);
  for (const std::size_t count : {1, 2, 3, 10}) {
    for (const bool begun : {false, true}) {
      RuntimeBench bench;
      bench.driver.queue(count);
      if (begun) bench.executor.start();
      bench.set(mode, Action::keep_all);
      CHECK(bench.tasks.cancelled() == 0);
      bench.executor.run_all();
      CHECK(bench.tasks.finished() == count);
      REQUIRE(bench.executor.begun().size() == count);
      for (std::size_t i = 0; i < count; ++i) CHECK(bench.executor.begun()[i].task.id == i + 1);
    }
  }
}

TEST_CASE("background runtime: each commit is completed once, when all that was queued by then has ended", "[bgproc]") {
  std::mt19937_64 random(29);
  for (int round = 0; round < 50; ++round) {
    std::deque<int> completed;  // by commit
    RuntimeBench bench(true, true, 2 + random() % 4);
    std::vector<bool> ended;        // by task
    std::vector<std::size_t> sets;  // by commit: of so many tasks
    for (int step = 0; step < 60; ++step) {
      const auto choice = random() % 6;
      if (choice == 0) {
        bench.driver.queue(1 + random() % 3);
      } else if (choice == 1) {
        bench.driver.to_queue = random() % 4;
        const Action action = random() % 2 == 0 ? Action::commit_results : Action::commit_results_high_priority;
        int& count = completed.emplace_back(0);
        bench.runtime.set_mode({modes[random() % 2], action, true}, [&count] { ++count; });
        sets.push_back(bench.driver.fates.size());
      } else {
        bench.executor.start();
        const std::vector<std::uint64_t> running = bench.executor.running();
        if (running.empty()) continue;
        const std::uint64_t task = running[random() % running.size()];
        bench.executor.finish(task);
        ended[task - 1] = true;
      }
      ended.resize(bench.driver.fates.size());
      for (std::size_t commit = 0; commit < sets.size(); ++commit) {
        const auto end = ended.begin() + static_cast<std::ptrdiff_t>(sets[commit]);
        REQUIRE(completed[commit] == (std::find(ended.begin(), end, false) == end ? 1 : 0));
      }
    }
    bench.executor.run_all();
    for (const int count : completed) REQUIRE(count == 1);
  }
}

TEST_CASE("background runtime: only a commit of high priority boosts, until its set has ended", "[bgproc]") {
  const Action action = GENERATE(Action::keep_all, Action::commit_results, Action::commit_results_high_priority,
                                 Action::discard_previous);
  const bool boosts = action == Action::commit_results_high_priority;
  for (const std::uint32_t processors : {2u, 3u, 6u, 16u}) {
    for (const Mode mode : modes) {
      RuntimeBench bench(true, true, processors);
      bench.driver.to_queue = 6;
      bench.set(mode, action);
      CHECK(bench.tasks.priority() == (boosts ? TaskPriority::boosted : TaskPriority::idle));
      CHECK(bench.executor.priority() == bench.tasks.priority());
      bench.executor.start();
      CHECK(bench.executor.running().size() == (boosts ? std::min(processors, 6u) : 2));
      bench.executor.run_all();
      CHECK(bench.tasks.priority() == TaskPriority::idle);
      for (const SteppedExecutor::Begun& one : bench.executor.begun()) {
        CHECK(one.priority == (boosts ? TaskPriority::boosted : TaskPriority::idle));
      }
    }
    RuntimeBench bench(true, true, processors);  // an empty set boosts nothing
    bench.set(Mode::allowed, action);
    CHECK(bench.tasks.priority() == TaskPriority::idle);
  }
}

TEST_CASE("background runtime: tasks queued after a commit of high priority run idle once its set has ended",
          "[bgproc]") {
  RuntimeBench bench;
  bench.driver.to_queue = 4;
  bench.set(Mode::allowed, Action::commit_results_high_priority);
  bench.driver.queue(4);
  bench.executor.start();
  REQUIRE(bench.executor.running() == std::vector<std::uint64_t>{1, 2, 3, 4});
  for (const std::uint64_t task : {3, 1, 4, 2}) {
    CHECK(bench.tasks.priority() == TaskPriority::boosted);
    bench.executor.finish(task);
  }
  CHECK(bench.tasks.priority() == TaskPriority::idle);
  bench.executor.start();
  CHECK(bench.executor.running().size() == 2);
  CHECK(bench.executor.begun().back().priority == TaskPriority::idle);
}

}  // namespace fenceline
