// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/distribution.hpp"
#include "sim/log.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace fenceline {

enum class TurnKnob : std::uint8_t;  // api/report/turns: what includes this header need not have all of it

/// Time of a node that packets waited, before what ran was to stop for them, for turns or graces of one queue, for what
/// was of a higher rank, or for the floor of the normal band.
struct TurnTime {
  TurnKnob knob;            ///< what sets it
  std::uint8_t band;        ///< of the queue
  std::string queue;        ///< path of the context that ran
  std::uint64_t waited_ps;  ///< of all requests that were answered
};

/// What preemption on one node, or on all, was and cost.
struct PreemptionStats {
  std::string node;               ///< empty: all nodes
  std::uint64_t requests = 0;     ///< to stop a hardware queue, answered
  std::uint64_t stopped = 0;      ///< requests after which at least one packet came back
  std::uint64_t packets = 0;      ///< that came back
  Distribution latency{};         ///< since the packet was ready for which it was made, until the engine was free
  Distribution from_request{};    ///< the part of it from the request on: wait for a restore, drain and save
  Distribution drain{};           ///< until everything that could not be stopped was done
  Distribution save{};            ///< from there until the state was saved
  std::uint64_t saved_bytes = 0;  ///< written out
  StateBytes saved;               ///< the same by kind
  std::uint64_t lost_ps = 0;      ///< time in which the engine saved or restored state and ran no packet
  std::uint64_t engine_ps = 0;    ///< time in which it did either: lost_ps is the part of it lost to preemption
  std::vector<TurnTime> turns{};  ///< of the latency the part that quanta and graces made; not in `total`
};

}  // namespace fenceline
