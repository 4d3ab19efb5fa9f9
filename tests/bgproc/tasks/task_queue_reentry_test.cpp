// SPDX-License-Identifier: Apache-2.0
// The task queue called from inside what it calls: tasks, cancels, completions, listeners.
#include "bgproc/tasks/task_queue.hpp"
#include "tests/bgproc/tasks/manual_executor.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

TEST_CASE("task queue: a task may queue further ones, which come behind those that wait", "[bgproc]") {
  QueueBench bench;
  bench.add(4);
  bench.job(1).when_called = [&bench] { bench.add(2); };
  bench.job(3).when_called = [&bench] { bench.add(1); };
  bench.executor.finish_all();
  CHECK(bench.executor.starts() == ids_from(1, 7));
  CHECK(bench.called(1, 7) == 7);
  CHECK(bench.all_ended_once());
}

TEST_CASE("task queue: a chain of tasks that queue each other runs to its end", "[bgproc]") {
  QueueBench bench({1, false});
  constexpr std::uint64_t chain = 50;
  std::function<void()> link = [&] {
    if (bench.jobs.size() == chain) return;
    bench.add();
    bench.jobs.back().when_called = link;
  };
  link();
  bench.executor.finish_all();
  CHECK(bench.queue->finished() == chain);
  CHECK(bench.queue->idle());
  CHECK(bench.all_ended_once());
}

TEST_CASE("task queue: tasks queued by a commit's task do not delay the commit", "[bgproc]") {
  QueueBench bench;
  bench.add(2);
  bench.job(2).when_called = [&bench] { bench.add(3); };
  bench.commit();
  bench.executor.settle();
  bench.executor.finish(2);
  bench.executor.finish(1);
  CHECK(bench.completed == std::deque<int>{1});
  CHECK_FALSE(bench.queue->idle());
  bench.executor.finish_all();
  CHECK(bench.called(1, 5) == 5);
}

TEST_CASE("task queue: a task may disable and enable it", "[bgproc]") {
  QueueBench bench;
  bench.add(3);
  bench.job(1).when_called = [&bench] {
    bench.queue->set_disabled(true);
    bench.add();
  };
  bench.job(2).when_called = [&bench] {
    bench.queue->set_disabled(false);
    bench.add();
  };
  bench.executor.settle();
  bench.executor.finish(1);
  CHECK(bench.job(4).cancelled == 1);
  bench.executor.finish(2);
  CHECK(bench.job(5).cancelled == 0);
  bench.executor.finish_all();
  CHECK(bench.job(5).called == 1);
  CHECK(bench.all_ended_once());

  QueueBench cancelling({2, true});
  cancelling.add(5);
  cancelling.job(1).when_called = [&cancelling] { cancelling.queue->set_disabled(true); };
  cancelling.executor.finish_all();
  CHECK(cancelling.called(1, 2) == 2);
  CHECK(cancelling.cancelled(3, 5) == 3);
  CHECK(cancelling.all_ended_once());
}

TEST_CASE("task queue: a task that commits is in the set itself", "[bgproc]") {
  for (const bool high_priority : {false, true}) {
    QueueBench bench;
    bench.add(1);
    bench.job(1).when_called = [&bench, high_priority] {
      bench.commit(high_priority);
      CHECK(bench.completed == std::deque<int>{0});
    };
    bench.executor.finish_all();
    CHECK(bench.completed == std::deque<int>{1});
    CHECK(bench.queue->priority() == TaskPriority::idle);
  }
}

TEST_CASE("task queue: a cancel may queue a task, which is cancelled too", "[bgproc]") {
  QueueBench bench;
  bench.queue->set_disabled(true);
  Job& first = bench.jobs.emplace_back();
  bench.accepted.push_back(true);
  first.when_cancelled = [&bench] { bench.add(); };
  CHECK(bench.queue->queue_processing_work(&Job::call, &Job::cancel, &first));
  CHECK(bench.cancelled(1, 2) == 2);
  CHECK(bench.queue->cancelled() == 2);
  CHECK(bench.all_ended_once());
}

TEST_CASE("task queue: a cancel may enable it and queue a task, which runs", "[bgproc]") {
  QueueBench bench({2, true});
  bench.add(3);
  bench.job(3).when_cancelled = [&bench] {
    bench.queue->set_disabled(false);
    bench.add();
  };
  bench.queue->set_disabled(true);
  CHECK(bench.cancelled(1, 3) == 3);
  bench.executor.finish_all();
  CHECK(bench.job(4).called == 1);
  CHECK(bench.all_ended_once());
}

