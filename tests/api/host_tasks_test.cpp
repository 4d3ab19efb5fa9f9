// SPDX-License-Identifier: Apache-2.0
// Background tasks of a machine on threads of the computer that simulates.
#include "api/machine.hpp"
#include "api/report/run/run.hpp"
#include "api/workload/load/workload_file.hpp"
#include "api/workload/workload.hpp"
#include "tests/support/samples.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;

namespace {

MachineConfig on_host() {
  MachineConfig config = builtin_machine("tiny");
  config.background_processing.executor = TaskExecution::host;
  return config;
}

/// A task of a program: says which thread did it, after so long in real time.
struct Work {
  static void run(void* context) {
    auto& work = *static_cast<Work*>(context);
    std::this_thread::sleep_for(work.takes);
    work.thread = std::this_thread::get_id();
    ++work.ran;
  }
  static void cancel(void* context) { ++static_cast<Work*>(context)->cancelled; }
  std::chrono::milliseconds takes{0};
  std::thread::id thread;
  std::atomic<int> ran{0};
  std::atomic<int> cancelled{0};
};

ModeRequest request(ProcessingMode mode, MeasurementsAction action, bool event) { return {mode, action, event}; }

/// Tasks in the log.
class Tasks final : public LogSink {
 public:
  void task(const EventLog& log, const TaskRecord& task) override {
    said.push_back(std::string(log.text(task.track)) + (task.what == TaskRecord::What::started    ? " started"
                                                        : task.what == TaskRecord::What::finished ? " finished"
                                                                                                  : " cancelled"));
    times.push_back(task.at_ps);
  }
  std::vector<std::string> said;
  std::vector<std::uint64_t> times;
};

}  // namespace

TEST_CASE("host tasks: a machine's run waits for tasks that real threads do", "[api]") {
  Machine machine(on_host());
  Tasks tasks;
  machine.log().attach(tasks);
  std::vector<Work> work(5);
  for (Work& one : work) {
    one.takes = std::chrono::milliseconds(3);
    REQUIRE(machine.queue_processing_work("", &Work::run, &Work::cancel, &one));
  }
  CHECK(machine.run());
  for (const Work& one : work) {
    CHECK(one.ran == 1);
    CHECK(one.cancelled == 0);
    CHECK(one.thread != std::thread::id());
    CHECK(one.thread != std::this_thread::get_id());
  }
  CHECK_FALSE(machine.working_elsewhere());
  const BackgroundStatistics statistics = machine.background_statistics().at("");
  CHECK(statistics.queued == 5);
  CHECK(statistics.finished == 5);
  CHECK(statistics.cpu_ps > 0);
  CHECK(tasks.said.size() == 10);
  CHECK(tasks.said.front() == "adapter.background.worker0 started");
  CHECK(tasks.times == std::vector<std::uint64_t>(10, 0));  // no time passes in the simulation
}

TEST_CASE("host tasks: a commit's event comes inside the simulation, when its set has finished", "[api]") {
  Machine machine(on_host());
  const FenceId done = machine.create_fence("done");
  Work work;
  work.takes = std::chrono::milliseconds(20);
  machine.queue_processing_work("", &Work::run, &Work::cancel, &work);
  std::thread::id told_on;
  const ModeAnswer answer = machine.set_background_processing_mode(
      "", request(ProcessingMode::allowed, MeasurementsAction::commit_results, true), [&] {
        told_on = std::this_thread::get_id();
        machine.signal(done, 1);
      });
  CHECK(answer.commit == 1);
  CHECK(told_on == std::thread::id());
  CHECK(machine.run_until(done, 1));
  CHECK(told_on == std::this_thread::get_id());
  CHECK(work.ran == 1);
}

TEST_CASE("host tasks: the event of an empty commit comes before the call returns", "[api]") {
  Machine machine(on_host());
  const FenceId done = machine.create_fence("done");
  machine.set_background_processing_mode(
      "", request(ProcessingMode::allowed, MeasurementsAction::commit_results_high_priority, true),
      [&] { machine.signal(done, 1); });
  CHECK(machine.completed_value(done) == 1);
}

TEST_CASE("host tasks: while disabled tasks are cancelled on the calling thread", "[api]") {
  Machine machine(on_host());
  Tasks tasks;
  machine.log().attach(tasks);
  CHECK(machine
            .set_background_processing_mode(
                "", request(ProcessingMode::disable_background_work, MeasurementsAction::keep_all, false))
            .refusal.empty());
  Work work;
  CHECK(machine.queue_processing_work("", &Work::run, &Work::cancel, &work));
  CHECK(work.cancelled == 1);
  CHECK(tasks.said == std::vector<std::string>{"adapter.background cancelled"});
  CHECK(machine.run());
  CHECK(work.ran == 0);
}

TEST_CASE("host tasks: a machine that goes cancels what is queued, and waits for what runs", "[api]") {
  std::vector<Work> work(20);
  int told = 0;
  {
    Machine machine(on_host());
    for (Work& one : work) {
      one.takes = std::chrono::milliseconds(5);
      machine.queue_processing_work("", &Work::run, &Work::cancel, &one);
    }
    machine.set_background_processing_mode(
        "", request(ProcessingMode::allowed, MeasurementsAction::commit_results, true), [&] { ++told; });
    CHECK(told == 0);
  }
  CHECK(told == 1);
  int ran = 0;
  for (const Work& one : work) {
    CHECK(one.ran + one.cancelled == 1);
    ran += one.ran;
  }
  CHECK(ran <= 20);
}

TEST_CASE("host tasks: simulated work goes on while they run, and its end does not wait for them", "[api]") {
  Machine machine(on_host());
  struct Gate {
    static void run(void* context) {
      auto& gate = *static_cast<Gate*>(context);
      std::unique_lock held(gate.mutex);
      gate.opened.wait(held, [&] { return gate.open; });
    }
    std::mutex mutex;
    std::condition_variable opened;
    bool open = false;
  } gate;
  machine.queue_processing_work("", &Gate::run, nullptr, &gate);
  machine.advance_to(1'000'000);
  CHECK(machine.now_ps() == 1'000'000);
  CHECK(machine.working_elsewhere());
  {
    const std::lock_guard held(gate.mutex);
    gate.open = true;
  }
  gate.opened.notify_all();
  CHECK(machine.run());
  CHECK(machine.now_ps() == 1'000'000);
}

TEST_CASE("host tasks: a run of a workload refuses a machine whose tasks real threads do", "[api]") {
  RunResult result;
  CHECK_THROWS_WITH(
      run_workload(load_workload(shipped_workload("pgo_single_frame"), "", {"/background_processing/executor=host"}),
                   {}, result),
      Contains("/background_processing/executor") && Contains("simulated"));
}
