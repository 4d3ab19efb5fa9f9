// SPDX-License-Identifier: Apache-2.0
// Runtime, driver and real threads together: eight threads do at random whatever they may, and no task is lost or run
// twice. FENCELINE_TASK_ROUNDS says how often (20).
#include "bgproc/background_runtime.hpp"
#include "bgproc/pgo/pgo_driver.hpp"
#include "bgproc/tasks/host_executor.hpp"
#include "bgproc/tasks/task_queue.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <memory>
#include <random>
#include <thread>
#include <vector>

using namespace fenceline;

namespace {

constexpr unsigned stress_threads = 8;
constexpr int stress_steps = 30;

std::uint64_t rounds_of_environment() {
  const char* const rounds = std::getenv("FENCELINE_TASK_ROUNDS");
  return rounds != nullptr ? std::strtoull(rounds, nullptr, 10) : 20;
}

/// A task of the test's own, and how it ended.
struct Stressed {
  std::atomic<int> called{0};
  std::atomic<int> cancelled{0};
  bool accepted = false;
  static void call(void* context) { ++static_cast<Stressed*>(context)->called; }
  static void cancel(void* context) { ++static_cast<Stressed*>(context)->cancelled; }
};

/// Hears of each task, the driver's too, by its number.
struct StressLedger : TaskListener {
  static constexpr std::size_t most = 20'000;
  std::vector<std::atomic<int>> started = std::vector<std::atomic<int>>(most);
  std::vector<std::atomic<int>> finished = std::vector<std::atomic<int>>(most);
  std::vector<std::atomic<int>> cancelled = std::vector<std::atomic<int>>(most);
  void task_started(const Task& task, const TaskRun&) override { ++started.at(task.id); }
  void task_finished(const Task& task, const TaskRun&) override { ++finished.at(task.id); }
  void task_cancelled(const Task& task) override { ++cancelled.at(task.id); }
};

void play_round(std::uint64_t seed, StressLedger& ledger) {
  PgoConfig pgo;
  pgo.light_period = 1;
  pgo.act_now_executions = 2;
  HostExecutor executor;
  TaskQueue queue({1 + static_cast<std::uint32_t>(seed % 3), seed % 2 == 0}, executor, &ledger);
  PgoDriver driver(pgo, queue);
  BackgroundRuntime runtime(queue, &driver, true);
  std::deque<Stressed> tasks(stress_threads * stress_steps);
  std::atomic<int> wanted{0};
  std::atomic<int> completed{0};
  const auto change_mode = [&](std::mt19937& random) {
    const auto mode = static_cast<ProcessingMode>(random() % 4);
    const auto action = static_cast<MeasurementsAction>(random() % 4);
    if (!commits(action)) {
      runtime.set_mode({mode, action, false});
      return;
    }
    ++wanted;
    runtime.set_mode({mode, action, true}, [&completed] { ++completed; });
  };
  std::vector<std::thread> crew;
  for (unsigned thread = 0; thread < stress_threads; ++thread) {
    crew.emplace_back([&, thread] {
      std::mt19937 random(static_cast<std::uint32_t>(seed * stress_threads + thread));
      std::unique_ptr<PgoPipeline> pipeline = driver.create_pipeline(thread, {}, 0);
      for (int step = 0; step < stress_steps; ++step) {
        const auto what = random() % 8;
        if (what == 0) {
          change_mode(random);
        } else if (what == 1) {
          pipeline = driver.create_pipeline(thread, {}, 0);  // while it may be compiled
        } else if (what <= 4) {
          Stressed& task = tasks[thread * stress_steps + static_cast<unsigned>(step)];
          task.accepted = queue.queue_processing_work(&Stressed::call, &Stressed::cancel, &task);
        } else {
          driver.end(*pipeline, driver.begin(*pipeline, 1 + random() % 2));
        }
        if (thread == 0 && step == stress_steps * 3 / 4 && seed % 4 == 3) queue.close();
      }
    });
  }
  for (std::thread& one : crew) one.join();
  queue.close();
  REQUIRE(completed == wanted);
  for (const Stressed& task : tasks) REQUIRE(task.called + task.cancelled == (task.accepted ? 1 : 0));
  REQUIRE(queue.queued() == queue.finished() + queue.cancelled());
  for (std::uint64_t id = 1; id <= queue.queued(); ++id) {
    REQUIRE(ledger.started[id] == ledger.finished[id]);
    REQUIRE(ledger.finished[id] + ledger.cancelled[id] == 1);
  }
}

}  // namespace

TEST_CASE("background processing: eight threads at random, each task is run or cancelled once", "[bgproc][threads]") {
  const std::uint64_t rounds = rounds_of_environment();
  REQUIRE(rounds > 0);
  for (std::uint64_t round = 0; round < rounds; ++round) {
    CAPTURE(round);
    StressLedger ledger;
    play_round(round, ledger);
  }
}
