// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/host/look_again.hpp"
#include "api/machine.hpp"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

namespace fenceline::d3d12 {

/// The program's threads in simulated time (api/d3d12/README.md).
///
/// Each thread that calls the API has a clock of its own. A call costs CPU time and takes effect at its thread's clock:
/// machines are brought up to there first. A thread that waits drives the machines until what it waits for has
/// happened; polling costs time per call, so it makes progress. Threads run freely by default: a thread that comes to a
/// machine which is further gets the machine's time. Attached ones (HostThread) take turns instead, so that their calls
/// take effect in the order of their clocks, whatever the real threads do; where a machine has CPU cores, their CPU
/// time passes on these, beside that of background tasks.
///
/// Machines count picoseconds from the same moment on, and each is simulated by itself, as far as somebody has asked.
/// Those that share fences are coupled: they have one time, and are brought on in step (coupled_machines.hpp), by waits
/// as well as by calls to any of them. For attached threads all machines are in step.
///
/// One lock for the whole process guards machines and everything that simulations change. It is held from `enter` until
/// the Lock is gone; simulations call back with it held.
class Host {
 public:
  using Lock = std::unique_lock<std::mutex>;
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

  static Host& instance();

  /// Machines that waits drive; each is there from its creation to its destruction. Take the lock. `failed` is told,
  /// with the lock, why a machine stands still from then on.
  void add(Machine& machine, std::function<void(const std::string& why)> failed);
  void remove(Machine& machine);
  /// The machine has got a fence that is shared: from now on it has one time with those that have it, too, which is the
  /// latest that one of them has come to. They stay coupled. With the lock.
  void couple(Machine& machine);

  /// Locks without any simulated time: for what costs none, and for cleaning up.
  Lock lock() { return Lock(mutex_); }
  /// Not locked when another thread, or this one, has it.
  Lock try_lock() { return Lock(mutex_, std::try_to_lock); }
  /// A call of the calling thread begins: its clock moves by `cost_ps`, and the machine, if there is one, up to it.
  Lock enter(std::uint64_t cost_ps, Machine* machine);
  /// A call of no machine's begins, on an event or a thread: it costs what a call that asks does on the host
  /// (/host/poll_us; of several machines the most, without one the default).
  Lock enter_call();
  /// A call that records, which needs no machine and no lock: its time counts from the thread's next `enter` on.
  static void spend(std::uint64_t cost_ps);
  /// The calling thread computes for so long, outside of calls.
  void compute(std::uint64_t work_ps);
  /// The calling thread's clock, picoseconds since the process began to simulate.
  static std::uint64_t clock_ps();

  enum class Outcome : std::uint8_t {
    satisfied,
    timed_out,
    deadlock,  ///< nothing is left to simulate and no other thread can bring it about
  };
  /// Blocks the calling thread until `satisfied()`, which is asked with the lock held, at most until its clock is at
  /// `deadline_ps`. Machines are simulated as far as needed; when nothing is left there, other threads of the process
  /// may still bring it about, for as long as the timeout lasts in real time, too. `what` says what is waited
  /// for, and is asked where nothing can bring it about.
  /// `wake_ps` is added to the clock of a thread that had to block.
  Outcome wait(Lock& lock, const std::function<bool()>& satisfied, std::uint64_t deadline_ps, std::uint64_t wake_ps,
               const std::function<std::string()>& what);
  /// Until a thread runs again that a machine has woken, picoseconds.
  std::uint64_t wake_ps() const;
  /// Something that a thread may wait for has happened. From inside a simulation, or with the lock held.
  void notify();

  // Attached threads: host_attached.cpp. Numbers order threads whose clocks are equal.
  /// The calling thread will start a thread, whose clock begins with the caller's.
  std::uint64_t announce();
  /// The calling thread is the announced one.
  void attach(std::uint64_t number);
  /// The thread makes no more calls.
  void detach(std::uint64_t number);
  /// The calling thread does something outside of simulated time, for which others need not wait.
  void leave();
  void come_back();

 private:
  /// A thread that takes turns.
  struct Attached {
    enum class State : std::uint8_t {
      runs,     ///< its next call comes at its clock or later; also before it has started
      blocked,  ///< in a wait
      outside,  ///< nobody waits for it
    };
    State state = State::runs;
    std::uint64_t clock_ps = 0;
    const std::function<bool()>* satisfied = nullptr;  ///< blocked: what it waits for
    std::uint64_t deadline_ps = never;
    std::uint64_t wake_ps = 0;
    Outcome outcome = Outcome::satisfied;  ///< of the wait that was over
  };
  void take_turn(Lock& lock);
  void begin_call(Lock& held, std::uint64_t cost_ps, Machine* machine);
  Machine* with_cores(Machine* machine) const;
  void compute_on(Machine& machine, Lock& held, std::uint64_t work_ps);
  Outcome wait_attached(Lock& lock, const std::function<bool()>& satisfied, std::uint64_t deadline_ps,
                        std::uint64_t wake_ps);
  bool is_first(std::uint64_t number, const Attached& thread) const;
  bool anyone_runs() const;
  bool wake_satisfied();
  bool simulate_to(std::uint64_t time_ps);
  void wake(Attached& thread, Outcome outcome, std::uint64_t clock_ps);
  std::uint64_t next_deadline() const;
  void drive(Lock& lock, LookAgain& look_again);

  Host();
  /// What simulates these machines. Whose work would take longer than there is time stands still from then on, and the
  /// others go on.
  template <class Run>
  auto surviving(const std::vector<Machine*>& machines, Run&& run) {
    while (true) {
      try {
        return run();
      } catch (const std::overflow_error& error) {
        tell_failed(machines, error.what());
      }
    }
  }
  void tell_failed(const std::vector<Machine*>& machines, const std::string& why);
  std::vector<Machine*>& group_of(const Machine& machine);
  bool simulate(const std::function<bool()>& satisfied, std::uint64_t deadline_ps);
  /// A thread from the beginning to the end of its wait, which it notices only when it runs again.
  struct Waiting {
    const std::function<std::string()>* what;
    const std::function<bool()>* satisfied;
    std::uint64_t deadline_ps;
    const Attached* attached;  ///< null: a free thread
  };
  static bool may_act(const Waiting& waiter, std::uint64_t deadline_ps);
  bool others_may_act(std::uint64_t deadline_ps) const;
  void report_deadlock() const;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Machine*> machines_;                                            // in order of creation
  std::map<const Machine*, std::function<void(const std::string&)>> failed_;  // who is told of it
  std::vector<std::vector<Machine*>> groups_;  // of machines_, those that are coupled together
  std::vector<const Waiting*> waiting_;
  std::map<std::uint64_t, Attached> attached_;  // by number
  std::uint64_t next_number_ = 1;
  bool wall_coupled_ = false;
  std::uint64_t wall_start_ns_ = 0;
};

}  // namespace fenceline::d3d12
