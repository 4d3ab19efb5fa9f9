// SPDX-License-Identifier: Apache-2.0
#include "bgproc/tasks/host_executor.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <ctime>
#include <mutex>
#include <set>
#include <thread>

namespace fenceline {
namespace {

constexpr int lowest_nice = 19;
constexpr std::uint64_t ps_per_s = 1'000'000'000'000;
constexpr std::uint64_t ps_per_ns = 1'000;

std::uint64_t thread_cpu_ps() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * ps_per_s + static_cast<std::uint64_t>(now.tv_nsec) * ps_per_ns;
}

/// Empty: the kernel has done it.
std::string give_priority(pid_t thread, TaskPriority priority) {
  const sched_param none{};
  const bool idle = priority == TaskPriority::idle;
  const bool scheduled = sched_setscheduler(thread, idle ? SCHED_IDLE : SCHED_OTHER, &none) == 0;
  const int scheduler_error = errno;
  // SCHED_IDLE is below every nice value.
  const bool niced = idle && scheduled;
  if (niced || setpriority(PRIO_PROCESS, static_cast<id_t>(thread), idle ? lowest_nice : 0) == 0) {
    return scheduled ? "" : std::string(idle ? "SCHED_IDLE: " : "SCHED_OTHER: ") + std::strerror(scheduler_error);
  }
  return std::string(idle ? "nice 19: " : "nice 0: ") + std::strerror(errno);
}

std::uint32_t processors_here() { return std::max(1U, std::thread::hardware_concurrency()); }

/// Two tasks run at a time on one processor, too.
std::uint32_t threads_of_pool() { return std::max(2U, processors_here()); }

std::atomic<std::size_t> all_threads{0};

}  // namespace

/// The threads, and what priority those that work have.
class HostExecutor::Pool {
 public:
  Pool() : threads_(threads_of_pool()) { all_threads += threads_of_pool(); }
  ~Pool() {
    threads_.join();
    all_threads -= threads_of_pool();
  }

  void wake(TaskSource& source) {
    {
      const std::lock_guard held(mutex_);
      ++awake_;
    }
    boost::asio::post(threads_, [this, &source] { work(source); });
  }

  void set_priority(TaskPriority priority) {
    const std::lock_guard held(mutex_);
    priority_ = priority;
    for (const pid_t thread : working_) give(thread);
  }

  void wait() {
    std::unique_lock held(mutex_);
    rest_.wait(held, [this] { return awake_ == 0; });
  }

  bool working() {
    const std::lock_guard held(mutex_);
    return awake_ > 0;
  }

  std::string refused() {
    const std::lock_guard held(mutex_);
    return refused_;
  }

 private:
  void give(pid_t thread) {
    std::string refused = give_priority(thread, priority_);
    if (!refused.empty()) refused_ = std::move(refused);
  }

  void begin(pid_t thread) {
    const std::lock_guard held(mutex_);
    working_.insert(thread);
    give(thread);
  }

  void work(TaskSource& source) {
    const auto thread = static_cast<pid_t>(syscall(SYS_gettid));
    begin(thread);
    while (const std::optional<Task> task = source.next()) run(source, *task, static_cast<std::uint32_t>(thread));
    const std::lock_guard held(mutex_);
    working_.erase(thread);
    if (--awake_ == 0) rest_.notify_all();
  }

  void run(TaskSource& source, const Task& task, std::uint32_t thread) {
    TaskRun run;
    run.worker = thread;
    {
      const std::lock_guard held(mutex_);
      run.priority = priority_;
    }
    source.started(task, run);
    const std::uint64_t before_ps = thread_cpu_ps();
    task.callback(task.context);
    run.cpu_ps = thread_cpu_ps() - before_ps;
    source.finished(task, run);
  }

  std::mutex mutex_;
  std::condition_variable rest_;
  TaskPriority priority_ = TaskPriority::idle;
  std::set<pid_t> working_;
  std::uint32_t awake_ = 0;  // workers woken and not at rest
  std::string refused_;
  boost::asio::thread_pool threads_;  // last: joined first
};

HostExecutor::HostExecutor() : pool_(std::make_unique<Pool>()) {}
HostExecutor::~HostExecutor() { pool_->wait(); }
void HostExecutor::wake(TaskSource& source) { pool_->wake(source); }
void HostExecutor::set_priority(TaskPriority priority) { pool_->set_priority(priority); }
std::uint32_t HostExecutor::processors() const { return processors_here(); }
void HostExecutor::wait_for_workers() { pool_->wait(); }
bool HostExecutor::working() const { return pool_->working(); }
std::size_t HostExecutor::threads() { return all_threads; }
std::string HostExecutor::refused() const { return pool_->refused(); }

}  // namespace fenceline
