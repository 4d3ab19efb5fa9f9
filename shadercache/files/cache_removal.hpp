// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shadercache/files/cache_place.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace fenceline {

/// What became of a cache that was to be cleared.
struct CacheClearing {
  /// How it ended.
  enum class What : std::uint8_t {
    removed,  ///< nobody had it open: its files are gone
    emptied,  ///< sessions have it open, and find nothing in it from their next call on
    refused,  ///< nothing was changed, or not all that should be: `reason`
  };
  What what = What::refused;
  std::string reason;              ///< of a refusal: "FILE: expected ..., found ..."
  std::vector<std::string> files;  ///< that were removed, or would be
};

/// Removes the files of a cache that nobody has open, or empties one that is in use. Files whose first bytes are not
/// those of a cache, symbolic links and whatever else has a name of its files are reasons to refuse; nothing else is
/// touched.
/// Waits so long at most for somebody who writes.
CacheClearing clear_cache(const CachePlace& place, std::chrono::milliseconds most_wait = std::chrono::seconds(1));
/// Whether that would be refused, and what it would remove if nobody had it open. Changes nothing.
CacheClearing look_at_clearing(const CachePlace& place);

}  // namespace fenceline
