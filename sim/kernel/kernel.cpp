// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/kernel.hpp"

#include "sim/sanitizers.hpp"

#include <algorithm>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

#if defined(FENCELINE_ADDRESS_SANITIZER)
#include <sanitizer/common_interface_defs.h>

#include <pthread.h>
#endif

namespace fenceline {
namespace {

const sc_core::sc_time no_time;
const SimulatedTime no_simulation{&no_time, 0};
constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

// The kernel whose processes this host thread is running, if any.
thread_local Kernel* running_kernel = nullptr;
// This host thread holds the process-wide lock.
thread_local bool entered = false;

// SystemC keeps the current context in two plain globals: one lock for all kernels of the process.
std::mutex& process_lock() {
  if (running_kernel != nullptr) {
    throw std::logic_error("fenceline: a kernel may not be entered from inside a simulation process");
  }
  if (entered) throw std::logic_error("fenceline: a kernel may not be entered while another call of one is under way");
  static std::mutex lock;
  return lock;
}

// SystemC 2.3.4 announces its fiber switches to AddressSanitizer with empty bounds for the way back to the host's
// stack; after that every exception caught by the host is a false report. Announce the host's stack again.
void announce_host_stack() {
#if defined(FENCELINE_ADDRESS_SANITIZER)
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* bottom = nullptr;
  std::size_t size = 0;
  pthread_attr_getstack(&attributes, &bottom, &size);
  pthread_attr_destroy(&attributes);
  void* fake_stack = nullptr;
  __sanitizer_start_switch_fiber(&fake_stack, bottom, size);
  __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
#endif
}

// Process-wide report actions: a failed sc_assert or fatal report becomes an exception instead of abort().
void prepare_reports() {
  static const bool once = [] {
    sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    // A machine without work is started too, to elaborate it; that nothing happens then is no news.
    sc_core::sc_report_handler::set_actions(sc_core::SC_ID_NO_SC_START_ACTIVITY_, sc_core::SC_DO_NOTHING);
    return true;
  }();
  (void)once;
}

class Running {
 public:
  explicit Running(Kernel* kernel) { running_kernel = kernel; }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() {
    running_kernel = nullptr;
    announce_host_stack();
  }
};

}  // namespace

const SimulatedTime* simulated_time = &no_simulation;

/// Holds the process-wide lock and makes one context the current one.
class Kernel::Entered {
 public:
  explicit Entered(const Kernel& kernel)
      : lock_(process_lock()), current_(sc_core::sc_curr_simcontext), default_(sc_core::sc_default_global_context) {
    entered = true;
    sc_core::sc_curr_simcontext = kernel.context_.get();
    sc_core::sc_default_global_context = kernel.context_.get();
    simulated_time = &kernel.time_;
  }
  Entered(const Entered&) = delete;
  Entered& operator=(const Entered&) = delete;
  ~Entered() {
    entered = false;
    simulated_time = &no_simulation;
    sc_core::sc_curr_simcontext = current_;
    sc_core::sc_default_global_context = default_;
  }

