// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/callback.hpp"
#include "sim/kernel/now.hpp"

#include <systemc>

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>

namespace fenceline {

/// One SystemC simulation as a value: many may live in one process, one after another or side by side.
///
/// A kernel has no thread of its own; whoever calls `run` or `advance_to` drives it, under one process-wide lock
/// (two SystemC contexts cannot run at the same time in one process). Calls from inside a simulation process, or from
/// a function that a kernel's call is running (`build`, `done`, `body`), are refused with std::logic_error:
/// a nested sc_start crashes SystemC 2.3.4.
class Kernel {
 public:
  /// Builds the whole hierarchy inside a fresh SystemC context and elaborates it. The kernel owns what `build`
  /// returns. Everything static (modules, ports, signals) must be made here; events and spawned processes may come
  /// later. An exception from `build` or elaboration leaves nothing behind.
  explicit Kernel(const std::function<std::unique_ptr<sc_core::sc_module>()>& build);
  /// Unwinds every process, then destroys the modules, then the context.
  ~Kernel();
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  /// Simulated time in picoseconds.
  std::uint64_t now_ps() const;

  /// Simulates until `done()` or until nothing is left to do.
  /// `done` is asked first, after every `pause_running`, and when nothing is left. Returns the last `done()`. An
  /// exception thrown inside a process comes out of here with its type kept; the kernel stays usable.
  bool run(const std::function<bool()>& done);
  /// Simulates until `done()` or until nothing is left to do up to and including `limit_ps`, or the present time, if
  /// that is later. Returns the last `done()`.
  bool run_until(const std::function<bool()>& done, std::uint64_t limit_ps);
  /// Simulates until nothing is left to do.
  void run_to_end();
  /// Simulates everything up to and including `limit_ps`, or the present time, if that is later. True: nothing is left,
  /// and time stays where activity ended; else it is the limit.
  /// `stop` is asked as `done` is: where it holds that is the end, too.
  bool run_to_end(std::uint64_t limit_ps, const std::function<bool()>& stop = {});
  /// When something is to be done next; the highest value: nothing is left. Not while it simulates.
  std::uint64_t next_ps() const;
  /// Simulates everything up to and including `time_ps`, or the present time, if that is later.
  void advance_to(std::uint64_t time_ps);
  /// Runs `body` with this kernel's context current and no simulation running: for touching modules from the host.
  void enter(const std::function<void()>& body);

  /// The calling thread is inside a process of this kernel.
  bool simulating() const;

  /// From inside a process that has nothing left to do at this time: makes `time_ps` the present time, unless it has
  /// passed, something else in the simulation comes before or with it, it is beyond what `run_until` or `advance_to`
  /// was asked for, or `run` is to ask `done()`. True: the process goes on at that time without SystemC, whose own time
  /// follows with its next event. TLM-2.0 knows this as temporal decoupling; here it is exact. Used by Timer.
  static bool run_ahead(std::uint64_t time_ps);
  /// Notifies the event at `time_ps`, now (in the next delta cycle) or later, unless it is due before that. What
  /// notify(sc_time) counts from is SystemC's time, not the present one.
  static void notify(sc_core::sc_event& event, std::uint64_t time_ps);
  /// From inside a process: nothing else is left to do at this time.
  static bool alone();
  /// From inside a process: calls back once nothing else is left to do at this time, in the order of these calls; from
  /// the body of an SC_METHOD, which is no `as_method` by itself.
  static void when_settled(Callback call);
  /// From inside a process: makes `run` ask `done()` again once the present delta cycle is over. Else nothing happens.
  static void pause_running();
  /// From inside a process: keeps the exception for the caller of `run`. Used by `guarded`.
  static void keep_exception(std::exception_ptr error);
  /// The kernel that runs is going: what is due is not done any more, for who asked for it may be gone. Used by
  /// `guarded`.
  static bool ending() { return is_going_; }

 private:
  class Entered;
  struct Reaper;
  struct Settling;
  void simulate(std::uint64_t limit_ps, const std::function<void()>& step);
  bool comes_by(std::uint64_t time_ps) const;
  std::uint64_t systemc_ps() const { return time_.systemc->value(); }
  void settle();
  void destroy();

  static bool is_going_;  // one kernel runs at a time
  std::unique_ptr<sc_core::sc_simcontext> context_;
  SimulatedTime time_;
  std::uint64_t limit_ps_ = 0;  // of the simulation under way
  bool pausing_ = false;        // it is to come back
  std::unique_ptr<Reaper> reaper_;
  std::unique_ptr<Settling> settling_;
  std::unique_ptr<sc_core::sc_module> top_;
  std::exception_ptr error_;
};

/// Every process body runs inside this, so that an exception keeps its type and the machine can still be torn down.
/// Never wait() inside a catch block of a process: all SC_THREADs share one exception stack.
template <class Body>
void guarded(Body&& body) {
  if (Kernel::ending()) return;
  try {
    body();
  } catch (const sc_core::sc_unwind_exception&) {
    throw;
  } catch (...) {
    Kernel::keep_exception(std::current_exception());
  }
}

}  // namespace fenceline
