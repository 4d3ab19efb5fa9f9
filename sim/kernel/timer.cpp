// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/timer.hpp"

#include "sim/assert.hpp"
#include "sim/kernel/delta_call.hpp"
#include "sim/kernel/kernel.hpp"
#include "sim/kernel/now.hpp"

#include <string>

namespace fenceline {

Timer::Timer(sc_core::sc_module_name module_name, Callback call) : sc_module(module_name), call_(call) {
  SC_HAS_PROCESS(Timer);
  SC_METHOD(woken);
  sensitive << event_;
  dont_initialize();
}

void Timer::set(std::uint64_t time_ps) {
  if (time_ps == due_ps_) return;
  FENCELINE_ASSERT(time_ps >= now_ps(), std::string(name()) + ": set to a time that has passed");
  due_ps_ = time_ps;
  if (calling_ && time_ps > now_ps()) return;  // later, when the call and what it asks for are over
  notify();
}

void Timer::woken() {
  notified_ps_ = never;
  if (due_ps_ <= now_ps()) {
    calling_ = true;
    do {
      due_ps_ = never;
      as_method(call_);
    } while (due_ps_ != never && Kernel::run_ahead(due_ps_));
    calling_ = false;
  }
  notify();
}

/// Woken earlier it waits for the rest: what is cancelled stays in SystemC's queue until its time.
void Timer::notify() {
  if (due_ps_ == notified_ps_ || (due_ps_ != never && notified_ps_ < due_ps_)) return;
  if (notified_ps_ != never) event_.cancel();
  notified_ps_ = due_ps_;
  if (due_ps_ != never) Kernel::notify(event_, due_ps_);
}

}  // namespace fenceline
