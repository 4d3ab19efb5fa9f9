// SPDX-License-Identifier: Apache-2.0
#include "bgproc/tasks/host_executor.hpp"

#include "bgproc/tasks/host_threads.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <thread>
#include <utility>

namespace fenceline {
namespace {

constexpr std::uint64_t ps_per_s = 1'000'000'000'000;
constexpr std::uint64_t ps_per_ns = 1'000;

std::uint64_t thread_cpu_ps() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * ps_per_s + static_cast<std::uint64_t>(now.tv_nsec) * ps_per_ns;
}

std::uint32_t processors_here() { return std::max(1U, std::thread::hardware_concurrency()); }

}  // namespace

/// Who works, and on which threads whoever asks for a task next does.
class HostExecutor::Workers {
 public:
  Workers(std::uint32_t parallel_tasks, const IdleCalls& calls)
      : calls_(calls),
        idle_(parallel_tasks, [this] { begin_idle(); }),
        boosted_(std::max(parallel_tasks, processors_here()), [] {}) {
    boosted_.make_all();  // not by an idle worker, which would pass its priority on
  }
  ~Workers() {
    idle_.join();
    boosted_.join();
  }

  void wake(TaskSource& source) {
    TaskPriority priority{};
    {
      const std::lock_guard held(mutex_);
      ++awake_;
      priority = priority_;
    }
    work_on(priority, source);
  }

  void set_priority(TaskPriority priority) {
    const std::lock_guard held(mutex_);
    priority_ = priority;
  }

  void wait() {
    std::unique_lock held(mutex_);
    rest_.wait(held, [this] { return awake_ == 0; });
  }

  bool working() {
    const std::lock_guard held(mutex_);
    return awake_ > 0;
  }

  std::vector<std::string> refused() {
    const std::lock_guard held(mutex_);
    return refused_;
  }

 private:
  /// `first` is a task that has been taken and not begun.
  void work_on(TaskPriority priority, TaskSource& source, const std::optional<Task>& first = {}) {
    HostThreads& threads = priority == TaskPriority::idle ? idle_ : boosted_;
    const bool posted = threads.post([this, &source, priority, first] { work(source, priority, first); });
    if (threads.short_of_threads()) note("the system has no thread left: fewer run tasks");
    if (!posted) work(source, priority, first);
  }

  void begin_idle() {
    const std::string refused = become_idle(calls_);
    if (!refused.empty()) note(refused);
  }

  void note(const std::string& refused) {
    const std::lock_guard held(mutex_);
    if (std::find(refused_.begin(), refused_.end(), refused) == refused_.end()) refused_.push_back(refused);
  }

  void work(TaskSource& source, TaskPriority own, std::optional<Task> task) {
    for (;; task.reset()) {
      if (!task) task = source.next();
      if (!task) break;
      const TaskPriority priority = priority_now();
      if (priority != own) return work_on(priority, source, task);
      run(source, *task, own);
    }
    const std::lock_guard held(mutex_);
    if (--awake_ == 0) rest_.notify_all();
  }

  TaskPriority priority_now() {
    const std::lock_guard held(mutex_);
    return priority_;
  }

  static void run(TaskSource& source, const Task& task, TaskPriority priority) {
    TaskRun run;
    run.worker = static_cast<std::uint32_t>(syscall(SYS_gettid));
    run.priority = priority;
    source.started(task, run);
    const std::uint64_t before_ps = thread_cpu_ps();
    task.callback(task.context);
    run.cpu_ps = thread_cpu_ps() - before_ps;
    source.finished(task, run);
  }

  const IdleCalls calls_;
  std::mutex mutex_;
  std::condition_variable rest_;
  TaskPriority priority_ = TaskPriority::idle;
  std::uint32_t awake_ = 0;  // workers woken and not at rest
  std::vector<std::string> refused_;
  HostThreads idle_;
  HostThreads boosted_;
};

HostExecutor::HostExecutor(std::uint32_t parallel_tasks, const IdleCalls& calls)
    : workers_(std::make_unique<Workers>(parallel_tasks, calls)) {}
HostExecutor::~HostExecutor() { workers_->wait(); }
void HostExecutor::wake(TaskSource& source) { workers_->wake(source); }
void HostExecutor::set_priority(TaskPriority priority) { workers_->set_priority(priority); }
std::uint32_t HostExecutor::processors() const { return processors_here(); }
void HostExecutor::wait_for_workers() { workers_->wait(); }
bool HostExecutor::working() const { return workers_->working(); }
std::size_t HostExecutor::threads() { return HostThreads::all(); }
std::vector<std::string> HostExecutor::refused() const { return workers_->refused(); }

}  // namespace fenceline
