// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/callback.hpp"
#include "sim/kernel/timer.hpp"

#include <systemc>

#include <cstdint>
#include <vector>

namespace fenceline {

/// What one module has to do later, in (time, sequence) order, with one timer for all of it. SystemC gives
/// events of one time no order; the agenda gives its entries first-in-first-out order at one time.
///
/// There is no cancel: an entry that may go stale carries a generation in its argument and is checked when it fires.
class Agenda : public sc_core::sc_module {
 public:
  explicit Agenda(sc_core::sc_module_name name);

  /// At `time_ps` (now or later) calls `(object->*Method)(argument)` from inside its timer.
  template <auto Method, class Object>
  void at(std::uint64_t time_ps, Object* object, std::uint64_t argument = 0) {
    push({time_ps, next_sequence_++, Callback::to<Method>(object, argument)});
  }
  void at(std::uint64_t time_ps, Callback call) { push({time_ps, next_sequence_++, call}); }
  bool empty() const { return heap_.empty(); }

 private:
  struct Entry {
    std::uint64_t time_ps;
    std::uint64_t sequence;
    Callback call;
  };
  struct Later {
    bool operator()(const Entry& a, const Entry& b) const {
      return a.time_ps != b.time_ps ? a.time_ps > b.time_ps : a.sequence > b.sequence;
    }
  };
  void push(const Entry& entry);
  void run(std::uint64_t);

  std::vector<Entry> heap_;
  std::uint64_t next_sequence_ = 0;
  bool running_ = false;
  Timer timer_;
};

}  // namespace fenceline
