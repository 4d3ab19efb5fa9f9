// SPDX-License-Identifier: Apache-2.0
// Which priority the host executor's threads have, also in a process that may do little, and where the system has no
// thread left.
#include "bgproc/tasks/host_executor.hpp"
#include "bgproc/tasks/idle_thread.hpp"
#include "bgproc/tasks/task_queue.hpp"

#include <catch2/catch.hpp>

#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <functional>
#include <future>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace fenceline;
using Catch::Contains;

namespace {

/// A task that does something of a test's.
struct Doing {
  std::function<void()> what;
  static void call(void* context) { static_cast<Doing*>(context)->what(); }
  void queue_in(TaskQueue& queue) { queue.queue_processing_work(&call, nullptr, this); }
};

std::pair<int, int> scheduling() { return {sched_getscheduler(0), getpriority(PRIO_PROCESS, 0)}; }

/// What a child process of another user says, without any privilege and with this nice value: a sum of flags.
int of_child(int nice, const std::function<int()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    if (setpriority(PRIO_PROCESS, 0, nice) != 0) _exit(100);
    if (getuid() == 0 && setuid(65534) != 0) _exit(101);
    _exit(body());
  }
  REQUIRE(child > 0);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  return WEXITSTATUS(status);
}

std::vector<std::pair<std::string, int>>* asked = nullptr;
int policy_error = 0;
int nice_error = 0;
int answer(const char* call, int value, int error) {
  asked->emplace_back(call, value);
  errno = error;
  return error == 0 ? 0 : -1;
}
const IdleCalls scripted{[](int policy) { return answer("policy", policy, policy_error); },
                         [](int nice) { return answer("nice", nice, nice_error); }};

}  // namespace

TEST_CASE(
    "host executor: without privileges tasks are idle, boosted ones have the process's own priority, and so again",
    "[bgproc]") {
  for (const int nice : {0, 5}) {
    const int wrong = of_child(nice, [] {
      const auto own = scheduling();
      int flags = 0;
      HostExecutor executor;
      TaskQueue queue({}, executor);
      const auto seen_by = [&](bool boosted) {
        std::promise<std::pair<int, int>> seen;
        Doing task{[&seen] { seen.set_value(scheduling()); }};
        std::promise<void> end;
        TaskQueueChange change;
        const auto from = boosted ? queue.expect_commit() : queue.queued() + 1;
        task.queue_in(queue);
        change.commit = TaskCommit{boosted, from, [&end] { end.set_value(); }};
        queue.change(std::move(change));
        end.get_future().get();
        return seen.get_future().get();
      };
      for (int round = 0; round < 20; ++round) {
        const auto idle = seen_by(false);
        if (idle.first != SCHED_IDLE && idle.second != 19) flags |= 1;
        executor.wait_for_workers();
        if (seen_by(true) != own) flags |= 2;
        executor.wait_for_workers();
      }
      return flags;
    });
    CHECK(wrong == 0);
  }
}

TEST_CASE("host executor: where the system has no thread left, the thread that queues runs tasks", "[bgproc]") {
  const int wrong = of_child(0, [] {
    const rlimit none{0, 0};
    if (setrlimit(RLIMIT_NPROC, &none) != 0) return 1;
    int ran = 0;
    HostExecutor executor;
    TaskQueue queue({}, executor);
    const auto here = std::this_thread::get_id();
    Doing task{[&] { ran += std::this_thread::get_id() == here ? 1 : 100; }};
    for (int i = 0; i < 5; ++i) task.queue_in(queue);
    if (ran != 5) return 2;
    return executor.refused() == std::vector<std::string>{"the system has no thread left: fewer run tasks"} ? 0 : 4;
  });
  CHECK(wrong == 0);
}

TEST_CASE("host executor: as many tasks run at one time as are to, whatever the number of processors", "[bgproc]") {
  const std::uint32_t parallel = 3 + std::thread::hardware_concurrency();
  HostExecutor executor(parallel);
  TaskQueue queue({parallel, false}, executor);
  std::atomic<std::uint32_t> met{0};
  Doing task{[&] {  // each waits until all have begun
    ++met;
    while (met < parallel) std::this_thread::yield();
  }};
  for (std::uint32_t i = 0; i < parallel; ++i) task.queue_in(queue);
  executor.wait_for_workers();
  CHECK(met == parallel);
}

TEST_CASE("host executor: its threads are counted while they live", "[bgproc]") {
  const std::size_t before = HostExecutor::threads();
  {
    HostExecutor executor;
    const std::size_t boosted = HostExecutor::threads() - before;
    CHECK(boosted == std::max(2U, executor.processors()));
    TaskQueue queue({}, executor);
    Doing task{[] {}};
    task.queue_in(queue);
    CHECK(HostExecutor::threads() == before + boosted + 1);
  }
  CHECK(HostExecutor::threads() == before);
}

TEST_CASE("idle thread: SCHED_IDLE, else nice 19, else the program's own priority, and it is told which", "[bgproc]") {
  std::vector<std::pair<std::string, int>> calls;
  asked = &calls;
  using Calls = std::vector<std::pair<std::string, int>>;
  policy_error = nice_error = 0;
  CHECK(become_idle(scripted).empty());
  CHECK(calls == Calls{{"policy", SCHED_IDLE}});
  calls.clear();
  policy_error = EPERM;
  CHECK(become_idle(scripted) == "SCHED_IDLE is refused (Operation not permitted): they have nice 19");
  CHECK(calls == Calls{{"policy", SCHED_IDLE}, {"nice", 19}});
  nice_error = EACCES;
  CHECK_THAT(become_idle(scripted),
             Contains("and nice 19, too (Permission denied): they have the program's own priority"));
}

TEST_CASE("host executor: what is refused is told once of each kind, and tasks run all the same", "[bgproc]") {
  std::vector<std::pair<std::string, int>> calls;
  asked = &calls;
  policy_error = EPERM;
  nice_error = 0;
  HostExecutor executor(1, scripted);
  CHECK(executor.refused().empty());
  {
    TaskQueue queue({1, false}, executor);
    std::atomic<int> ran{0};
    Doing task{[&ran] { ++ran; }};
    for (int i = 0; i < 10; ++i) task.queue_in(queue);
    executor.wait_for_workers();
    CHECK(ran == 10);
  }
  CHECK(executor.refused() ==
        std::vector<std::string>{"SCHED_IDLE is refused (Operation not permitted): they have nice 19"});
  CHECK(calls.size() == 2);
}