TEST_CASE("task queue: a cancel may commit, and ask what there is", "[bgproc]") {
  QueueBench bench({2, true});
  bench.add(4);
  bench.executor.settle();
  bool was_idle = true;
  bench.job(4).when_cancelled = [&] {
    bench.commit();  // 1 and 2 run
    was_idle = bench.queue->idle();
  };
  bench.queue->set_disabled(true);
  CHECK_FALSE(was_idle);
  CHECK(bench.queue->cancelled() == 2);
  CHECK(bench.completed == std::deque<int>{0});
  bench.executor.finish_all();
  CHECK(bench.completed == std::deque<int>{1});
}

TEST_CASE("task queue: while it closes, a cancel's and a running task's new work is refused", "[bgproc]") {
  QueueBench bench;
  bench.add(4);
  bench.executor.settle();
  bench.job(1).when_called = [&bench] { bench.add(); };
  bench.job(4).when_cancelled = [&bench] {
    bench.add();
    bench.queue->set_disabled(true);
    bench.commit();
  };
  bench.queue->close();
  CHECK(bench.accepted == std::deque<bool>{true, true, true, true, false, false});
  CHECK(bench.called(1, 2) == 2);
  CHECK(bench.cancelled(3, 4) == 2);
  CHECK(bench.completed == std::deque<int>{1});
  CHECK(bench.all_ended_once());
}

TEST_CASE("task queue: a completion may queue, commit and disable", "[bgproc]") {
  QueueBench bench;
  int completions = 0;
  const auto next = [&] {
    ++completions;
    bench.add(2);
    bench.commit(true);
    bench.queue->set_disabled(true);
    bench.add(1);
  };
  bench.add(1);
  bench.queue->commit(true, next);
  bench.executor.settle();
  bench.executor.finish(1);
  CHECK(completions == 1);
  CHECK(bench.cancelled(2, 4) == 1);
  CHECK(bench.job(4).cancelled == 1);
  CHECK(bench.completed == std::deque<int>{0});
  CHECK(bench.queue->priority() == TaskPriority::boosted);
  CHECK(bench.executor.priority() == TaskPriority::boosted);
  bench.executor.finish_all();
  CHECK(bench.completed == std::deque<int>{1});
  CHECK(bench.executor.priority() == TaskPriority::idle);
  CHECK(bench.all_ended_once());
}

TEST_CASE("task queue: the completion of an empty set may commit again", "[bgproc]") {
  QueueBench bench;
  int depth = 0;
  std::function<void()> again = [&] {
    if (++depth < 20) bench.queue->commit(depth % 2 == 0, again);
  };
  CHECK(bench.queue->commit(false, again) == 1);
  CHECK(depth == 20);
  CHECK(bench.queue->commit(false, {}) == 21);
}

TEST_CASE("task queue: a listener may queue, commit and disable wherever it hears of a task", "[bgproc]") {
  enum class Heard { start, end, cancel };
  for (const Heard where : {Heard::start, Heard::end, Heard::cancel}) {
    QueueBench bench({2, true});
    bool done = false;  // once is enough
    const auto act = [&](std::uint64_t) {
      if (done) return;
      done = true;
      bench.queue->set_disabled(false);
      bench.add(3);
      bench.commit();
      bench.commit(true);
      bench.queue->idle();
      bench.queue->set_disabled(true);
    };
    if (where == Heard::start) bench.ledger.when_started = act;
    if (where == Heard::end) bench.ledger.when_finished = act;
    if (where == Heard::cancel) bench.ledger.when_cancelled = act;
    bench.add(4);
    bench.executor.settle();
    if (!bench.executor.running().empty()) bench.executor.finish(bench.executor.running().front());
    bench.queue->set_disabled(true);
    bench.add(1);
    bench.executor.finish_all();
    CHECK(done);
    CHECK(bench.completed == std::deque<int>{1, 1});
    CHECK(bench.queue->idle());
    CHECK(bench.queue->priority() == TaskPriority::idle);
    CHECK(bench.all_ended_once());
  }
}

TEST_CASE("task queue: a listener hears a task's start before its callback and its end behind it", "[bgproc]") {
  QueueBench bench;
  std::vector<std::string> heard;
  bench.ledger.when_started = [&](std::uint64_t id) { heard.push_back("start " + std::to_string(id)); };
  bench.ledger.when_finished = [&](std::uint64_t id) { heard.push_back("end " + std::to_string(id)); };
  bench.add(2);
  for (std::uint64_t id = 1; id <= 2; ++id) {
    bench.job(id).when_called = [&heard, id] { heard.push_back("call " + std::to_string(id)); };
  }
  bench.executor.settle();
  bench.executor.finish(2);
  bench.executor.finish(1);
  CHECK(heard == std::vector<std::string>{"start 1", "start 2", "call 2", "end 2", "call 1", "end 1"});
}
