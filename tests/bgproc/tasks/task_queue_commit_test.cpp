// SPDX-License-Identifier: Apache-2.0
// The task queue's commits: which tasks are waited for, and what a high priority changes.
#include "bgproc/tasks/task_queue.hpp"
#include "tests/bgproc/tasks/manual_executor.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <thread>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

using Counts = std::deque<int>;

/// Everybody agrees that tasks are boosted, or that they are not.
bool is_boosted(const QueueBench& bench) {
  const TaskPriority priority = bench.queue->priority();
  CHECK(bench.executor.priority() == priority);
  return priority == TaskPriority::boosted;
}

}  // namespace

TEST_CASE("task queue: a commit of nothing completes before the call returns", "[bgproc]") {
  QueueBench bench;
  bench.commit();
  CHECK(bench.completed == Counts{1});
  bench.commit(true);
  CHECK(bench.completed == Counts{1, 1});
  CHECK_FALSE(is_boosted(bench));
  bench.add(2);
  bench.executor.finish_all();
  bench.commit();
  bench.queue->set_disabled(true);
  bench.add(3);  // are cancelled at once: nothing to wait for
  bench.commit(true);
  CHECK(bench.completed == Counts{1, 1, 1, 1});
  CHECK_FALSE(is_boosted(bench));
  CHECK(bench.commit_ids == TaskIds{1, 2, 3, 4});
  bench.queue->close();
  bench.commit();
  CHECK(bench.completed == Counts{1, 1, 1, 1, 1});
}

TEST_CASE("task queue: a commit completes on the thread that ends its last task, or that has none", "[bgproc]") {
  QueueBench bench;
  std::thread::id completed_on;
  const auto note = [&completed_on] { completed_on = std::this_thread::get_id(); };
  std::thread::id other;
  std::thread([&] {
    other = std::this_thread::get_id();
    bench.queue->commit(false, note);
  }).join();
  CHECK(completed_on == other);
  bench.add(2);
  bench.executor.settle();
  bench.queue->commit(false, note);
  bench.executor.finish(1);
  CHECK(completed_on == other);
  std::thread([&] {
    other = std::this_thread::get_id();
    bench.executor.finish(2);
  }).join();
  CHECK(completed_on == other);
}

TEST_CASE("task queue: a commit waits for all that is queued or runs, and for nothing that comes later", "[bgproc]") {
  for (const int begun : {0, 1, 2}) {
    for (const int before : {2, 3, 6}) {
      for (const int later : {0, 1, 5}) {
        QueueBench bench;
        const auto last = static_cast<std::uint64_t>(before);
        bench.add(begun);
        bench.executor.settle();
        bench.add(before - begun);
        bench.commit();
        bench.add(later);
        bench.executor.settle();
        for (std::uint64_t id = 1; id <= last; ++id) {
          CHECK(bench.completed == Counts{0});
          bench.executor.finish(id);
        }
        CHECK(bench.completed == Counts{1});
        bench.executor.finish_all();
        CHECK(bench.completed == Counts{1});
        CHECK(bench.all_ended_once());
      }
    }
  }
}

TEST_CASE("task queue: a commit waits for its slowest task, whatever else ends", "[bgproc]") {
  QueueBench bench;
  bench.add(3);
  bench.executor.settle();
  bench.commit();
  bench.add(3);
  for (const std::uint64_t id : {2, 3, 4, 5, 6}) {  // 1 runs all the time
    bench.executor.finish(id);
    CHECK(bench.completed == Counts{0});
  }
  bench.executor.finish(1);
  CHECK(bench.completed == Counts{1});
}

TEST_CASE("task queue: tasks that had ended before a commit do not count", "[bgproc]") {
  QueueBench bench;
  bench.add(4);
  bench.executor.settle();
  bench.executor.finish(2);
  bench.executor.finish(3);  // 1 and 4 run
  bench.commit();
  bench.executor.finish(4);
  CHECK(bench.completed == Counts{0});
  bench.executor.finish(1);
  CHECK(bench.completed == Counts{1});
}

TEST_CASE("task queue: commits that overlap complete each with its own set", "[bgproc]") {
  QueueBench bench;
  bench.add(2);
  bench.executor.settle();
  bench.commit();  // 1, 2
  bench.add(1);
  bench.commit();  // 1, 2, 3
  bench.add(1);
  bench.executor.finish(1);
  bench.commit();  // 2, 3, 4
  CHECK(bench.completed == Counts{0, 0, 0});
  SECTION("in order") {
    bench.executor.finish(2);
    CHECK(bench.completed == Counts{1, 0, 0});
    bench.executor.finish(3);
    CHECK(bench.completed == Counts{1, 1, 0});
    bench.executor.finish(4);
  }
  SECTION("all at once with the oldest task") {
    bench.executor.finish(3);
    CHECK(bench.completed == Counts{0, 0, 0});
    bench.executor.finish(4);
    CHECK(bench.completed == Counts{0, 0, 0});
    bench.executor.finish(2);
  }
  SECTION("the first two together") {
    bench.executor.finish(3);
    CHECK(bench.completed == Counts{0, 0, 0});
    bench.executor.finish(2);
    CHECK(bench.completed == Counts{1, 1, 0});
    bench.executor.finish(4);
  }
  CHECK(bench.completed == Counts{1, 1, 1});
  CHECK(bench.commit_ids == TaskIds{1, 2, 3});
}

