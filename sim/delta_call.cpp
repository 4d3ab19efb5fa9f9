// SPDX-License-Identifier: Apache-2.0
#include "sim/delta_call.hpp"

#include <cstddef>
#include <vector>

namespace fenceline {
namespace {

// Of the SC_METHOD that this host thread is running, if any.
thread_local bool in_method = false;
thread_local std::vector<DeltaCall*> requests;

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
    requests.push_back(this);
  } else {
    event_.notify(sc_core::SC_ZERO_TIME);
  }
}

void DeltaCall::begin_method() { in_method = true; }

void DeltaCall::end_method() {
  if (!requests.empty()) {
    for (std::size_t begin = 0; begin < requests.size();) {
      const std::size_t end = requests.size();  // they would be one delta cycle
      const bool alone = !sc_core::sc_pending_activity_at_current_time();
      for (; begin < end; ++begin) {
        if (alone) {
          requests[begin]->run();
        } else {
          requests[begin]->event_.notify(sc_core::SC_ZERO_TIME);
        }
      }
    }
    requests.clear();
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
