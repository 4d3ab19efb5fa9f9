// SPDX-License-Identifier: Apache-2.0
#include "tests/bgproc/tasks/host_bench.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

TEST_CASE("host executor: a task that is to take no CPU time, or says none, runs as any other", "[bgproc]") {
  HostExecutor executor;
  RunKeeper runs;
  TaskQueue queue({}, executor, &runs);
  std::deque<HostJob> jobs(3);
  const std::vector<std::optional<std::uint64_t>> times{0, std::nullopt, 1'000'000};
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    CHECK(queue.queue_processing_work(&HostJob::call, &HostJob::cancel, &jobs[i], {0, times[i]}));
  }
  wait_for_tasks(queue);
  for (const HostJob& job : jobs) CHECK((job.called == 1 && job.cancelled == 0));
  CHECK(runs.runs.size() == 3);
}

TEST_CASE("host executor: tasks queued from several threads are each called once, at most two at a time", "[bgproc]") {
  for (const auto& [threads, each] : std::vector<std::pair<int, int>>{{1, 1}, {1, 3}, {2, 10}, {8, 2000}}) {
    Occupancy occupancy;
    HostExecutor executor;
    const auto share = static_cast<std::size_t>(each);
    const std::size_t tasks = static_cast<std::size_t>(threads) * share;
    std::deque<HostJob> jobs(tasks);
    for (HostJob& job : jobs) {
      job.action = [&occupancy] {
        occupancy.enter();
        std::this_thread::yield();
        occupancy.leave();
      };
    }
    std::atomic<int> refused{0};
    TaskQueue queue({}, executor);
    on_host_threads(threads, [&](int thread) {
      const std::size_t first = static_cast<std::size_t>(thread) * share;
      for (std::size_t i = first; i < first + share; ++i) {
        if (!jobs[i].queue_in(queue)) ++refused;
      }
    });
    wait_for_tasks(queue);
    CHECK(refused == 0);
    CHECK(occupancy.most() <= 2);
    CHECK(std::all_of(jobs.begin(), jobs.end(), [](const HostJob& j) { return j.called == 1 && j.cancelled == 0; }));
    CHECK(queue.finished() == tasks);
  }
}

TEST_CASE("host executor: one at a time, the tasks of each queueing thread run in order", "[bgproc]") {
  constexpr int each = 200;
  for (const int crew : {1, 6}) {
    HostExecutor executor;
    std::vector<std::vector<int>> orders(static_cast<std::size_t>(crew));  // one task writes at a time
    std::deque<HostJob> jobs(static_cast<std::size_t>(crew * each));
    TaskQueue queue({1, false}, executor);
    on_host_threads(crew, [&](int thread) {
      auto& order = orders[static_cast<std::size_t>(thread)];
      for (int i = 0; i < each; ++i) {
        HostJob& job = jobs[static_cast<std::size_t>(thread) * each + static_cast<std::size_t>(i)];
        job.action = [&order, i] { order.push_back(i); };
        job.queue_in(queue);
      }
    });
    wait_for_tasks(queue);
    for (const std::vector<int>& order : orders) {
      CHECK(order.size() == static_cast<std::size_t>(each));
      CHECK(std::is_sorted(order.begin(), order.end()));
    }
  }
}

TEST_CASE("host executor: a disabled queue cancels on the thread that queues", "[bgproc]") {
  HostExecutor executor;
  TaskQueue queue({}, executor);
  queue.set_disabled(true);
  std::atomic<int> elsewhere{0};
  on_host_threads(8, [&](int) {
    for (int i = 0; i < 100; ++i) {
      std::thread::id where;
      const TaskMethod note = [](void* context) {
        *static_cast<std::thread::id*>(context) = std::this_thread::get_id();
      };
      queue.queue_processing_work(&HostJob::call, note, &where);
      if (where != std::this_thread::get_id()) ++elsewhere;
    }
  });
  CHECK(elsewhere == 0);
  CHECK(queue.cancelled() == 800);
  CHECK(queue.finished() == 0);
}

TEST_CASE("host executor: tasks run on idle threads", "[bgproc]") {
  HostExecutor executor;
  std::mutex mutex;
  std::vector<Scheduling> seen;
  const std::thread::id here = std::this_thread::get_id();
  std::atomic<int> here_too{0};
  std::deque<HostJob> jobs(20);
  TaskQueue queue({}, executor);
  for (HostJob& job : jobs) {
    job.action = [&] {
      const std::lock_guard lock(mutex);
      seen.emplace_back();
      if (std::this_thread::get_id() == here) ++here_too;
    };
    job.queue_in(queue);
  }
  wait_for_tasks(queue);
  CHECK(executor.processors() >= 1);
  CHECK(seen.size() == 20);
  for (const Scheduling& one : seen) CHECK(is_idle(one, executor));
  CHECK(here_too == 0);
}

