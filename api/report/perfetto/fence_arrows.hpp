// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/log.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fenceline {

/// From where to where arrows of fences lead: from what a signal's queue ran last before it to what the queue that
/// waited for it runs next. Waits that did not have to wait have none. Memory is bounded by queues and fences.
class FenceArrows {
 public:
  /// A place in the trace.
  struct Slice {
    std::string thread;
    std::uint64_t at_ps;
  };

  /// Of the type signal or wait; others mean nothing.
  void packet(const PacketRecord& packet);
  /// A piece of a packet of that queue was written on this thread: from where arrows lead to its start.
  std::vector<Slice> ran(LogName context, const Span& span, std::string_view thread);

 private:
  struct Signalled {
    std::uint64_t value;
    Slice from;
  };
  static constexpr std::size_t most_signals = 64;  // of a fence: who waits for an older one does not wait

  std::map<LogName, Slice> last_ran_;                 // by context
  std::map<LogName, std::deque<Signalled>> signals_;  // by fence
  std::map<LogName, std::vector<Slice>> released_;    // by context: it has not run since
};

}  // namespace fenceline