TEST_CASE("task queue: two commits of one set both complete with it", "[bgproc]") {
  QueueBench bench;
  bench.add(1);
  for (int i = 0; i < 4; ++i) bench.commit();
  bench.executor.settle();
  CHECK(bench.completed == Counts{0, 0, 0, 0});
  bench.executor.finish(1);
  CHECK(bench.completed == Counts{1, 1, 1, 1});
}

TEST_CASE("task queue: a commit needs nobody to tell", "[bgproc]") {
  QueueBench bench;
  CHECK(bench.queue->commit(false, {}) == 1);
  bench.add(2);
  CHECK(bench.queue->commit(true, {}) == 2);
  CHECK(is_boosted(bench));
  bench.executor.finish_all();
  CHECK_FALSE(is_boosted(bench));
  CHECK(bench.queue->idle());
}

TEST_CASE("task queue: a cancelled task counts as finished for its commit", "[bgproc]") {
  QueueBench all({2, true});
  all.add(3);
  all.commit();
  all.queue->set_disabled(true);  // nothing has begun
  CHECK(all.completed == Counts{1});

  QueueBench some({2, true});
  some.add(5);
  some.executor.settle();
  some.commit();
  some.queue->set_disabled(true);
  CHECK(some.cancelled(3, 5) == 3);
  CHECK(some.completed == Counts{0});
  some.executor.finish(2);
  CHECK(some.completed == Counts{0});
  some.executor.finish(1);
  CHECK(some.completed == Counts{1});
}

TEST_CASE("task queue: a commit's set runs on when new tasks are disabled", "[bgproc]") {
  for (const bool high_priority : {false, true}) {
    QueueBench bench;
    bench.add(5);
    bench.commit(high_priority);
    bench.queue->set_disabled(true);
    bench.add(2);
    CHECK(bench.cancelled(6, 7) == 2);
    CHECK(bench.completed == Counts{0});
    bench.executor.finish_all();
    CHECK(bench.called(1, 5) == 5);
    CHECK(bench.completed == Counts{1});
  }
}

TEST_CASE("task queue: a commit that is pending at the close completes", "[bgproc]") {
  for (const bool high_priority : {false, true}) {
    for (const bool settled : {false, true}) {
      for (const int tasks : {1, 2, 7}) {
        QueueBench bench;
        bench.add(tasks);
        bench.commit(high_priority);
        if (settled) bench.executor.settle();
        bench.add(1);
        bench.commit();
        CHECK(bench.completed == Counts{0, 0});
        bench.queue.reset();
        CHECK(bench.completed == Counts{1, 1});
        CHECK(bench.all_ended_once());
      }
    }
  }
}

TEST_CASE("task queue: listeners hear the first commit that waits for a task", "[bgproc]") {
  QueueBench bench({2, true});
  bench.add(3);
  bench.executor.settle();  // 1 and 2 begin before there is a commit
  bench.executor.finish(1);
  bench.commit();  // 2 and 3
  bench.add(1);
  bench.commit();  // 2, 3 and 4
  bench.add(1);
  bench.executor.finish(2);
  bench.executor.finish(3);
  bench.add(1);
  bench.queue->set_disabled(true);  // 4 and 5 run, 6 is cancelled
  bench.executor.finish_all();
  TaskIds at_start;
  TaskIds at_end;
  for (const auto& [id, entry] : bench.ledger.entries) {
    at_start.push_back(entry.commit_at_start);
    at_end.push_back(entry.commit_at_end);
  }
  CHECK(at_start == TaskIds{0, 0, 0, 2, 0, 0});  // 3 began when 1 finished, before the first commit
  CHECK(at_end == TaskIds{0, 1, 1, 2, 0, 0});
}

