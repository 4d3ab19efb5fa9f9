// SPDX-License-Identifier: Apache-2.0
#include "bgproc/tasks/task_queue.hpp"

#include "tests/bgproc/tasks/manual_executor.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// As the DDI's page of 2019 has it.
TaskQueueConfig config_of_2019() { return {1, true}; }

}  // namespace

TEST_CASE("task queue: a third task waits until one of two has finished", "[bgproc]") {
  for (const std::uint64_t ends_first : {1, 2}) {
    for (const int tasks : {3, 4, 9}) {
      QueueBench bench;
      bench.add(tasks);
      CHECK(bench.executor.running().empty());  // nobody has asked yet
      bench.executor.settle();
      CHECK(bench.executor.running() == TaskIds{1, 2});
      bench.executor.finish(ends_first);
      CHECK(bench.executor.running() == TaskIds{3 - ends_first, 3});
      bench.executor.finish_all();
      CHECK(bench.called(1, static_cast<std::uint64_t>(tasks)) == tasks);
      CHECK(bench.all_ended_once());
    }
  }
}

TEST_CASE("task queue: one task or two run at once, whether they come together or one by one", "[bgproc]") {
  QueueBench bench;
  bench.add();
  bench.executor.settle();
  CHECK(bench.executor.running() == TaskIds{1});
  bench.add();
  bench.executor.settle();
  CHECK(bench.executor.running() == TaskIds{1, 2});
  bench.add();
  bench.executor.settle();
  CHECK(bench.executor.running() == TaskIds{1, 2});
  bench.executor.finish_all();
  bench.add();  // after a time with nothing to do
  bench.executor.settle();
  CHECK(bench.executor.running() == TaskIds{4});
}

TEST_CASE("task queue: tasks start in the order in which they were queued, whichever end first", "[bgproc]") {
  std::mt19937 random(7);
  for (const std::uint32_t parallel : {1u, 2u, 3u, 5u}) {
    QueueBench bench({parallel, false}, 8);
    bench.add(12);
    for (bench.executor.settle(); !bench.executor.running().empty();) {
      const TaskIds running = bench.executor.running();
      CHECK(running.size() <= parallel);
      bench.executor.finish(running[random() % running.size()]);
    }
    CHECK(bench.executor.starts() == ids_from(1, 12));
  }
}

TEST_CASE("task queue: as many tasks run at once as parallel_tasks says, fewer processors or more", "[bgproc]") {
  for (const std::uint32_t parallel : {1u, 2u, 4u, 7u}) {
    for (const std::uint32_t processor_count : {7u, 32u}) {
      QueueBench bench({parallel, false}, processor_count);
      bench.add(20);
      bench.executor.settle();
      CHECK(bench.executor.running() == ids_from(1, parallel));
      bench.executor.finish(1);
      CHECK(bench.executor.running() == ids_from(2, parallel + 1));
    }
  }
}