 private:
  std::lock_guard<std::mutex> lock_;
  sc_core::sc_simcontext* current_;
  sc_core::sc_simcontext* default_;
};

/// Kills every process from inside the simulation, the only place where SystemC unwinds them safely.
struct Kernel::Reaper : sc_core::sc_module {
  explicit Reaper(sc_core::sc_module_name name) : sc_module(name) {
    SC_HAS_PROCESS(Reaper);
    SC_METHOD(reap);
    sensitive << go;
    dont_initialize();
  }
  void reap() {
    std::vector<sc_core::sc_process_handle> victims;
    collect(sc_core::sc_get_top_level_objects(), victims);
    const auto self = sc_core::sc_get_current_process_handle();
    for (auto& victim : victims) {
      if (victim.valid() && victim != self && !victim.terminated()) victim.kill();
    }
  }
  static void collect(const std::vector<sc_core::sc_object*>& objects,
                      std::vector<sc_core::sc_process_handle>& victims) {
    for (auto* object : objects) {
      sc_core::sc_process_handle handle(object);
      if (handle.valid()) victims.push_back(handle);
      collect(object->get_child_objects(), victims);
    }
  }
  sc_core::sc_event go;
};

/// Waits until nothing but itself is left to do at the present time. One for all who ask: two of them would wait for
/// each other for ever.
struct Kernel::Settling : sc_core::sc_module {
  explicit Settling(sc_core::sc_module_name name) : sc_module(name) {
    SC_HAS_PROCESS(Settling);
    SC_METHOD(look);
    sensitive << again;
    dont_initialize();
  }
  void look() {
    if (!alone()) {
      Kernel::notify(again, running_kernel->now_ps());
      return;
    }
    const std::vector<Callback> due = std::exchange(calls, {});
    for (const Callback& call : due) guarded(call);
  }
  std::vector<Callback> calls;
  sc_core::sc_event again;
};

Kernel::Kernel(const std::function<std::unique_ptr<sc_core::sc_module>()>& build) {
  prepare_reports();
  {
    // Made under the lock too: the constructor of a context uses the global object manager.
    const std::lock_guard<std::mutex> lock(process_lock());
    context_ = std::make_unique<sc_core::sc_simcontext>();
    time_.systemc = &context_->time_stamp();
  }
  try {
    const Entered in(*this);
    reaper_ = std::make_unique<Reaper>("reaper");
    settling_ = std::make_unique<Settling>("settling");
    top_ = build();
    simulate(0, [] { sc_core::sc_start(sc_core::SC_ZERO_TIME); });
    settle();
  } catch (...) {
    destroy();
    throw;
  }
}

Kernel::~Kernel() { destroy(); }

bool Kernel::is_going_ = false;

void Kernel::destroy() {
  const Entered in(*this);
  is_going_ = true;
  // A context in which elaboration failed has never run: there is nothing to unwind, and starting it would throw.
  if (reaper_ && context_->elaboration_done()) {
    try {
      reaper_->go.notify(sc_core::SC_ZERO_TIME);
      const Running running(this);
      while (sc_core::sc_pending_activity_at_current_time()) sc_core::sc_start(sc_core::SC_ZERO_TIME);
    } catch (...) {  // NOLINT(bugprone-empty-catch): a destructor; what a dying process throws concerns nobody
    }
  }
  top_.reset();
  settling_.reset();
  reaper_.reset();
  // SystemC 2.3.4 leaks the timed notifications still queued in a context that goes. Their events are gone by now, and
  // asking for the next time throws such entries away.
  sc_core::sc_time_to_pending_activity(context_.get());
  context_.reset();
  is_going_ = false;
}

std::uint64_t Kernel::now_ps() const { return time_.now_ps(); }

void Kernel::simulate(std::uint64_t limit_ps, const std::function<void()>& step) {
  limit_ps_ = limit_ps;
  pausing_ = false;
  {
    const Running running(this);
    step();
  }
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void Kernel::settle() {
  while (sc_core::sc_pending_activity_at_current_time()) {
    simulate(now_ps(), [] { sc_core::sc_start(sc_core::SC_ZERO_TIME); });
  }
}

bool Kernel::run(const std::function<bool()>& done) {
  const Entered in(*this);
  while (!done()) {
    if (!sc_core::sc_pending_activity()) return false;
    simulate(no_limit, [] { sc_core::sc_start(); });
  }
  return true;
}

bool Kernel::run_until(const std::function<bool()>& done, std::uint64_t limit_ps) {
  const Entered in(*this);
  limit_ps = std::max(limit_ps, now_ps());
  // Without a limit, time stays where activity ends: it has nowhere to go.
  const bool limited = limit_ps != no_limit;
  const auto policy = limited ? sc_core::SC_RUN_TO_TIME : sc_core::SC_EXIT_ON_STARVATION;
  while (!done()) {
    // sc_start(t) stops before the processes of the last moment run.
    const bool at_limit = systemc_ps() >= limit_ps;
    if (at_limit ? !sc_core::sc_pending_activity_at_current_time() : !sc_core::sc_pending_activity()) return false;
    const auto left = sc_core::sc_time::from_value(at_limit ? 0 : limit_ps - systemc_ps());
    simulate(limit_ps, [&] { sc_core::sc_start(left, policy); });
  }
  return true;
}

void Kernel::run_to_end() {
  run([] { return false; });
}

bool Kernel::run_to_end(std::uint64_t limit_ps, const std::function<bool()>& stop) {
  {
    const Entered in(*this);
    limit_ps = std::max(limit_ps, now_ps());
    while (comes_by(limit_ps)) {
      if (stop && stop()) return true;
      const auto left = sc_core::sc_time::from_value(limit_ps - std::min(limit_ps, systemc_ps()));
      simulate(limit_ps, [&] { sc_core::sc_start(left, sc_core::SC_EXIT_ON_STARVATION); });
    }
    if (!sc_core::sc_pending_activity()) return true;
  }
  advance_to(limit_ps);
  return false;
}

void Kernel::advance_to(std::uint64_t time_ps) {
  const Entered in(*this);
  time_ps = std::max(time_ps, now_ps());
  // sc_start(t) stops before the processes of the last moment run, and may be cut short by a pause.
  settle();
  while (systemc_ps() < time_ps) {
    simulate(time_ps, [&] { sc_core::sc_start(sc_core::sc_time::from_value(time_ps - systemc_ps())); });
    settle();
  }
}

void Kernel::enter(const std::function<void()>& body) {
  const Entered in(*this);
  body();
}

bool Kernel::simulating() const { return running_kernel == this; }

/// Besides the process that is running, something is to be done by then.
bool Kernel::comes_by(std::uint64_t time_ps) const {
  if (sc_core::sc_pending_activity_at_current_time(context_.get())) return true;
  sc_core::sc_time next;  // where a process has run ahead, the present time's next delta cycle is among these
  return context_->next_time(next) && next.value() <= time_ps;
}

std::uint64_t Kernel::next_ps() const {
  if (sc_core::sc_pending_activity_at_current_time(context_.get())) return now_ps();
  sc_core::sc_time next;
  return context_->next_time(next) ? std::max<std::uint64_t>(now_ps(), next.value()) : no_limit;
}

bool Kernel::run_ahead(std::uint64_t time_ps) {
  Kernel& kernel = *running_kernel;
  if (kernel.pausing_ || time_ps > kernel.limit_ps_ || time_ps <= kernel.now_ps()) return false;
  if (kernel.comes_by(time_ps)) return false;
  kernel.time_.ahead_ps = time_ps;
  return true;
}

void Kernel::notify(sc_core::sc_event& event, std::uint64_t time_ps) {
  event.notify(sc_core::sc_time::from_value(time_ps - simulated_time->systemc->value()));
}

bool Kernel::alone() { return !running_kernel->comes_by(running_kernel->now_ps()); }

void Kernel::when_settled(Callback call) {
  Settling& settling = *running_kernel->settling_;
  settling.calls.push_back(call);
  notify(settling.again, running_kernel->now_ps());
}

void Kernel::pause_running() {
  if (running_kernel == nullptr) return;
  running_kernel->pausing_ = true;
  sc_core::sc_pause();
}

void Kernel::keep_exception(std::exception_ptr error) {
  Kernel* kernel = running_kernel;
  if (kernel == nullptr) std::rethrow_exception(error);
  if (!kernel->error_) kernel->error_ = std::move(error);
  pause_running();
}

}  // namespace fenceline
