// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/host/host.hpp"

#include "api/capture/capture_thread.hpp"
#include "api/coupled_machines.hpp"
#include "api/d3d12/host/host_clock.hpp"
#include "bgproc/tasks/host_executor.hpp"
#include "sim/duration.hpp"
#include "sim/files/console.hpp"
#include "sim/sanitizers.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace fenceline::d3d12 {

thread_local std::uint64_t thread_clock_ps = 0;
thread_local std::uint64_t thread_number = 0;
thread_local std::uint64_t thread_spent_ps = 0;

namespace {

std::uint64_t wall_ns() {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
          .count());
}

// Of the thread sanitizer, which never calls.
#if defined(FENCELINE_THREAD_SANITIZER)
constexpr std::size_t foreign_threads = 1;
#else
constexpr std::size_t foreign_threads = 0;
#endif

/// Threads of this process, as the kernel counts them; 0 where it does not say. One number, read at once: a walk
/// through /proc/self/task ends early when a thread on its way exits.
std::size_t threads_of_process() {
  std::array<char, 1024> text{};  // 52 numbers and a name of at most 64 bytes
  const int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t length = ::read(file, text.data(), text.size() - 1);
  close(file);
  // proc(5): num_threads is field 20; field 2 is the name, in parentheses, and one space is before each of the others.
  const char* at = length > 0 ? std::strrchr(text.data(), ')') : nullptr;
  for (int field = 3; field <= 20 && at != nullptr; ++field) at = std::strchr(at + 1, ' ');
  return at != nullptr ? std::strtoul(at, nullptr, 10) : 0;
}

/// The most that one of the machines' hosts says; 0 without any.
double most_of(const std::vector<Machine*>& machines, double HostConfig::*cost) {
  double most = 0;
  for (const Machine* machine : machines) most = std::max(most, machine->config().host.*cost);
  return most;
}

}  // namespace

Host& Host::instance() {
  static Host* const host = new Host;  // lives on while the process's last objects die
  return *host;
}

Host::Host() : wall_start_ns_(wall_ns()) {
  const char* clock = std::getenv("FENCELINE_CLOCK");
  if (clock == nullptr || std::string_view(clock) == "simulated") return;
  wall_coupled_ = std::string_view(clock) == "wall";
  if (!wall_coupled_) {
    console::tell("fenceline: FENCELINE_CLOCK: expected \"simulated\" or \"wall\", found \"{}\"\n", clock);
  }
}

void Host::add(Machine& machine, std::function<void(const std::string& why)> failed) {
  const Lock held = lock();
  machines_.push_back(&machine);
  failed_[&machine] = std::move(failed);
  machine.when_news([this] { changed_.notify_all(); });
  groups_.push_back({&machine});
}

void Host::remove(Machine& machine) {
  const Lock held = lock();
  machine.end_fences();  // others may not tell it of signals any more
  machines_.erase(std::find(machines_.begin(), machines_.end(), &machine));
  failed_.erase(&machine);
  std::vector<Machine*>& group = group_of(machine);
  group.erase(std::find(group.begin(), group.end(), &machine));
  groups_.erase(std::remove_if(groups_.begin(), groups_.end(), [](const auto& one) { return one.empty(); }),
                groups_.end());
}

std::vector<Machine*>& Host::group_of(const Machine& machine) {
  return *std::find_if(groups_.begin(), groups_.end(), [&](const auto& group) {
    return std::find(group.begin(), group.end(), &machine) != group.end();
  });
}

void Host::tell_failed(const std::vector<Machine*>& machines, const std::string& why) {
  for (const Machine* machine : machines) {
    const auto found = failed_.find(machine);
    if (!machine->failed() || found == failed_.end()) continue;
    const auto tell = std::move(found->second);
    failed_.erase(found);
    tell(why);
  }
}

void Host::couple(Machine& machine) {
  const auto with_it = [&](const std::vector<Machine*>& group) {
    return std::any_of(group.begin(), group.end(),
                       [&](const Machine* one) { return one == &machine || one->shares_fences_with(machine); });
  };
  std::vector<Machine*> together;
  for (Machine* one : machines_) {
    if (with_it(group_of(*one))) together.push_back(one);
  }
  groups_.erase(std::remove_if(groups_.begin(), groups_.end(), with_it), groups_.end());
  groups_.push_back(std::move(together));
  surviving(groups_.back(), [&] { advance_coupled(groups_.back(), 0); });
}

void Host::spend(std::uint64_t cost_ps) { (thread_number != 0 ? thread_spent_ps : thread_clock_ps) += cost_ps; }

std::uint64_t Host::clock_ps() { return thread_clock_ps + thread_spent_ps; }

void Host::begin_call(Lock& held, std::uint64_t cost_ps, Machine* machine) {
  Machine* const computer = thread_number != 0 ? with_cores(machine) : nullptr;
  if (computer != nullptr) {
    compute_on(*computer, held, cost_ps + std::exchange(thread_spent_ps, 0));
  } else {
    thread_clock_ps += cost_ps;
    settle_spent();
  }
  if (wall_coupled_) thread_clock_ps = std::max(thread_clock_ps, (wall_ns() - wall_start_ns_) * 1000);
  if (thread_number != 0) take_turn(held);
}

