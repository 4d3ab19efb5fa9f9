// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/workload/replay/work_order.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fenceline {

/// The regions of each queue in which an order of work stands: events that have begun and not ended.
class OpenEvents {
 public:
  /// One that has begun.
  struct Event {
    std::uint64_t number;  ///< of all that have begun: two of one name are two
    BeginEventStep step;
  };

  explicit OpenEvents(std::size_t queues) : open_(queues) {}
  /// What a queue comes to next; nothing happens where it is neither a beginning nor an end.
  void add(const WorkOrder& order, const WorkEvent& event);
  /// The outermost first.
  const std::vector<Event>& of(std::uint32_t queue) const { return open_[queue]; }

 private:
  std::vector<std::vector<Event>> open_;  // by queue
  std::uint64_t begun_ = 0;
};

}  // namespace fenceline
