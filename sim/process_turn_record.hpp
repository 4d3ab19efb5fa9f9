// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/log_records.hpp"

#include <cstdint>

namespace fenceline {

/// The turn of a process begins or ends on an engine that runs one process at a time (`/engines/N/runlist`).
struct ProcessTurnRecord {
  enum class What : std::uint8_t {
    begins,  ///< what the process has may go there from now on
    ends,    ///< it goes there no more: what runs is being stopped
    loads    ///< all has stopped: the process is being switched to (process_switch_us)
  };
  What what{};              ///< happens to the turn
  LogName node{};           ///< path of the engine's node
  LogName process{};        ///< as ContextRecord has it
  std::uint64_t at_ps = 0;  ///< simulated time
};

}  // namespace fenceline
