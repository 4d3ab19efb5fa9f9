// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/delta_call.hpp"

#include "sim/kernel/now.hpp"

#include <utility>

namespace fenceline {
namespace {

// Of the SC_METHOD that this host thread is running, if any.
thread_local bool in_method = false;
thread_local DeltaCall* first_request = nullptr;
thread_local DeltaCall* last_request = nullptr;

}  // namespace

DeltaCall::DeltaCall(sc_core::sc_module_name module_name, Callback call) : sc_module(module_name), call_(call) {
  SC_HAS_PROCESS(DeltaCall);
  SC_METHOD(woken);
  sensitive << event_;
  dont_initialize();
}

void DeltaCall::request() {
  if (requested_) return;
  requested_ = true;
  if (in_method) {
    (first_request == nullptr ? first_request : last_request->next_) = this;
    last_request = this;
  } else {
    Kernel::notify(event_, now_ps());
  }
}

void DeltaCall::begin_method() { in_method = true; }

void DeltaCall::end_method() {
  while (first_request != nullptr) {
    DeltaCall* request = std::exchange(first_request, nullptr);  // with those behind it: they would be one delta cycle
    const bool alone = Kernel::alone();
    while (request != nullptr) {
      DeltaCall& one = *request;
      request = std::exchange(one.next_, nullptr);
      if (alone) {
        one.run();
      } else {
        Kernel::notify(one.event_, now_ps());
      }
    }
  }
  in_method = false;
}

void DeltaCall::woken() {
  requested_ = false;
  as_method(call_);
}

void DeltaCall::run() {
  requested_ = false;
  guarded(call_);
}

}  // namespace fenceline
