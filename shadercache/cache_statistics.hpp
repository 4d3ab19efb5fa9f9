// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fenceline {

/// What a cache has done since it was opened in this process.
struct CacheStatistics {
  std::uint64_t entries = 0;      ///< that can be found now
  std::uint64_t value_bytes = 0;  ///< of these, keys not counted
  std::uint64_t memory_hits = 0;  ///< values found in memory
  std::uint64_t disk_hits = 0;    ///< values read from the file
  std::uint64_t misses = 0;       ///< keys that were not found
  std::uint64_t damaged = 0;      ///< entries whose bytes were not what had been stored: dropped
};

}  // namespace fenceline
