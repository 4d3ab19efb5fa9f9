// SPDX-License-Identifier: Apache-2.0
// The task queue on real threads: nothing is lost or done twice, whatever threads, modes and destruction do.
#include "bgproc/tasks/host_executor.hpp"
#include "bgproc/tasks/task_queue.hpp"

#include <catch2/catch.hpp>

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

using namespace fenceline;

namespace {

/// Counts what becomes of each task of a crew.
struct Counted {
  std::atomic<int> run{0};
  std::atomic<int> cancelled{0};
  static void run_one(void* context) { ++static_cast<Counted*>(context)->run; }
  static void cancel_one(void* context) { ++static_cast<Counted*>(context)->cancelled; }
};

/// Something to wait for.
class Gate {
 public:
  void open() {
    const std::lock_guard held(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void wait() {
    std::unique_lock held(mutex_);
    changed_.wait(held, [this] { return open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
};

void in_threads(int threads, const std::function<void(int)>& body) {
  std::vector<std::thread> crew;
  crew.reserve(static_cast<std::size_t>(threads));
  for (int i = 0; i < threads; ++i) crew.emplace_back(body, i);
  for (std::thread& one : crew) one.join();
}

/// A task that notes how many of its kind run, and at which priority.
struct Watched {
  std::atomic<int> running{0};
  std::atomic<int> most{0};
  std::atomic<int> done{0};
  std::atomic<int> idle{0};
  static void run_one(void* context) {
    auto& self = *static_cast<Watched*>(context);
    const int now = ++self.running;
    for (int most = self.most; now > most && !self.most.compare_exchange_weak(most, now);) {
    }
    const int policy = sched_getscheduler(0);
    if (policy == SCHED_IDLE) ++self.idle;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    --self.running;
    ++self.done;
  }
};

}  // namespace

TEST_CASE("task queue: from several threads each task is run once", "[bgproc]") {
  for (const auto& [threads, each] : {std::pair{1, 1}, {2, 2}, {2, 100}, {8, 2000}}) {
    HostExecutor executor;
    Counted counted;
    Gate finished;
    {
      TaskQueue queue({}, executor);
      in_threads(threads, [&, count = each](int) {
        for (int i = 0; i < count; ++i) queue.queue_processing_work(&Counted::run_one, &Counted::cancel_one, &counted);
      });
      queue.commit(false, [&] { finished.open(); });
      finished.wait();
      CHECK(counted.run == threads * each);
      CHECK(queue.finished() == static_cast<std::uint64_t>(threads * each));
    }
    CHECK(counted.run == threads * each);
    CHECK(counted.cancelled == 0);
  }
}

TEST_CASE(
    "task queue: on real threads two run at a time, as idle threads, unless a commit of high priority boosts them",
    "[bgproc]") {
  HostExecutor executor;
  Watched watched;
  TaskQueue queue({}, executor);
  for (int i = 0; i < 20; ++i) queue.queue_processing_work(&Watched::run_one, nullptr, &watched);
  Gate finished;
  queue.commit(false, [&] { finished.open(); });
  finished.wait();
  CHECK(watched.done == 20);
  CHECK(watched.most <= 2);
  if (executor.refused().empty()) CHECK(watched.idle == 20);

  Watched boosted;
  Gate blocked;
  Gate all;
  const TaskMethod wait = [](void* context) { static_cast<Gate*>(context)->wait(); };
  queue.queue_processing_work(wait, nullptr, &blocked);  // keeps the commit unfinished
  queue.commit(true, [&] { all.open(); });
  for (int i = 0; i < 6; ++i) queue.queue_processing_work(&Watched::run_one, nullptr, &boosted);
  while (boosted.done < 6) std::this_thread::yield();  // one worker is blocked, another is there on any machine
  CHECK(boosted.idle == 0);
  CHECK(queue.priority() == TaskPriority::boosted);
  blocked.open();
  all.wait();
  CHECK(queue.priority() == TaskPriority::idle);
}

TEST_CASE("task queue: destroyed, it waits for what runs and cancels the rest", "[bgproc]") {
  HostExecutor executor;
  Counted counted;
  Gate begun;
  Gate blocked;
  struct Held {
    Gate& begun;
    Gate& blocked;
    Counted& counted;
  } held{begun, blocked, counted};
  std::thread opener;
  {
    TaskQueue queue({1, false}, executor);
    queue.queue_processing_work(
        [](void* context) {
          auto& self = *static_cast<Held*>(context);
          self.begun.open();
          self.blocked.wait();
          ++self.counted.run;
        },
        nullptr, &held);
    for (int i = 0; i < 5; ++i) queue.queue_processing_work(&Counted::run_one, &Counted::cancel_one, &counted);
    begun.wait();
    opener = std::thread([&] {
      while (counted.cancelled < 5) std::this_thread::yield();
      blocked.open();
    });
  }
  CHECK(counted.run == 1);
  CHECK(counted.cancelled == 5);
  opener.join();
}

TEST_CASE("task queue: threads, modes, commits and destruction at random lose no task and run none twice", "[bgproc]") {
  // FENCELINE_TASK_ROUNDS=10000 for the long run.
  const char* wanted = std::getenv("FENCELINE_TASK_ROUNDS");
  const int rounds = wanted != nullptr ? std::atoi(wanted) : 150;
  HostExecutor executor;
  for (int round = 0; round < rounds; ++round) {
    Counted counted;
    std::atomic<int> accepted{0};
    std::atomic<int> commits{0};
    std::atomic<int> completed{0};
    {
      TaskQueue queue({1U + static_cast<std::uint32_t>(round % 3), round % 2 == 1}, executor);
      in_threads(8, [&](int thread) {
        std::mt19937 random(static_cast<unsigned>(round * 8 + thread));
        for (int i = 0; i < 12; ++i) {
          switch (random() % 10) {
            case 0: queue.set_disabled(random() % 2 == 0); break;
            case 1:
              ++commits;
              queue.commit(random() % 2 == 0, [&] { ++completed; });
              break;
            case 2:
              if (thread == 0 && i > 8) queue.close();
              break;
            default:
              if (queue.queue_processing_work(&Counted::run_one, &Counted::cancel_one, &counted)) ++accepted;
          }
        }
      });
    }
    REQUIRE(counted.run + counted.cancelled == accepted);
    REQUIRE(completed == commits);
  }
}
