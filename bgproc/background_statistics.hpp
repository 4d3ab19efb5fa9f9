// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fenceline {

/// What background processing of a device came to.
struct BackgroundStatistics {
  std::uint64_t queued = 0;  ///< tasks
  std::uint64_t finished = 0;
  std::uint64_t cancelled = 0;
  std::uint64_t cpu_ps = 0;              ///< of finished tasks, picoseconds
  std::uint64_t variants = 0;            ///< of pipeline states, compiled and in use
  std::uint64_t dropped = 0;             ///< compiled for pipeline states that were gone
  std::uint64_t specialised = 0;         ///< executions of variants
  std::uint64_t saved_instructions = 0;  ///< of all their threads, against the originals
};

}  // namespace fenceline
