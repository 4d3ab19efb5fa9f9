// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/log.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace fenceline {

/// How many DMA buffers stand in each hardware queue: those that were submitted and have neither completed nor come
/// back.
class HardwareDepths {
 public:
  using Queue = std::pair<LogName, std::uint32_t>;  ///< node, hardware queue

  /// How many with this one.
  std::size_t submission(const SubmissionRecord& submission);
  /// How many without those that it says are gone; nothing where it says nothing of that.
  std::optional<std::size_t> interrupt(const InterruptRecord& interrupt);
  /// A node is reset, or with no name all are: their queues that were not empty are now.
  std::vector<Queue> reset(LogName node);

 private:
  std::map<Queue, std::vector<std::uint64_t>> held_;  // submission fence ids
};

}  // namespace fenceline
