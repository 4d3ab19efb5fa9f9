// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fenceline {

// What the files of a cache hold, as bytes in the order of the machine (little-endian). README.md beside this has the
// format; checks are xxHash's XXH3.

/// The beginning of .val and of .idx.
struct CacheHeader {
  std::uint64_t era = 0;      ///< counts how often the cache was cleared: bytes of another era do not count
  std::uint64_t version = 0;  ///< the application's
  std::uint64_t driver = 0;   ///< of its driver; 0: it does not matter
};
constexpr std::size_t header_bytes = 64;
constexpr std::uint64_t most_values_bytes = 1U << 30;  ///< of .val: what is behind is nobody's
constexpr std::uint32_t cache_format = 1;              ///< the number of what is described here
/// `kind` is "VAL" or "IDX"; `more` is the file's own.
void write_header(std::byte* into, std::string_view kind, const CacheHeader& header, std::uint32_t more = 0);
/// False: it is damaged, or no such file.
bool read_header(const std::byte* from, std::string_view kind, CacheHeader& header, std::uint32_t* more = nullptr);

/// What bytes are that should be a header.
struct HeaderLook {
  bool magic = false;           ///< they begin as a file of that kind does
  std::uint32_t format = 0;     ///< its number
  std::uint64_t check = 0;      ///< that stands there
  std::uint64_t should_be = 0;  ///< of the bytes before it
};
HeaderLook look_at_header(const std::byte* from, std::string_view kind);

/// A stored entry in .val: this, the key, the value, up to the next multiple of 8.
struct RecordHeader {
  std::uint32_t seal;  ///< of the rest without `check`, and of where it is: by it a record is found again among damage
  std::uint32_t key_bytes;
  std::uint32_t value_bytes;
  std::uint32_t era;  ///< its lower half
  std::uint64_t hash;
  std::uint64_t check;  ///< of all that stands before it, where the record is, key and value
};
constexpr std::uint64_t record_alignment = 8;
constexpr std::uint64_t bytes_of_record(std::uint64_t key_bytes, std::uint64_t value_bytes) {
  const std::uint64_t bytes = sizeof(RecordHeader) + key_bytes + value_bytes;
  return (bytes + record_alignment - 1) / record_alignment * record_alignment;
}
/// With its check, for a record at that place.
RecordHeader record_of(std::uint64_t era, std::uint64_t hash, std::string_view key, std::string_view value,
                       std::uint64_t at);
/// It may be the header of a record of that era at that place.
bool is_sealed(const RecordHeader& record, std::uint64_t era, std::uint64_t at);
/// It is what was written there in that era.
bool is_whole(const RecordHeader& record, std::uint64_t era, std::string_view key, std::string_view value,
              std::uint64_t at);

/// Where an entry is: a place of the table in .idx. One that was never taken is all zeros.
struct CacheSlot {
  std::uint64_t hash = 0;
  std::uint64_t at = 0;  ///< of the record in .val; `dropped`: there was one
  std::uint32_t key_bytes = 0;
  std::uint32_t value_bytes = 0;
  std::uint32_t era = 0;
  std::uint32_t check = 0;  ///< of all that stands before it

  static constexpr std::uint64_t dropped = ~std::uint64_t{0};
  bool is_free() const { return (hash | at | key_bytes | value_bytes | era | check) == 0; }
  bool is_dropped() const { return at == dropped; }
  bool is_whole(std::uint64_t of_era) const;
  void seal(std::uint64_t of_era);
};
static_assert(sizeof(CacheSlot) == 32 && sizeof(RecordHeader) == 32);

}  // namespace fenceline
