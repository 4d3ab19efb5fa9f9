// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace fenceline {

class TimelineCursor;

/// Hears which steps a player goes through, as it begins each, repeats unrolled. From inside the simulation.
class StepListener {
 public:
  virtual ~StepListener() = default;
  /// A step of a queue's own timeline.
  virtual void queue_begins(std::size_t queue, const TimelineCursor& at) = 0;
  /// A step of a CPU thread.
  virtual void thread_begins(std::size_t thread, const TimelineCursor& at) = 0;
};

}  // namespace fenceline
