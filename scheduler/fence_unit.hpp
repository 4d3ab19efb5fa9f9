// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/log.hpp"

#include <systemc>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace fenceline {

/// A fence of one machine.
enum class FenceId : std::uint32_t {};

/// Who moved a fence: the index of a node, or the CPU.
enum class Signaller : std::uint32_t { cpu = std::numeric_limits<std::uint32_t>::max() };

/// Hears that a fence reached the value it asked for.
class FenceWaiter {
 public:
  virtual ~FenceWaiter() = default;
  /// Called from inside the signal.
  virtual void fence_reached(std::uint64_t token, Signaller by) = 0;
};

/// Fences with 64-bit values that only signals move, up or down, from the CPU or a queue.
///
/// A wait holds until the fence is at its value or above. It is counted from the moment it is registered: once the
/// fence has reached the value, a later rewind does not take that back. A wait registered after a rewind is compared
/// with the lower value. Source: spec multi-engine synchronization, "Fences"; vkd3d-proton's test of signal
/// availability for the time from which a queue's wait counts.
class FenceUnit : public sc_core::sc_module {
 public:
  FenceUnit(sc_core::sc_module_name name, EventLog& log);

  /// `name` is for people; it need not be unique.
  FenceId create(const std::string& name, std::uint64_t initial_value);
  std::size_t count() const { return fences_.size(); }
  std::uint64_t value(FenceId fence) const { return at(fence).value; }
  const std::string& name_of(FenceId fence) const { return at(fence).name; }
  LogName log_name_of(FenceId fence) const { return at(fence).log_name; }
  /// Signals so far.
  std::uint64_t signals(FenceId fence) const { return at(fence).signals; }

  /// Takes effect at once; satisfied waits are told in the order they were registered.
  void signal(FenceId fence, std::uint64_t value, Signaller by);
  /// True: already satisfied, the waiter is not called. Else it is called once, when the value is reached.
  bool wait(FenceId fence, std::uint64_t value, FenceWaiter& waiter, std::uint64_t token);

 private:
  struct Wait {
    std::uint64_t value;
    std::uint64_t sequence;
    FenceWaiter* waiter;
    std::uint64_t token;
  };
  struct Fence {
    std::string name;
    LogName log_name;
    std::uint64_t value;
    std::uint64_t signals;
    std::vector<Wait> waits;  // a heap, lowest value first
  };
  static bool later(const Wait& a, const Wait& b) {
    return a.value != b.value ? a.value > b.value : a.sequence > b.sequence;
  }
  const Fence& at(FenceId fence) const { return fences_[static_cast<std::uint32_t>(fence)]; }

  EventLog& log_;
  LogName log_value_;
  std::vector<Fence> fences_;
  std::uint64_t next_sequence_ = 0;
};

}  // namespace fenceline