Host::Lock Host::enter_call() {
  Lock held = lock();
  const double poll_us = machines_.empty() ? HostConfig{}.poll_us : most_of(machines_, &HostConfig::poll_us);
  begin_call(held, ps_of_us(poll_us), nullptr);
  return held;
}

void Host::compute(std::uint64_t work_ps) {
  Lock held = lock();
  begin_call(held, work_ps, nullptr);
}

Host::Lock Host::enter(std::uint64_t cost_ps, Machine* machine) {
  Lock held = lock();
  begin_call(held, cost_ps, machine);
  if (machine != nullptr) {
    const std::vector<Machine*>& group = group_of(*machine);
    surviving(group, [&] { advance_coupled(group, thread_clock_ps); });
    thread_clock_ps = std::max(thread_clock_ps, machine->now_ps());
  }
  return held;
}

void Host::notify() {
  Machine::pause();
  changed_.notify_all();
}

/// Brings the machines on until `satisfied`. False: nothing is left to do, or the time is up.
bool Host::simulate(const std::function<bool()>& satisfied, std::uint64_t deadline_ps) {
  // What one group does may let a thread go on, but never another group: each can run by itself.
  for (const std::vector<Machine*>& group : groups_) {
    if (!surviving(group, [&] { return run_coupled(group, satisfied, deadline_ps); })) continue;
    for (const Machine* machine : group) thread_clock_ps = std::max(thread_clock_ps, machine->now_ps());
    return true;
  }
  return satisfied();
}

std::uint64_t Host::wake_ps() const { return ps_of_us(most_of(machines_, &HostConfig::wake_us)); }

/// It acts before a wait until `deadline_ps` is over, without anybody's help: it has been woken but has not run since,
/// or its timeout comes first.
bool Host::may_act(const Waiting& waiter, std::uint64_t deadline_ps) {
  const bool woken = waiter.attached != nullptr && waiter.attached->state != Attached::State::blocked;
  return woken || (*waiter.satisfied)() || waiter.deadline_ps < deadline_ps;
}

/// Somebody may act before a wait of the calling thread until `deadline_ps` is over: a waiter, or a thread of the
/// process that does not wait here, or one that runs background tasks; not those that write captures. Waiters first,
/// for to ask the kernel takes longer.
bool Host::others_may_act(std::uint64_t deadline_ps) const {
  return std::any_of(waiting_.begin(), waiting_.end(),
                     [&](const Waiting* waiter) { return may_act(*waiter, deadline_ps); }) ||
         std::any_of(machines_.begin(), machines_.end(),
                     [](const Machine* machine) { return machine->working_elsewhere(); }) ||
         threads_of_process() > waiting_.size() + foreign_threads + HostExecutor::threads() + CaptureThread::threads();
}

Host::Outcome Host::wait(Lock& held, const std::function<bool()>& satisfied, std::uint64_t deadline_ps,
                         std::uint64_t wake_ps, const std::function<std::string()>& what) {
  if (satisfied()) return Outcome::satisfied;
  const Attached* const attached = thread_number != 0 ? &attached_.at(thread_number) : nullptr;
  const Waiting waiting{&what, &satisfied, deadline_ps, attached};
  waiting_.push_back(&waiting);
  if (thread_number != 0) {
    const Outcome outcome = wait_attached(held, satisfied, deadline_ps, wake_ps);
    waiting_.erase(std::find(waiting_.begin(), waiting_.end(), &waiting));
    return outcome;
  }
  const std::uint64_t start_ps = thread_clock_ps;
  const std::uint64_t real_ms = deadline_ps == never ? 0 : (deadline_ps - start_ps) / 1'000'000'000;
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(real_ms);
  Outcome outcome = Outcome::satisfied;
  LookAgain look_again;
  while (!simulate(satisfied, deadline_ps)) {
    const bool timed = deadline_ps != never;
    const bool late = timed && std::chrono::steady_clock::now() >= until;  // asked first: programs poll without timeout
    const bool others = !late && others_may_act(deadline_ps);
    const bool over = timed && !others;
    if (!others) {
      outcome = over ? Outcome::timed_out : Outcome::deadlock;
      break;
    }
    look_again.wait(changed_, held);
  }
  if (outcome == Outcome::deadlock) report_deadlock();
  if (outcome == Outcome::timed_out) thread_clock_ps = std::max(thread_clock_ps, deadline_ps);
  if (outcome == Outcome::satisfied) thread_clock_ps += wake_ps;
  waiting_.erase(std::find(waiting_.begin(), waiting_.end(), &waiting));
  return outcome;
}

void Host::report_deadlock() const {
  std::string text = "fenceline: deadlock: nothing is left that could wake a thread of this program\n";
  for (const Waiting* one : waiting_) text += fmt::format("  a thread waits for {}\n", (*one->what)());
  for (const Machine* machine : machines_) {
    for (const std::string& line : machine->deadlock()) text += fmt::format("  {}\n", line);
  }
  console::tell(text);
}

}  // namespace fenceline::d3d12
