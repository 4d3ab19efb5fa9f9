// SPDX-License-Identifier: Apache-2.0
// What queueing a background task costs its caller, against posting to a plain pool of as many threads.
#include "bgproc/tasks/host_executor.hpp"
#include "bgproc/tasks/task_queue.hpp"

#include <benchmark/benchmark.h>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace {

using namespace fenceline;

constexpr int tasks = 40'000;

void count(void* counter) { static_cast<std::atomic<int>*>(counter)->fetch_add(1, std::memory_order_relaxed); }

/// Seconds that `crew` threads take to hand over all tasks; they have ended when it returns.
template <class Post>
double handed_over(int crew, const Post& post) {
  std::atomic<int> ready{0};
  std::atomic<bool> go{false};
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(crew));
  for (int i = 0; i < crew; ++i) {
    threads.emplace_back([&] {
      ++ready;
      while (!go) std::this_thread::yield();
      for (int task = 0; task < tasks / crew; ++task) post();
    });
  }
  while (ready < crew) std::this_thread::yield();
  const auto start = std::chrono::steady_clock::now();
  go = true;
  for (std::thread& one : threads) one.join();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void queue_tasks(benchmark::State& state) {
  HostExecutor executor;
  for (auto _ : state) {
    std::atomic<int> counter{0};
    TaskQueue queue({}, executor);
    state.SetIterationTime(
        handed_over(static_cast<int>(state.range(0)), [&] { queue.queue_processing_work(&count, nullptr, &counter); }) /
        tasks);
    while (counter < tasks) std::this_thread::yield();
  }
}
BENCHMARK(queue_tasks)
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(8)
    ->UseManualTime()
    ->Unit(benchmark::kNanosecond)
    ->Iterations(25);

void post_to_plain_pool(benchmark::State& state) {
  boost::asio::thread_pool pool(2);
  for (auto _ : state) {
    std::atomic<int> counter{0};
    state.SetIterationTime(
        handed_over(static_cast<int>(state.range(0)), [&] { boost::asio::post(pool, [&] { count(&counter); }); }) /
        tasks);
    while (counter < tasks) std::this_thread::yield();
  }
}
BENCHMARK(post_to_plain_pool)
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(8)
    ->UseManualTime()
    ->Unit(benchmark::kNanosecond)
    ->Iterations(25);

}  // namespace
