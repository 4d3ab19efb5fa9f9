// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/crash/crash_figures.hpp"
#include "tests/crash/kill_victim.hpp"
#include "tests/support/child_process.hpp"

#include <sys/mman.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

namespace fenceline::testing {

/// Does things in processes of their own: one that crashes is counted, and the next thing is done in another process.
class CrashWorkers {
 public:
  static constexpr std::size_t workers = 2;

  explicit CrashWorkers(std::string what) : what_(std::move(what)) {
    void* const memory = ::mmap(nullptr, sizeof(Next), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("no shared memory");
    next_ = new (memory) Next{};
  }
  ~CrashWorkers() { ::munmap(next_, sizeof(Next)); }
  CrashWorkers(const CrashWorkers&) = delete;
  CrashWorkers& operator=(const CrashWorkers&) = delete;

  /// `body(worker, number)` for each number below `count`.
  template <class Body>
  void each(std::size_t count, const Body& body) {
    std::array<std::unique_ptr<ChildProcess>, workers> children;
    for (std::size_t worker = 0; worker < workers; ++worker) {
      (*next_)[worker] = worker;
      children[worker] = start(worker, count, body);
    }
    for (std::size_t worker = 0; worker < workers; ++worker) {
      while (children[worker]->wait() != 0) {
        figures().fail(CrashFigures::crashes, what_ + ", number " + std::to_string((*next_)[worker]) + ", signal " +
                                                  std::to_string(children[worker]->signal()));
        (*next_)[worker] += workers;
        children[worker] = start(worker, count, body);
      }
    }
    tell_progress(what_, count, count);
  }

 private:
  using Next = std::array<std::atomic<std::size_t>, workers>;

  template <class Body>
  std::unique_ptr<ChildProcess> start(std::size_t worker, std::size_t count, const Body& body) {
    return std::make_unique<ChildProcess>([this, worker, count, &body] {
      end_with_parent();
      for (std::atomic<std::size_t>& number = (*next_)[worker]; number < count; number += workers) {
        body(worker, number);
        if (worker == 0 && number % 1000 == 0) tell_progress(what_, number, count);
      }
      return 0;
    });
  }

  std::string what_;
  Next* next_ = nullptr;
};

}  // namespace fenceline::testing
