// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/machine_config.hpp"

#include <cstdint>
#include <string>

namespace fenceline {

/// What surrounds the commands of an imported queue on a machine, in picoseconds.
struct KinetoCosts {
  std::string path;             ///< of the queue
  std::int64_t barrier_ps = 0;  ///< from a command's end to the start of the one behind the barrier
  std::int64_t launch_ps = 0;   ///< from submission to the first command of an idle queue
  std::int64_t retire_ps = 0;   ///< from the last command's end to the fence
  std::int64_t follow_ps = 0;   ///< from the last command's end to the first command of a list that waits in the queue
  std::int64_t event_ps = 0;    ///< the same of a list that waited for one of another queue of the node
  std::int64_t call_ps = 0;     ///< of the host
  std::int64_t wake_ps = 0;     ///< of the host
};

/// Of the first compute node. The path is the first of "cuda_graph" (for lists of several commands) and "cuda_stream"
/// that the machine has, else its default.
KinetoCosts kineto_costs(const MachineConfig& machine, bool several_commands);

}  // namespace fenceline
