// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/hazards/queue_clock.hpp"

#include <cstdint>
#include <vector>

namespace fenceline::d3d12 {

/// What is known to be over when a fence is seen at some value: for each value up to the present one, what its
/// signaller knew that brought the fence there, or above, and since whom it has not been below.
///
/// Later signals are not counted: who waits for frame 1 must not count on frame 2, even if that is done by then.
class FenceHistory {
 public:
  explicit FenceHistory(std::uint64_t initial_value) : value_(initial_value), base_(initial_value) {}

  void signal(std::uint64_t value, const QueueClock& clock);
  std::uint64_t value() const { return value_; }
  /// Of a fence at `value` or above: what follows from that. Of one that is below: of all signals so far.
  const QueueClock& reached(std::uint64_t value) const;
  /// What the last signal's signaller knew.
  const QueueClock& last() const { return last_; }
  /// Forgets what the CPU knows anyway: whatever waits from now on does, too.
  void forget(const QueueClock& cpu);

 private:
  /// The fence has been at `value` or above since a signal of that clock; below the next step's value before that.
  struct Step {
    std::uint64_t value;
    QueueClock clock;
  };
  std::uint64_t value_;
  std::uint64_t base_;       // up to here nothing follows that the CPU does not know
  std::vector<Step> steps_;  // by value, the last one the present
  QueueClock none_, last_, all_;
};

}  // namespace fenceline::d3d12
