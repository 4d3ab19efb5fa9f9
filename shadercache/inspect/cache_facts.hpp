// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shadercache/files/cache_index.hpp"
#include "shadercache/files/cache_record.hpp"
#include "shadercache/inspect/cache_view.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace fenceline {

/// What the files of a cache give without reading every value.
struct CacheFacts {
  std::optional<CacheHeader> header;  ///< empty: neither .val nor .idx has a whole one
  std::optional<bool> in_use;         ///< a session has it open; empty: that cannot be told
  bool delete_on_destroy = false;     ///< it goes when the last session does
  std::uint64_t entries = 0;          ///< that a session would find, but for damage that only reading shows
  std::uint64_t key_bytes = 0;        ///< of these
  std::uint64_t value_bytes = 0;      ///< of these
  std::uint64_t not_in_table = 0;     ///< of the entries: stored, but the next writer puts them into the table
  std::uint64_t dead_bytes = 0;       ///< of .val: of no entry, and no header
  /// Of the entries' values, in bytes; all 0 where there is none.
  struct Sizes {
    std::uint32_t min = 0;     ///< the smallest
    std::uint32_t median = 0;  ///< of an even number the lower of the two in the middle
    std::uint32_t max = 0;     ///< the largest
  };
  Sizes sizes;                     ///< how large values are
  std::uint64_t values_bytes = 0;  ///< the length of .val
  std::uint64_t index_bytes = 0;   ///< the length of .idx
  std::uint64_t disk_bytes = 0;    ///< what all its files take of the disk
  std::int64_t changed_s = 0;      ///< seconds since 1970, UTC, of the last change of .val or .idx
  std::string why_no_table;  ///< why sessions do not use .idx as it is; empty: they do. Else entries are counted in
                             ///< .val, a key that stands there twice counts twice
  std::uint64_t slots = 0;   ///< of the table
  std::uint64_t dropped_slots = 0;  ///< whose entries were damaged, as a session noticed
  std::uint64_t damaged_slots = 0;  ///< whose own check fails
  CacheIndex::State told;           ///< what .idx says of itself, which is behind while a session is open
};
/// Reads the table, and what of .val is not in it: all of .val where there is no table.
CacheFacts facts_of(CacheView& view);

}  // namespace fenceline
