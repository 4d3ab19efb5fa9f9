// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace fenceline {

class TimelineCursor;

/// Hears which steps a player goes through, as it begins each, repeats unrolled. From inside the simulation.
class StepListener {
 public:
  virtual ~StepListener() = default;
  /// A step of a queue's own timeline.
  virtual void queue_begins(std::size_t queue, const TimelineCursor& at) = 0;
  /// A step of a CPU thread, at this simulated time.
  virtual void thread_begins(std::size_t thread, const TimelineCursor& at, std::uint64_t at_ps) = 0;
  /// The thread does now what the step is that it began last: behind a sleep it may have been held up; a wait once more
  /// when it is over.
  virtual void thread_acts(std::size_t thread, std::uint64_t at_ps) {
    (void)thread;
    (void)at_ps;
  }
};

}  // namespace fenceline
