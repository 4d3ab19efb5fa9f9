// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shadercache/inspect/cache_view.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace fenceline {

/// Something in a file that is not as it was written.
struct CacheFinding {
  std::string file;      ///< its name
  std::uint64_t at = 0;  ///< where in it, bytes
  std::string expected;  ///< what should be there
  std::string found;     ///< what is
};

/// What reading all of a cache has shown.
struct CacheVerification {
  static constexpr std::size_t most_findings = 1000;  ///< that are kept of each sort; all are counted

  std::uint64_t entries = 0;          ///< whole ones, read from the first byte to the last
  std::uint64_t damaged_entries = 0;  ///< that the table has and .val has not as they were stored
  std::uint64_t bytes_read = 0;       ///< of .val and .idx
  std::vector<CacheFinding> damage;   ///< in the order of the files and of places in them
  std::uint64_t damage_count = 0;     ///< of all damage, kept or not; 0: it is whole
  /// What costs nothing that was stored: a table that is to be made anew, bytes that a process left unfinished, or that
  /// are of an entry which was dropped.
  std::vector<CacheFinding> notes;
  std::uint64_t notes_count = 0;  ///< of all notes, kept or not

  bool whole() const { return damage_count == 0; }  ///< no damage
};

/// Bytes done, of so many.
using CacheProgress = std::function<void(std::uint64_t done, std::uint64_t total)>;

/// Reads every record of .val and every slot of .idx as they were when the view was opened, and holds each against its
/// check. Nothing is changed; sessions may go on. The work is bounded by a small multiple of the files' size, and
/// memory by 1/64 of it and the largest record, whatever stands in them.
CacheVerification verify_cache(CacheView& view, const CacheProgress& progress = {});

}  // namespace fenceline
