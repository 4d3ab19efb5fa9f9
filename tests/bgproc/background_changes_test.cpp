// SPDX-License-Identifier: Apache-2.0
// Mode changes as one step: what a commit generated, what disabling leaves alone, and who may change the mode again
// from inside a call of theirs.
#include "bgproc/background_runtime.hpp"
#include "bgproc/tasks/host_executor.hpp"
#include "tests/bgproc/runtime_bench.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <vector>

namespace fenceline {
namespace {

using Mode = ProcessingMode;
using Action = MeasurementsAction;
using Ids = std::vector<std::uint64_t>;

/// A task that does something of a test's.
struct Acting {
  std::function<void()> when_called;
  std::function<void()> when_cancelled;
  static void call(void* context) {
    const auto& self = *static_cast<Acting*>(context);
    if (self.when_called) self.when_called();
  }
  static void cancel(void* context) {
    const auto& self = *static_cast<Acting*>(context);
    if (self.when_cancelled) self.when_cancelled();
  }
};

/// Queues one task in each mode change.
class OneTaskDriver final : public BackgroundDriver {
 public:
  OneTaskDriver(TaskQueue& tasks, Acting& task) : tasks_(tasks), task_(task) {}
  bool set_background_processing_mode(ProcessingMode, MeasurementsAction) override {
    if (queues) tasks_.queue_processing_work(&Acting::call, &Acting::cancel, &task_);
    return false;
  }
  bool queues = true;

