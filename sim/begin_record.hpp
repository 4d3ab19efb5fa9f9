// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/log_records.hpp"

#include <cstdint>

namespace fenceline {

/// A piece of a packet begins to run on its engine, or goes on. Its span follows when it ends there.
struct BeginRecord {
  LogName node{};            ///< path of the node
  LogName label{};           ///< name of the command list; of a wait the fence
  std::uint64_t packet = 0;  ///< id of the queue packet
  std::uint64_t at_ps = 0;   ///< simulated time
};

}  // namespace fenceline
