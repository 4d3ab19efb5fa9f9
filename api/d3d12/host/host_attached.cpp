// SPDX-License-Identifier: Apache-2.0
// Host, the family of functions for attached threads. Of those that run, the one with the smallest clock goes first
// (the smaller number of equal clocks); machines are simulated up to its call, and a wait that ends on the way makes
// another thread run, which may then be the first.
#include "api/coupled_machines.hpp"
#include "api/d3d12/host/host.hpp"
#include "api/d3d12/host/host_clock.hpp"
#include "sim/callback.hpp"

#include <algorithm>
#include <chrono>

namespace fenceline::d3d12 {
namespace {

/// When the last call of an attached thread took effect, which may have ended another's wait: with the host's lock. No
/// machine says so in a program that has none yet.
std::uint64_t last_turn_ps = 0;

}  // namespace

std::uint64_t Host::announce() {
  const Lock held = lock();
  const std::uint64_t number = next_number_++;
  settle_spent();
  attached_[number].clock_ps = thread_clock_ps;
  return number;
}

void Host::attach(std::uint64_t number) {
  const Lock held = lock();
  thread_number = number;
  thread_clock_ps = attached_.at(number).clock_ps;
}

void Host::detach(std::uint64_t number) {
  const Lock held = lock();
  if (thread_number == number) {
    settle_spent();
    thread_number = 0;
  }
  attached_.erase(number);
  changed_.notify_all();
}

void Host::leave() {
  const Lock held = lock();
  if (thread_number == 0) return;
  settle_spent();
  attached_.at(thread_number).state = Attached::State::outside;
  changed_.notify_all();
}

void Host::come_back() {
  const Lock held = lock();
  if (thread_number == 0) return;
  Attached& self = attached_.at(thread_number);
  // What others did meanwhile, machines have seen; it goes on where the furthest of them is.
  for (const Machine* machine : machines_) thread_clock_ps = std::max(thread_clock_ps, machine->now_ps());
  self.clock_ps = thread_clock_ps;
  self.state = Attached::State::runs;
}

bool Host::is_first(std::uint64_t number, const Attached& thread) const {
  return std::none_of(attached_.begin(), attached_.end(), [&](const auto& other) {
    if (other.second.state != Attached::State::runs || other.first == number) return false;
    if (other.second.clock_ps != thread.clock_ps) return other.second.clock_ps < thread.clock_ps;
    return other.first < number;
  });
}

bool Host::anyone_runs() const {
  return std::any_of(attached_.begin(), attached_.end(),
                     [](const auto& one) { return one.second.state == Attached::State::runs; });
}

std::uint64_t Host::next_deadline() const {
  std::uint64_t next_ps = never;
  for (const auto& [number, thread] : attached_) {
    if (thread.state == Attached::State::blocked) next_ps = std::min(next_ps, thread.deadline_ps);
  }
  return next_ps;
}

void Host::wake(Attached& thread, Outcome outcome, std::uint64_t clock_ps) {
  thread.state = Attached::State::runs;
  thread.outcome = outcome;
  thread.clock_ps = std::max(thread.clock_ps, clock_ps);
  changed_.notify_all();
}

/// Threads whose wait is over run again. True: there were some.
bool Host::wake_satisfied() {
  bool woke = false;
  std::uint64_t now_ps = last_turn_ps;
  for (const Machine* machine : machines_) now_ps = std::max(now_ps, machine->now_ps());
  for (auto& [number, thread] : attached_) {
    if (thread.state != Attached::State::blocked || !(*thread.satisfied)()) continue;
    wake(thread, Outcome::satisfied, now_ps + thread.wake_ps);
    woke = true;
  }
  return woke;
}

/// Brings the machines to that time, but no further than to the end of the first wait. True: a thread was woken.
bool Host::simulate_to(std::uint64_t time_ps) {
  const std::uint64_t deadline_ps = next_deadline();
  const std::uint64_t limit_ps = std::min(time_ps, deadline_ps);
  const auto satisfied = [this] {
    return std::any_of(attached_.begin(), attached_.end(), [](const auto& one) {
      return one.second.state == Attached::State::blocked && (*one.second.satisfied)();
    });
  };
  surviving(machines_, [&] { run_coupled(machines_, satisfied, limit_ps); });
  if (wake_satisfied()) return true;
  if (deadline_ps == never || deadline_ps > time_ps) return false;
  for (auto& [number, thread] : attached_) {
    if (thread.state == Attached::State::blocked && thread.deadline_ps == deadline_ps) {
      wake(thread, Outcome::timed_out, deadline_ps);
    }
  }
  return true;
}

void Host::take_turn(Lock& held) {
  Attached& self = attached_.at(thread_number);
  self.clock_ps = thread_clock_ps;
  changed_.notify_all();  // others may be first now
  while (true) {
    if (!is_first(thread_number, self)) {
      changed_.wait(held);
    } else if (!simulate_to(self.clock_ps)) {
      last_turn_ps = std::max(last_turn_ps, self.clock_ps);
      return;
    }
  }
}

/// The machine that a call is to, or the first one, if its threads have cores; else null.
Machine* Host::with_cores(Machine* machine) const {
  if (machine == nullptr && !machines_.empty()) machine = machines_.front();
  return machine != nullptr && machine->config().host.cpu.cores > 0 ? machine : nullptr;
}

/// An attached thread computes on the machine's cores, as long as it takes beside whoever computes there.
void Host::compute_on(Machine& machine, Lock& held, std::uint64_t work_ps) {
  if (work_ps == 0) return;
  take_turn(held);
  struct Computing {
    void end(std::uint64_t) {
      ended = true;
      Machine::pause();
    }
    bool ended = false;
  } computing;
  machine.compute(work_ps, Callback::to<&Computing::end>(&computing), thread_number);
  const auto over = [&] {
    // Another thread may destroy the machine meanwhile.
    return computing.ended || std::find(machines_.begin(), machines_.end(), &machine) == machines_.end();
  };
  wait_attached(held, over, never, 0);
}

/// Everybody is blocked: simulates until somebody is not.
void Host::drive(Lock& held, LookAgain& look_again) {
  if (simulate_to(never)) return;
  const bool outside = std::any_of(attached_.begin(), attached_.end(),
                                   [](const auto& one) { return one.second.state == Attached::State::outside; });
  if (!outside && !others_may_act(never)) {
    report_deadlock();
    for (auto& [number, thread] : attached_) {
      if (thread.state == Attached::State::blocked) wake(thread, Outcome::deadlock, thread.clock_ps);
    }
    return;
  }
  look_again.wait(changed_, held);
  wake_satisfied();
}

Host::Outcome Host::wait_attached(Lock& held, const std::function<bool()>& satisfied, std::uint64_t deadline_ps,
                                  std::uint64_t wake_ps) {
  Attached& self = attached_.at(thread_number);
  self.clock_ps = thread_clock_ps;
  self.satisfied = &satisfied;
  self.deadline_ps = deadline_ps;
  self.wake_ps = wake_ps;
  LookAgain look_again;
  do {
    self.state = Attached::State::blocked;
    changed_.notify_all();
    while (self.state == Attached::State::blocked) {
      if (anyone_runs()) {
        changed_.wait(held);
      } else {
        drive(held, look_again);
      }
    }
    // Several may be woken by one event that resets itself: the first in line gets it, the others wait on.
    while (!is_first(thread_number, self)) changed_.wait(held);
  } while (self.outcome == Outcome::satisfied && !satisfied());
  thread_clock_ps = self.clock_ps;
  return self.outcome;
}

}  // namespace fenceline::d3d12