 private:
  TaskQueue& tasks_;
  Acting& task_;
};

}  // namespace

TEST_CASE("background runtime: a commit of high priority boosts for what its driver queued, not for what was there",
          "[bgproc]") {
  RuntimeBench bench;
  bench.driver.queue(1);  // 1 is slow
  bench.executor.start();
  bench.driver.to_queue = 2;
  bench.set_with_event(Mode::allowed, Action::commit_results_high_priority);  // 2 and 3
  bench.driver.queue(1);                                                      // 4
  bench.executor.start();
  CHECK(bench.executor.running() == Ids{1, 2, 3, 4});
  bench.executor.finish(3);
  CHECK(bench.tasks.priority() == TaskPriority::boosted);
  bench.executor.finish(2);
  CHECK(bench.tasks.priority() == TaskPriority::idle);
  CHECK(bench.signals == 0);  // of the whole set
  bench.executor.finish(4);
  CHECK(bench.signals == 0);
  bench.executor.finish(1);
  CHECK(bench.signals == 1);
}

TEST_CASE("background runtime: a commit of high priority that generates nothing boosts nothing", "[bgproc]") {
  RuntimeBench bench;
  bench.driver.queue(3);
  bench.set_with_event(Mode::allowed, Action::commit_results_high_priority);
  CHECK(bench.tasks.priority() == TaskPriority::idle);
  bench.executor.start();
  CHECK(bench.executor.running() == Ids{1, 2});
  CHECK(bench.signals == 0);
  bench.executor.run_all();
  CHECK(bench.signals == 1);
}

TEST_CASE("background runtime: commits of high priority boost until the last of them has what it generated",
          "[bgproc]") {
  RuntimeBench bench;
  bench.driver.to_queue = 1;
  for (int i = 0; i < 3; ++i) bench.set(Mode::allowed, Action::commit_results_high_priority);
  bench.executor.start();
  for (const std::uint64_t task : {2, 1, 3}) {
    CHECK(bench.tasks.priority() == TaskPriority::boosted);
    bench.executor.finish(task);
  }
  CHECK(bench.tasks.priority() == TaskPriority::idle);
}

TEST_CASE("background runtime: where disabling cancels, a commit's own tasks run all the same", "[bgproc]") {
  const Mode mode = GENERATE(Mode::disable_background_work, Mode::disable_profiling_by_system);
  RuntimeBench bench(true, true, 4, {1, true});
  bench.driver.queue(3);
  bench.executor.start();  // 1
  bench.driver.to_queue = 2;
  bench.set_with_event(mode, Action::commit_results);  // 4 and 5
  CHECK(bench.driver.fates[0].cancelled == 0);
  for (const std::size_t waited : {1, 2}) CHECK(bench.driver.fates[waited].cancelled == 1);
  CHECK(bench.tasks.cancelled() == 2);
  bench.driver.to_queue = 1;
  bench.set_with_event(mode, Action::commit_results);  // it was disabled already: 4 and 5 stay, 6 comes
  CHECK(bench.tasks.cancelled() == 2);
  CHECK(bench.signals == 0);
  bench.executor.run_all();
  for (const std::size_t ran : {0, 3, 4, 5}) CHECK(bench.driver.fates[ran].ran == 1);
  CHECK(bench.signals == 2);
  bench.driver.to_queue = 0;
  bench.driver.queue(1);
  CHECK(bench.driver.fates.back().cancelled == 1);
}

TEST_CASE("background runtime: an event of an empty set finds new tasks disabled", "[bgproc]") {
  RuntimeBench bench;
  bool told = false;
  bench.runtime.set_mode({Mode::disable_background_work, Action::commit_results, true}, [&] {
    told = true;
    bench.driver.queue(1);
    CHECK(bench.driver.fates.back().cancelled == 1);
  });
  CHECK(told);
}

TEST_CASE("background runtime: the mode may be changed again from inside an event, a callback and a cancel",
          "[bgproc]") {
  SteppedExecutor executor;
  const bool cancelling = GENERATE(false, true);
  TaskQueue tasks({2, cancelling}, executor);
  Acting task;
  OneTaskDriver driver(tasks, task);
  BackgroundRuntime runtime(tasks, &driver, true);
  int inside = 0;
  const auto again = [&] {
    driver.queues = false;
    ++inside;
    // From another thread, too: nobody is held up meanwhile.
    runtime.set_mode({Mode::allow_intrusive_measurements, Action::keep_all, false});
    std::async(std::launch::async, [&] { return runtime.mode(); }).get();
  };
  SECTION("the event of an empty set") {
    driver.queues = false;
    runtime.set_mode({Mode::disable_background_work, Action::commit_results, true}, [&] {
      again();
      std::async(std::launch::async, [&] {
        runtime.set_mode({Mode::allow_intrusive_measurements, Action::keep_all, false});
      }).get();
    });
  }
  SECTION("an event of a set that ends later") {
    runtime.set_mode({Mode::disable_background_work, Action::commit_results, true}, again);
    executor.run_all();
  }
  SECTION("a task") {
    task.when_called = again;
    runtime.set_mode({Mode::allowed, Action::keep_all, false});
    executor.run_all();
  }
  SECTION("the cancel of a task that the driver queues while disabled") {
    driver.queues = false;
    runtime.set_mode({Mode::disable_background_work, Action::keep_all, false});
    driver.queues = true;
    task.when_cancelled = again;
    runtime.set_mode({Mode::disable_profiling_by_system, Action::keep_all, false});
  }
  SECTION("the cancel of a task that waits when it is disabled") {
    if (!cancelling) return;
    task.when_cancelled = again;
    runtime.set_mode({Mode::allowed, Action::keep_all, false});
    driver.queues = false;
    runtime.set_mode({Mode::disable_background_work, Action::keep_all, false});
  }
  CHECK(inside == 1);
  CHECK(runtime.mode() == Mode::allow_intrusive_measurements);
  task = {};
  CHECK(tasks.queue_processing_work(&Acting::call, &Acting::cancel, &task));
  const std::uint64_t cancelled = tasks.cancelled();
  executor.run_all();
  CHECK(tasks.cancelled() == cancelled);  // it ran: the later change stands
}

TEST_CASE("background runtime: once the event of a commit that disables is there, nothing runs any more", "[bgproc]") {
  for (int round = 0; round < 100; ++round) {
    HostExecutor executor;
    TaskQueue tasks({}, executor);
    Acting task;
    OneTaskDriver driver(tasks, task);
    BackgroundRuntime runtime(tasks, &driver, true);
    std::atomic<int> ran{0};
    task.when_called = [&] {  // it queues itself again
      ++ran;
      tasks.queue_processing_work(&Acting::call, &Acting::cancel, &task);
    };
    runtime.set_mode({Mode::allowed, Action::keep_all, false});
    runtime.set_mode({Mode::allowed, Action::keep_all, false});
    std::promise<void> event;
    runtime.set_mode({Mode::disable_background_work, Action::commit_results, true}, [&] { event.set_value(); });
    event.get_future().get();
    const int then = ran;
    executor.wait_for_workers();
    REQUIRE(ran == then);
    REQUIRE(tasks.idle());
  }
}

}  // namespace fenceline
