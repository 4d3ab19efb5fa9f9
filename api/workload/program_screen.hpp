// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/workload/workload.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace fenceline {

/// Where a queue of a program presents to.
struct ProgramScreen {
  std::string output;                       ///< empty: the primary one
  std::optional<std::uint32_t> compositor;  ///< the queue that takes its frames; unset: they are flipped
};

/// Of that queue, its compositor resolved. Throws ConfigError.
ProgramScreen screen_of(const Workload& workload, std::uint32_t index, const std::string& file);

}  // namespace fenceline
