// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/preemption.hpp"
#include "engines/command/requested_level.hpp"
#include "engines/hardware_queue/engine_listener.hpp"
#include "sim/kernel/timer.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace fenceline {

/// A request to preempt a hardware queue, from Engine::preempt to its answer.
struct StopRequest {
  StopRequest(PreemptionLevel finest, std::uint64_t now_ps) : level(finest, now_ps) {
    report.requested_ps = report.drain_from_ps = now_ps;
  }
  RequestedLevel level;
  PreemptionReport report;
  bool settled = false;                   ///< what happens at the moment of the request has happened
  bool asking = false;                    ///< inside the calls that halt commands
  std::uint64_t retry_ps = Timer::never;  ///< the packet may have done a unit of work by then
  std::vector<DmaPacket> withheld;        ///< those behind the front packet
};

}  // namespace fenceline
