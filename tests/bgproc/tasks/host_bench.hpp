// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bgproc/tasks/host_executor.hpp"
#include "bgproc/tasks/task_queue.hpp"

#include <catch2/catch.hpp>

#include <sched.h>
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <random>
#include <thread>
#include <utility>
#include <vector>

namespace fenceline::testing {

constexpr int host_stress_rounds = 100;

/// Threads wait here until somebody opens it.
class HostDoor {
 public:
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
};

/// A task whose ends are counted, from any thread.
struct HostJob {
  std::atomic<int> called{0};
  std::atomic<int> cancelled{0};
  std::function<void()> action;

  static void call(void* context) {
    auto& job = *static_cast<HostJob*>(context);
    if (job.action) job.action();
    ++job.called;
  }
  static void cancel(void* context) { ++static_cast<HostJob*>(context)->cancelled; }
  bool queue_in(TaskQueue& queue) { return queue.queue_processing_work(&call, &cancel, this); }
};

inline void on_host_threads(int count, const std::function<void(int)>& body) {
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) threads.emplace_back(body, i);
  for (std::thread& thread : threads) thread.join();
}

/// Returns when everything that is queued now has ended.
inline void wait_for_tasks(TaskQueue& queue) {
  HostDoor door;
  queue.commit(false, [&door] { door.open(); });
  door.wait();
}

/// How many are inside at once, and how many were at most.
class Occupancy {
 public:
  void enter() {
    const int now = ++inside_;
    int most = most_;
    while (now > most && !most_.compare_exchange_weak(most, now)) {
    }
  }
  void leave() { --inside_; }
  int most() const { return most_; }

 private:
  std::atomic<int> inside_{0};
  std::atomic<int> most_{0};
};

/// How the kernel schedules the calling thread.
struct Scheduling {
  int policy = sched_getscheduler(0);
  int nice = getpriority(PRIO_PROCESS, 0);  // on Linux, of the thread
};

inline bool is_idle(const Scheduling& seen, const HostExecutor& executor) {
  return seen.policy == SCHED_IDLE || (seen.nice == 19 && !executor.refused().empty());
}
/// As the calling thread.
inline bool is_boosted(const Scheduling& seen) {
  const Scheduling own;
  return seen.policy == own.policy && seen.nice == own.nice;
}

inline std::uint64_t thread_cpu_ns() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

/// Keeps how each task ran.
struct RunKeeper : TaskListener {
  void task_started(const Task&, const TaskRun&) override { ++started; }
  void task_finished(const Task& task, const TaskRun& run) override {
    const std::lock_guard lock(mutex);
    runs.emplace_back(task.id, run);
  }
  void task_cancelled(const Task&) override { ++cancelled; }
  std::mutex mutex;
  std::vector<std::pair<std::uint64_t, TaskRun>> runs;
  std::atomic<int> started{0};
  std::atomic<int> cancelled{0};
};

}  // namespace fenceline::testing
