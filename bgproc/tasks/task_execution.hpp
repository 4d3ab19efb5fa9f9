// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/described.hpp"

#include <cstdint>

namespace fenceline {

/// What runs background tasks.
enum class TaskExecution : std::uint8_t {
  simulated,  ///< modelled CPU cores, in simulated time: the same at every run
  host,       ///< threads of the computer that simulates, in real time
};
constexpr EnumNames<TaskExecution, 2> enum_names(TaskExecution) {
  return {{{TaskExecution::simulated, "simulated"}, {TaskExecution::host, "host"}}};
}

}  // namespace fenceline