TEST_CASE("host executor: a commit of high priority boosts what begins while it lasts, then all is idle again",
          "[bgproc]") {
  HostExecutor executor;
  HostDoor committed;
  HostDoor begun;
  Scheduling before;
  std::vector<Scheduling> during(3);
  Scheduling after;
  std::deque<HostJob> jobs(3);
  HostJob later;
  TaskQueue queue({1, false}, executor);
  jobs[0].action = [&] {
    before = Scheduling();
    begun.open();
    committed.wait();
    during[0] = Scheduling();
  };
  for (std::size_t i = 1; i < 3; ++i) jobs[i].action = [&during, i] { during[i] = Scheduling(); };
  for (HostJob& job : jobs) job.queue_in(queue);
  begun.wait();
  HostDoor finished;
  queue.commit(true, [&finished] { finished.open(); });
  CHECK(queue.priority() == TaskPriority::boosted);
  committed.open();
  finished.wait();
  CHECK(is_idle(before, executor));
  CHECK(is_idle(during[0], executor));  // it ran already
  for (std::size_t i = 1; i < 3; ++i) CHECK(is_boosted(during[i]));
  later.action = [&after] { after = Scheduling(); };
  // One after another: nothing says that the first to come after the completion is idle already.
  for (int i = 0; i < 20; ++i) {
    later.queue_in(queue);
    wait_for_tasks(queue);
  }
  CHECK(is_idle(after, executor));
  CHECK(queue.priority() == TaskPriority::idle);
}

TEST_CASE("host executor: a commit of high priority runs several tasks at once where there are processors",
          "[bgproc]") {
  HostExecutor executor;
  const auto wanted = static_cast<int>(std::min<std::uint32_t>(executor.processors(), 4));
  std::atomic<int> met{0};
  std::deque<HostJob> jobs(4);
  TaskQueue queue({1, false}, executor);
  HostDoor all_queued;
  HostJob first;
  first.action = [&] { all_queued.wait(); };
  first.queue_in(queue);
  for (HostJob& job : jobs) {
    // Each waits until as many have begun as can at once: one at a time they never would.
    job.action = [&] {
      ++met;
      while (met < wanted) std::this_thread::yield();
    };
    job.queue_in(queue);
  }
  HostDoor finished;
  queue.commit(true, [&finished] { finished.open(); });
  all_queued.open();
  finished.wait();
  CHECK(met == 4);
}

TEST_CASE("host executor: destroying a queue waits for what runs and cancels the rest there", "[bgproc]") {
  for (const std::uint32_t parallel : {1u, 2u, 3u}) {
    HostExecutor executor;
    HostDoor begun;
    HostDoor ending;
    std::atomic<int> starts{0};
    std::deque<HostJob> jobs(parallel + 5);
    RunKeeper keeper;
    std::thread opener;
    {
      TaskQueue queue({parallel, false}, executor, &keeper);
      for (HostJob& job : jobs) {
        job.action = [&] {
          ++starts;
          begun.open();
          ending.wait();
        };
        job.queue_in(queue);
      }
      begun.wait();
      opener = std::thread([&] {
        while (keeper.cancelled == 0) std::this_thread::yield();  // until it is being destroyed
        ending.open();
      });
    }
    opener.join();
    int called = 0;
    for (const HostJob& job : jobs) {
      CHECK(job.called + job.cancelled == 1);
      called += job.called;
    }
    CHECK(called == starts);
    CHECK(called >= 1);
    CHECK(called <= static_cast<int>(parallel));
    CHECK(keeper.started == called);
    CHECK(keeper.runs.size() == static_cast<std::size_t>(called));
    CHECK(keeper.cancelled == static_cast<int>(jobs.size()) - called);
  }
}

TEST_CASE("host executor: a run's CPU time is what the task has burnt", "[bgproc]") {
  HostExecutor executor;
  RunKeeper keeper;
  std::array<std::uint64_t, 3> burnt{};
  std::deque<HostJob> jobs(3);
  {
    TaskQueue queue({1, false}, executor, &keeper);
    for (std::size_t i = 0; i < 3; ++i) {
      jobs[i].action = [&burnt, i] {
        const std::uint64_t begin = thread_cpu_ns();
        while (thread_cpu_ns() < begin + 2'000'000 * (i + 1)) {
        }
        burnt[i] = thread_cpu_ns() - begin;
      };
      jobs[i].queue_in(queue);
    }
    wait_for_tasks(queue);
  }
  REQUIRE(keeper.runs.size() == 3);
  for (const auto& [id, run] : keeper.runs) {
    REQUIRE(id >= 1);
    REQUIRE(id <= 3);
    CHECK(run.cpu_ps / 1000 >= burnt[id - 1] / 2);  // half, for clocks that tick coarsely
    CHECK(run.priority == TaskPriority::idle);
  }
}
