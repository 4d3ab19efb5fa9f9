// SPDX-License-Identifier: Apache-2.0
// The task queue's rules on real threads.
#include "bgproc/tasks/host_executor.hpp"
#include "bgproc/tasks/task_queue.hpp"

#include <catch2/catch.hpp>

#include <condition_variable>
#include <cstddef>
#include <future>
#include <mutex>
#include <vector>

using namespace fenceline;

namespace {

/// Tasks that begin, say so, and end when the test lets them.
class HeldTasks {
 public:
  explicit HeldTasks(std::size_t count) : tasks_(count) {
    for (std::size_t i = 0; i < count; ++i) tasks_[i] = {this, i};
  }
  void queue_in(TaskQueue& queue, std::size_t index) {
    queue.queue_processing_work(
        [](void* context) {
          const auto& one = *static_cast<One*>(context);
          one.all->run(one.index);
        },
        nullptr, &tasks_[index]);
  }
  void wait_until_begun(std::size_t count) {
    std::unique_lock held(mutex_);
    changed_.wait(held, [&] { return begun_.size() >= count; });
  }
  void end(std::size_t index) {
    const std::lock_guard held(mutex_);
    ending_.push_back(index);
    changed_.notify_all();
  }
  std::vector<std::size_t> begun() {
    const std::lock_guard held(mutex_);
    return begun_;
  }

 private:
  struct One {
    HeldTasks* all;
    std::size_t index;
  };
  void run(std::size_t index) {
    std::unique_lock held(mutex_);
    begun_.push_back(index);
    changed_.notify_all();
    changed_.wait(held, [&] {
      for (const std::size_t one : ending_) {
        if (one == index) return true;
      }
      return false;
    });
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<One> tasks_;
  std::vector<std::size_t> begun_;
  std::vector<std::size_t> ending_;
};

}  // namespace

TEST_CASE("host tasks: two of three run, and the third begins when one of them has ended", "[bgproc]") {
  for (const std::size_t first : {0, 1}) {
    HostExecutor executor;
    TaskQueue queue({}, executor);
    HeldTasks tasks(3);
    for (const std::size_t index : {0, 1, 2}) tasks.queue_in(queue, index);
    tasks.wait_until_begun(2);
    auto begun = tasks.begun();
    REQUIRE(begun.size() == 2);
    CHECK(begun[0] + begun[1] == 1);  // the first two, noted in any order
    tasks.end(first);
    tasks.wait_until_begun(3);
    CHECK(tasks.begun().back() == 2);
    CHECK(queue.finished() <= 1);
    for (const std::size_t index : {0, 1, 2}) tasks.end(index);
    executor.wait_for_workers();
    CHECK(queue.finished() == 3);
  }
}

TEST_CASE("host tasks: disabling lets those run that are queued and have not begun", "[bgproc]") {
  HostExecutor executor;
  TaskQueue queue({}, executor);
  HeldTasks tasks(4);
  for (const std::size_t index : {0, 1, 2, 3}) tasks.queue_in(queue, index);
  tasks.wait_until_begun(2);
  queue.set_disabled(true);
  for (const std::size_t index : {0, 1, 2, 3}) tasks.end(index);
  executor.wait_for_workers();
  CHECK(tasks.begun().size() == 4);
  CHECK(queue.cancelled() == 0);
}

TEST_CASE("host tasks: those that come after a commit do not delay its event", "[bgproc]") {
  HostExecutor executor;
  TaskQueue queue({}, executor);
  HeldTasks tasks(2);
  tasks.queue_in(queue, 0);
  std::promise<void> event;
  queue.commit(false, [&event] { event.set_value(); });
  tasks.queue_in(queue, 1);
  tasks.wait_until_begun(2);
  tasks.end(0);
  event.get_future().get();  // while 1 runs
  CHECK(queue.finished() == 1);
  tasks.end(1);
  executor.wait_for_workers();
}
