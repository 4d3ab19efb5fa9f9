// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bgproc/cores/cpu_cores.hpp"
#include "sim/kernel/now.hpp"
#include "tests/support/script.hpp"

#include <catch2/catch.hpp>
#include <systemc>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

namespace fenceline::testing {

constexpr CpuPriority as_normal = CpuPriority::normal;
constexpr CpuPriority as_idle = CpuPriority::idle;

/// A thread of a test, and what became of it.
struct Computing {
  std::uint64_t work = 0;
  std::uint64_t id = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  int done = 0;  ///< calls
  bool active = false;
  bool cancelled = false;
  std::uint64_t left = 0;                                         ///< when it was cancelled
  std::vector<std::pair<std::uint64_t, CpuPriority>> priorities;  ///< since when
};

/// Cores may be others of the same interface.
template <class Cores>
struct CoresTopOf : sc_core::sc_module {
  CoresTopOf(sc_core::sc_module_name module_name, const CpuConfig& config)
      : sc_module(module_name), cores("cores", config), script("script") {}

  /// The answer is its place in `threads`.
  std::size_t start(std::uint64_t at_ps, std::uint64_t work, CpuPriority priority = as_normal,
                    std::uint64_t order = CpuCores::last) {
    const std::size_t index = threads.size();
    threads.emplace_back().work = work;
    script.at(at_ps, [this, index, priority, order] { start_now(index, priority, order); });
    return index;
  }
  void start_now(std::size_t index, CpuPriority priority, std::uint64_t order) {
    Computing& thread = threads[index];
    thread.begin = now_ps();
    thread.active = true;
    thread.priorities.emplace_back(now_ps(), priority);
    begun.push_back(index);
    starting = true;
    const Callback done = script.callback([this, index] { end(index); });
    thread.id = cores.start(thread.work, priority, done, order);
    starting = false;
  }
  void set_priority(std::uint64_t at_ps, std::size_t index, CpuPriority priority) {
    script.at(at_ps, [this, index, priority] {
      if (!threads[index].active) return;
      cores.set_priority(threads[index].id, priority);
      threads[index].priorities.emplace_back(now_ps(), priority);
    });
  }
  void cancel(std::uint64_t at_ps, std::size_t index) {
    script.at(at_ps, [this, index] {
      Computing& thread = threads[index];
      if (!thread.active) return;
      thread.active = false;
      thread.cancelled = true;
      thread.end = now_ps();
      thread.left = cores.cancel(thread.id);
    });
  }
  void end(std::size_t index) {
    called_from_inside = called_from_inside || starting;
    Computing& thread = threads[index];
    ++thread.done;
    thread.active = false;
    thread.end = now_ps();
    if (when_done) when_done(index);
  }

  Cores cores;
  Script script;
  std::deque<Computing> threads;
  std::vector<std::size_t> begun;  // in the order in which they did
  bool starting = false;
  bool called_from_inside = false;
  std::function<void(std::size_t)> when_done;
};
using CoresTop = CoresTopOf<CpuCores>;

inline CpuConfig cpu_of(std::uint32_t cores, std::uint32_t smt_width, double smt_gain = 0.25,
                        double background_slowdown = 0.01) {
  return CpuConfig{{}, cores, smt_width, smt_gain, background_slowdown};
}

/// Cores whose threads begin, change and go as a script has it.
template <class Cores>
class CoresBenchOf : public KernelOf<CoresTopOf<Cores>> {
 public:
  using KernelOf<CoresTopOf<Cores>>::KernelOf;
  /// Runs to the end; when each thread ended.
  std::vector<std::uint64_t> ends() {
    this->kernel.run_to_end();
    std::vector<std::uint64_t> times;
    for (const Computing& thread : this->top().threads) {
      CHECK(thread.done == (thread.cancelled ? 0 : 1));
      times.push_back(thread.end);
    }
    CHECK_FALSE(this->top().called_from_inside);
    return times;
  }
};
using CoresBench = CoresBenchOf<CpuCores>;

}  // namespace fenceline::testing
