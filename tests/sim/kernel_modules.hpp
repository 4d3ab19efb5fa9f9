// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/kernel/kernel.hpp"
#include "tests/support/script.hpp"

#include <cstdint>
#include <functional>

namespace fenceline::testing {

inline sc_core::sc_time ps(std::uint64_t value) { return sc_core::sc_time::from_value(value); }

/// A method and a thread, each counting on its own for ever, the first time after one period.
struct Ticker : sc_core::sc_module {
  Ticker(sc_core::sc_module_name module_name, std::uint64_t period_ps) : sc_module(module_name), period(period_ps) {
    SC_HAS_PROCESS(Ticker);
    SC_METHOD(tick);
    sensitive << next;
    dont_initialize();
    SC_THREAD(loop);
    next.notify(ps(period));
  }
  void tick() {
    guarded([this] {
      ++method_ticks;
      if (on_tick) on_tick();
      next.notify(ps(period));
    });
  }
  void loop() {
    guarded([this] {
      for (;;) {
        wait(ps(period));
        ++thread_ticks;
      }
    });
  }
  std::uint64_t period;
  std::uint64_t method_ticks = 0;
  std::uint64_t thread_ticks = 0;
  std::function<void()> on_tick;
  sc_core::sc_event next;
};

/// Counts its living copies.
struct Local {
  explicit Local(int& count) : alive(count) { ++alive; }
  Local(const Local&) = delete;
  Local& operator=(const Local&) = delete;
  ~Local() { --alive; }
  int& alive;
};

/// Runs one body as an SC_THREAD or SC_METHOD at time 0.
struct Process : sc_core::sc_module {
  Process(sc_core::sc_module_name module_name, const std::function<void()>& body_of_process, bool thread)
      : sc_module(module_name), body(body_of_process) {
    SC_HAS_PROCESS(Process);
    if (thread) {
      SC_THREAD(run);
    } else {
      SC_METHOD(run);
    }
  }
  void run() { guarded(body); }
  std::function<void()> body;
};

struct Odd {
  int value;
};

}  // namespace fenceline::testing