TEST_CASE("task queue: a commit of high priority uses all processors and boosts, until its set has finished",
          "[bgproc]") {
  for (const std::uint32_t processor_count : {3u, 4u, 16u}) {
    for (const int begun : {0, 1, 2}) {
      for (const int tasks : {3, 4, 5, 20}) {
        QueueBench bench({}, processor_count);
        const auto last = static_cast<std::uint64_t>(tasks);
        bench.add(begun);
        bench.executor.settle();
        bench.add(tasks - begun);
        CHECK_FALSE(is_boosted(bench));
        bench.commit(true);
        CHECK(is_boosted(bench));
        bench.executor.settle();
        for (std::uint64_t id = 1; id <= last; ++id) {
          CHECK(bench.executor.running() == ids_from(id, std::min<std::uint64_t>(last, id + processor_count - 1)));
          CHECK(is_boosted(bench));
          CHECK(bench.completed == Counts{0});
          bench.executor.finish(id);
        }
        CHECK_FALSE(is_boosted(bench));
        CHECK(bench.completed == Counts{1});
        bench.add(5);
        bench.executor.settle();
        CHECK(bench.executor.running() == ids_from(last + 1, last + 2));
        for (std::uint64_t id = 1; id <= last; ++id) {
          const bool idle = id <= static_cast<std::uint64_t>(begun);
          CHECK(bench.ledger.entries[id].priority == (idle ? TaskPriority::idle : TaskPriority::boosted));
        }
      }
    }
  }
}

TEST_CASE("task queue: a commit of plain priority changes nothing about how tasks run", "[bgproc]") {
  QueueBench bench({}, 8);
  bench.add(6);
  bench.commit();
  CHECK_FALSE(is_boosted(bench));
  bench.executor.settle();
  CHECK(bench.executor.running() == TaskIds{1, 2});
}

TEST_CASE("task queue: tasks queued after a commit of high priority are boosted while it lasts", "[bgproc]") {
  QueueBench bench({}, 4);
  bench.add(1);
  bench.commit(true);
  bench.add(6);
  bench.executor.settle();
  CHECK(bench.executor.running() == TaskIds{1, 2, 3, 4});
  bench.executor.finish(3);
  CHECK(bench.executor.running() == TaskIds{1, 2, 4, 5});
  CHECK(is_boosted(bench));
  bench.executor.finish(1);  // the set
  CHECK(bench.completed == Counts{1});
  CHECK_FALSE(is_boosted(bench));
  CHECK(bench.executor.running() == TaskIds{2, 4, 5});  // they go on, but no other begins
  bench.executor.finish(4);
  CHECK(bench.executor.running() == TaskIds{2, 5});
  bench.executor.finish(5);
  CHECK(bench.executor.running() == TaskIds{2, 6});
  bench.executor.finish(2);
  CHECK(bench.executor.running() == TaskIds{6, 7});
  for (std::uint64_t id = 1; id <= 5; ++id) CHECK(bench.ledger.entries[id].priority == TaskPriority::boosted);
  for (std::uint64_t id = 6; id <= 7; ++id) CHECK(bench.ledger.entries[id].priority == TaskPriority::idle);
}

TEST_CASE("task queue: workers that ask only after the boost has ended begin no third task", "[bgproc]") {
  QueueBench bench({}, 8);
  bench.add(1);
  bench.executor.settle();
  bench.commit(true);
  bench.add(9);                // several workers are woken, none asks yet
  bench.executor.end_task(1);  // the set
  CHECK_FALSE(is_boosted(bench));
  bench.executor.settle();
  CHECK(bench.executor.running() == TaskIds{2, 3});
}

TEST_CASE("task queue: a boost lasts until the last commit of high priority has its set finished", "[bgproc]") {
  QueueBench bench({}, 3);
  bench.add(1);
  bench.executor.settle();
  bench.commit(true);  // 1
  bench.add(1);
  bench.commit(true);  // 1 and 2
  bench.add(1);
  bench.commit();  // 1, 2 and 3, but of plain priority
  bench.add(5);
  bench.executor.settle();
  CHECK(bench.executor.running() == TaskIds{1, 2, 3});
  bench.executor.finish(1);
  CHECK(bench.completed == Counts{1, 0, 0});
  CHECK(is_boosted(bench));
  CHECK(bench.executor.running() == TaskIds{2, 3, 4});
  bench.executor.finish(2);
  CHECK(bench.completed == Counts{1, 1, 0});
  CHECK_FALSE(is_boosted(bench));
  CHECK(bench.executor.running() == TaskIds{3, 4});
  bench.executor.finish(3);
  CHECK(bench.completed == Counts{1, 1, 1});
}

TEST_CASE("task queue: a boost ends when the last task of its commit is cancelled", "[bgproc]") {
  QueueBench bench({2, true}, 4);
  bench.add(3);
  bench.commit(true);
  CHECK(is_boosted(bench));
  bench.queue->set_disabled(true);
  CHECK(bench.completed == Counts{1});
  CHECK_FALSE(is_boosted(bench));
  bench.queue->set_disabled(false);
  bench.add(4);
  bench.executor.settle();
  CHECK(bench.executor.running() == TaskIds{4, 5});
}
