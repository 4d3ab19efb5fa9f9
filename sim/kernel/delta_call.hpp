// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/callback.hpp"
#include "sim/kernel/kernel.hpp"

#include <systemc>

namespace fenceline {

/// A call in the next delta cycle, once, however often it has been asked for by then.
///
/// Asked for inside an SC_METHOD's body that `as_method` runs, and with nothing else left to do at this time, it comes
/// right behind that body: what would be the next delta cycle holds nothing but this call, and SystemC is spared it.
class DeltaCall : public sc_core::sc_module {
 public:
  DeltaCall(sc_core::sc_module_name name, Callback call);
  void request();

  /// After the body of an SC_METHOD. Used by `as_method`.
  static void begin_method();
  static void end_method();

 private:
  void woken();
  void run();

  Callback call_;
  bool requested_ = false;
  DeltaCall* next_ = nullptr;  // asked for after it in the same SC_METHOD
  sc_core::sc_event event_;
};

/// The body of an SC_METHOD: guarded, and followed by the calls that it asks for.
template <class Body>
void as_method(Body&& body) {
  DeltaCall::begin_method();
  guarded(body);
  DeltaCall::end_method();
}

}  // namespace fenceline
