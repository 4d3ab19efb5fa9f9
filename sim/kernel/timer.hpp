// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/callback.hpp"

#include <systemc>

#include <cstdint>

namespace fenceline {

/// A call at a time that may be moved until it comes.
///
/// A call that sets its own timer again goes on there without going back to SystemC, as long as nothing else in the
/// simulation comes first (Kernel::run_ahead): a timed event costs SystemC several times what the call itself does.
class Timer : public sc_core::sc_module {
 public:
  Timer(sc_core::sc_module_name name, Callback call);
  static constexpr std::uint64_t never = ~std::uint64_t{0};
  /// Calls at `time_ps`, now or later, instead of when it was set to before; never: not at all.
  void set(std::uint64_t time_ps);
  std::uint64_t due_ps() const { return due_ps_; }

 private:
  void woken();
  void notify();

  Callback call_;
  std::uint64_t due_ps_ = never;
  std::uint64_t notified_ps_ = never;  // when the event comes: not after due_ps_
  bool calling_ = false;
  sc_core::sc_event event_;
};

}  // namespace fenceline