TEST_CASE("task queue: a task's context and what is known of it come with it", "[bgproc]") {
  QueueBench bench;
  bench.add(1, TaskInfo{42, 7'000});
  bench.add(1, TaskInfo{43, 0});
  bench.executor.finish_all();
  bench.queue->set_disabled(true);
  bench.add(1, TaskInfo{44, 1});
  CHECK(bench.ledger.entries.size() == 3);
  CHECK(bench.ledger.entries[1].info.subject == 42);
  CHECK(bench.ledger.entries[1].info.cpu_ps == 7'000);
  CHECK(bench.ledger.entries[2].info.subject == 43);
  CHECK(bench.ledger.entries[3].info.subject == 44);
  CHECK(bench.job(1).called == 1);
  CHECK(bench.job(2).called == 1);
  CHECK(bench.job(3).cancelled == 1);
}

TEST_CASE("task queue: a disabled queue cancels a task on the calling thread before the call returns", "[bgproc]") {
  QueueBench bench;
  bench.queue->set_disabled(true);
  for (std::uint64_t id = 1; id <= 5; ++id) {
    bench.add();
    CHECK(bench.job(id).cancelled == 1);
    CHECK(bench.queue->cancelled() == id);
  }
  CHECK(bench.queue->idle());
  bench.executor.settle();
  CHECK(bench.executor.starts().empty());
  CHECK(bench.called(1, 5) == 0);
  CHECK(bench.all_ended_once());

  std::thread::id cancelled_on;
  std::thread::id queued_on;
  const TaskMethod note = [](void* context) { *static_cast<std::thread::id*>(context) = std::this_thread::get_id(); };
  std::thread([&] {
    queued_on = std::this_thread::get_id();
    bench.queue->queue_processing_work(&Job::call, note, &cancelled_on);
  }).join();
  CHECK(cancelled_on == queued_on);
}

TEST_CASE("task queue: a queue that is enabled again runs what comes then", "[bgproc]") {
  QueueBench bench;
  for (std::uint64_t round = 0; round < 3; ++round) {
    bench.queue->set_disabled(true);
    bench.queue->set_disabled(true);
    bench.add(2);
    bench.queue->set_disabled(false);
    bench.queue->set_disabled(false);
    bench.add(2);
    CHECK(bench.cancelled(4 * round + 1, 4 * round + 2) == 2);
    CHECK(bench.cancelled(4 * round + 3, 4 * round + 4) == 0);
    bench.executor.settle();
    CHECK(bench.executor.running() == ids_from(4 * round + 3, 4 * round + 4));
    bench.executor.finish_all();
  }
  CHECK(bench.queue->finished() == 6);
  CHECK(bench.queue->cancelled() == 6);
  CHECK(bench.all_ended_once());
}

TEST_CASE("task queue: a cancelled task without a cancel is dropped without a word", "[bgproc]") {
  QueueBench bench;
  Job silent;
  bench.queue->set_disabled(true);
  CHECK(bench.queue->queue_processing_work(&Job::call, nullptr, &silent));
  CHECK(bench.queue->cancelled() == 1);
  CHECK(bench.ledger.entries[1].was_cancelled());
  bench.queue->set_disabled(false);
  for (int i = 0; i < 4; ++i) CHECK(bench.queue->queue_processing_work(&Job::call, nullptr, &silent));
  bench.executor.settle();
  bench.executor.finish(2);  // 3 and 4 run, 5 waits
  bench.queue->close();
  CHECK(silent.called == 3);
  CHECK(silent.cancelled == 0);
  CHECK(bench.queue->cancelled() == 2);
  CHECK(bench.ledger.entries[5].was_cancelled());
}

TEST_CASE("task queue: disabling lets the tasks that were queued finish, in order and two at a time", "[bgproc]") {
  for (const int begun : {0, 1, 2}) {
    QueueBench bench;
    bench.add(begun);
    bench.executor.settle();
    bench.add(6 - begun);
    bench.queue->set_disabled(true);
    CHECK(bench.cancelled(1, 6) == 0);
    bench.add(3);
    CHECK(bench.cancelled(7, 9) == 3);
    bench.executor.settle();
    CHECK(bench.executor.running() == TaskIds{1, 2});
    bench.executor.finish(2);
    CHECK(bench.executor.running() == TaskIds{1, 3});
    bench.executor.finish_all();
    CHECK(bench.called(1, 6) == 6);
    CHECK(bench.executor.starts() == ids_from(1, 6));
    CHECK(bench.all_ended_once());
  }
}

TEST_CASE("task queue: as of 2019, one task runs and disabling cancels those that have not begun", "[bgproc]") {
  for (const int tasks : {1, 2, 6}) {
    QueueBench bench(config_of_2019());
    const auto last = static_cast<std::uint64_t>(tasks);
    bench.add(tasks);
    bench.executor.settle();
    CHECK(bench.executor.running() == TaskIds{1});
    bench.queue->set_disabled(true);
    CHECK(bench.cancelled(1, last) == tasks - 1);
    CHECK(bench.job(1).cancelled == 0);
    bench.queue->set_disabled(true);
    CHECK(bench.cancelled(1, last) == tasks - 1);
    bench.executor.finish(1);
    CHECK(bench.executor.running().empty());
    bench.add();  // still disabled
    CHECK(bench.job(last + 1).cancelled == 1);
    bench.queue->set_disabled(false);
    bench.add();
    bench.executor.finish_all();
    CHECK(bench.job(last + 2).called == 1);
    CHECK(bench.all_ended_once());
  }
}

TEST_CASE("task queue: each of the two differences of 2019 may be had without the other", "[bgproc]") {
  QueueBench one_at_a_time({1, false});
  one_at_a_time.add(3);
  one_at_a_time.executor.settle();
  one_at_a_time.queue->set_disabled(true);
  CHECK(one_at_a_time.cancelled(1, 3) == 0);
  one_at_a_time.executor.finish_all();
  CHECK(one_at_a_time.called(1, 3) == 3);

  QueueBench cancelling({3, true});
  cancelling.add(7);
  cancelling.executor.settle();
  CHECK(cancelling.executor.running() == TaskIds{1, 2, 3});
  cancelling.queue->set_disabled(true);
  CHECK(cancelling.cancelled(4, 7) == 4);
  cancelling.executor.finish_all();
  CHECK(cancelling.called(1, 3) == 3);
  CHECK(cancelling.all_ended_once());
}

TEST_CASE("task queue: disabling on another thread cancels there", "[bgproc]") {
  QueueBench bench({2, true});
  std::vector<std::thread::id> threads;
  bench.add(4);
  for (std::uint64_t id = 1; id <= 4; ++id) {
    bench.job(id).when_cancelled = [&threads] { threads.push_back(std::this_thread::get_id()); };
  }
  std::thread::id disabled_on;
  std::thread([&] {
    disabled_on = std::this_thread::get_id();
    bench.queue->set_disabled(true);
  }).join();
  CHECK(threads == std::vector<std::thread::id>(4, disabled_on));
  CHECK(bench.queue->idle());
}

TEST_CASE("task queue: closing cancels what has not begun, once, and waits for what runs", "[bgproc]") {
  for (const bool by_destruction : {false, true}) {
    for (const int tasks : {0, 1, 2, 3, 8}) {
      QueueBench bench;
      const auto last = static_cast<std::uint64_t>(tasks);
      bench.add(tasks);
      bench.executor.settle();
      const int begun = std::min(tasks, 2);
      if (by_destruction) {
        bench.queue.reset();
      } else {
        bench.queue->close();
        CHECK(bench.queue->idle());
        CHECK(bench.queue->finished() == static_cast<std::uint64_t>(begun));
        CHECK(bench.queue->cancelled() == static_cast<std::uint64_t>(tasks - begun));
        bench.queue->close();
        bench.queue.reset();
      }
      CHECK(bench.called(1, last) == begun);
      CHECK(bench.cancelled(1, last) == tasks - begun);
      CHECK(bench.executor.running().empty());
      CHECK(bench.all_ended_once());
    }
  }
}

TEST_CASE("task queue: closing cancels everything while no worker has asked yet", "[bgproc]") {
  QueueBench bench;
  bench.add(3);
  bench.queue.reset();
  CHECK(bench.cancelled(1, 3) == 3);
  CHECK(bench.executor.starts().empty());
  CHECK(bench.all_ended_once());
}

TEST_CASE("task queue: a closed queue accepts no task and calls neither of its methods", "[bgproc]") {
  for (const bool disabled : {false, true}) {
    QueueBench bench;
    bench.add(2);
    bench.executor.finish_all();
    bench.queue->set_disabled(disabled);
    bench.queue->close();
    bench.add(3);
    bench.queue->set_disabled(!disabled);
    bench.add(1);
    CHECK(std::count(bench.accepted.begin(), bench.accepted.end(), true) == 2);
    bench.executor.settle();
    CHECK(bench.queue->queued() == 2);
    CHECK(bench.queue->cancelled() == 0);
    CHECK(bench.all_ended_once());
  }
}

TEST_CASE("task queue: a task without a callback is refused", "[bgproc]") {
  QueueBench bench;
  Job job;
  CHECK_THROWS_AS(bench.queue->queue_processing_work(nullptr, &Job::cancel, &job), std::invalid_argument);
  CHECK_THROWS_AS(bench.queue->queue_processing_work(nullptr, nullptr, nullptr), std::invalid_argument);
  bench.queue->set_disabled(true);
  CHECK_THROWS_AS(bench.queue->queue_processing_work(nullptr, &Job::cancel, &job), std::invalid_argument);
  CHECK(job.cancelled == 0);
  CHECK(bench.queue->queued() == 0);
  CHECK(bench.queue->idle());
}

TEST_CASE("task queue: the counters tell what became of each task", "[bgproc]") {
  QueueBench bench;
  const auto counters = [&bench] {
    const TaskCounts counts = bench.queue->counts();
    CHECK(counts.queued == counts.finished + counts.cancelled + counts.pending());
    CHECK((counts.pending() == 0) == bench.queue->idle());
    return TaskIds{bench.queue->queued(), bench.queue->finished(), bench.queue->cancelled(), bench.queue->idle()};
  };
  CHECK(counters() == TaskIds{0, 0, 0, true});
  bench.add(4);
  CHECK(counters() == TaskIds{4, 0, 0, false});
  bench.executor.settle();
  CHECK(counters() == TaskIds{4, 0, 0, false});
  bench.executor.finish(2);
  CHECK(counters() == TaskIds{4, 1, 0, false});
  bench.queue->set_disabled(true);
  bench.add(3);
  CHECK(counters() == TaskIds{7, 1, 3, false});
  bench.executor.finish_all();
  CHECK(counters() == TaskIds{7, 4, 3, true});
  CHECK(bench.queue->priority() == TaskPriority::idle);
}

TEST_CASE("task queue: without a listener it does the same", "[bgproc]") {
  ManualExecutor executor(4);
  std::vector<Job> jobs(6);
  TaskQueue queue({}, executor);
  for (std::size_t i = 0; i < 4; ++i) CHECK(queue.queue_processing_work(&Job::call, &Job::cancel, &jobs[i]));
  executor.settle();
  executor.finish(1);
  queue.set_disabled(true);
  CHECK(queue.queue_processing_work(&Job::call, &Job::cancel, &jobs[4]));
  queue.close();  // 2 and 3 run, 4 waits
  CHECK_FALSE(queue.queue_processing_work(&Job::call, &Job::cancel, &jobs[5]));
  std::vector<std::pair<int, int>> ends;
  for (const Job& job : jobs) ends.emplace_back(job.called, job.cancelled);
  CHECK(ends == std::vector<std::pair<int, int>>{{1, 0}, {1, 0}, {1, 0}, {0, 1}, {0, 1}, {0, 0}});
}
