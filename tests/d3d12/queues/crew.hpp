// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/capture/capture_thread.hpp"
#include "sim/sanitizers.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <cstddef>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace fenceline::testing {

/// All threads of the process: the test's own is the first of them, so that none is left over that looks as if it could
/// still do something while all others wait.
class Crew {
 public:
  /// `work(i)` on thread i of `count`, all at the same time; returns when all are done.
  static void run(std::size_t count, const std::function<void(std::size_t)>& work) {
    std::atomic<bool> go{false};
    std::vector<std::thread> others;
    for (std::size_t i = 1; i < count; ++i) {
      others.emplace_back([&, i] {
        while (!go) std::this_thread::yield();
        work(i);
      });
    }
#if defined(FENCELINE_THREAD_SANITIZER)
    std::thread([] {}).join();  // with the first thread the sanitizer starts its own
#endif
    while (threads() != count) std::this_thread::yield();  // those of the test before may be on their way out
    go = true;
    work(0);
    for (std::thread& other : others) other.join();
  }

  /// Threads of the process as the kernel counts them, without the thread sanitizer's and those that write captures.
  static std::size_t threads() {
#if defined(FENCELINE_THREAD_SANITIZER)
    constexpr std::size_t foreign = 1;
#else
    constexpr std::size_t foreign = 0;
#endif
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word && word != "Threads:") continue;
    std::size_t count = 0;
    status >> count;
    return count - foreign - CaptureThread::threads();
  }
};

}  // namespace fenceline::testing
