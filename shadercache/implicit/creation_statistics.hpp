// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fenceline {

/// What a process's pipeline states took to create.
struct CreationStatistics {
  std::uint64_t created = 0;            ///< pipeline states
  std::uint64_t compiled = 0;           ///< of these by the driver; the rest was in a cache
  std::uint64_t converted = 0;          ///< shaders, from DXBC to DXIL
  std::uint64_t conversions_found = 0;  ///< shaders whose conversion was in a cache
  std::uint64_t cpu_ps = 0;             ///< all of it, picoseconds of CPU time
};

}  // namespace fenceline
