// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/preemption.hpp"

#include <cstdint>
#include <string>

namespace fenceline {

/// What a node holds at most, and how it stops.
struct NodeLimits {
  std::string path;
  std::uint32_t hardware_queues = 1;
  std::uint32_t hardware_queue_depth = 2;            ///< DMA packets in each (HwQueuePacketCap)
  PreemptionLevel stops_at = PreemptionLevel::none;  ///< at which all that it runs can be stopped
};

}  // namespace fenceline
