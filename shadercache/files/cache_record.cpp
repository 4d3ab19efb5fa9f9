// SPDX-License-Identifier: Apache-2.0
#include "shadercache/files/cache_record.hpp"

#include "shadercache/checksum/wide_xxh3.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>

namespace fenceline {
namespace {

struct HeaderBytes {
  char magic[8];  ///< "FLSC", the kind, a line's end
  std::uint32_t format;
  std::uint32_t more;
  std::uint64_t era;
  std::uint64_t version;
  std::uint64_t driver;
  std::uint64_t unused[2];
  std::uint64_t check;
};
static_assert(sizeof(HeaderBytes) == header_bytes);

void put_magic(char (&into)[8], std::string_view kind) {
  std::memcpy(into, "FLSC", 4);
  std::memcpy(into + 4, kind.data(), 3);
  into[7] = '\n';
}

std::uint32_t seal_of(const RecordHeader& record, std::uint64_t at) {
  constexpr std::size_t first = offsetof(RecordHeader, key_bytes);
  const auto* const bytes = reinterpret_cast<const std::byte*>(&record);
  return static_cast<std::uint32_t>(XXH3_64bits_withSeed(bytes + first, offsetof(RecordHeader, check) - first, at));
}

std::uint64_t check_of(const RecordHeader& record, std::string_view key, std::string_view value, std::uint64_t at) {
  std::uint64_t check = XXH3_64bits_withSeed(&record, offsetof(RecordHeader, check), at);
  check = XXH3_64bits_withSeed(key.data(), key.size(), check);
  constexpr std::size_t long_enough = 512;
  if (value.size() >= long_enough && has_wide_xxh3()) return wide_xxh3(value.data(), value.size(), check);
  return XXH3_64bits_withSeed(value.data(), value.size(), check);
}

std::uint32_t check_of(const CacheSlot& slot) {
  return static_cast<std::uint32_t>(XXH3_64bits(&slot, offsetof(CacheSlot, check)));
}

}  // namespace

void write_header(std::byte* into, std::string_view kind, const CacheHeader& header, std::uint32_t more) {
  HeaderBytes bytes{};
  put_magic(bytes.magic, kind);
  bytes.format = cache_format;
  bytes.more = more;
  bytes.era = header.era;
  bytes.version = header.version;
  bytes.driver = header.driver;
  bytes.check = XXH3_64bits(&bytes, offsetof(HeaderBytes, check));
  std::memcpy(into, &bytes, sizeof bytes);
}

HeaderLook look_at_header(const std::byte* from, std::string_view kind) {
  HeaderBytes bytes;
  std::memcpy(&bytes, from, sizeof bytes);
  char magic[8];
  put_magic(magic, kind);
  return {std::memcmp(bytes.magic, magic, sizeof magic) == 0, bytes.format, bytes.check,
          XXH3_64bits(&bytes, offsetof(HeaderBytes, check))};
}

bool read_header(const std::byte* from, std::string_view kind, CacheHeader& header, std::uint32_t* more) {
  const HeaderLook look = look_at_header(from, kind);
  if (!look.magic || look.format != cache_format || look.check != look.should_be) return false;
  HeaderBytes bytes;
  std::memcpy(&bytes, from, sizeof bytes);
  header = {bytes.era, bytes.version, bytes.driver};
  if (more != nullptr) *more = bytes.more;
  return true;
}

RecordHeader record_of(std::uint64_t era, std::uint64_t hash, std::string_view key, std::string_view value,
                       std::uint64_t at) {
  RecordHeader record{0,
                      static_cast<std::uint32_t>(key.size()),
                      static_cast<std::uint32_t>(value.size()),
                      static_cast<std::uint32_t>(era),
                      hash,
                      0};
  record.seal = seal_of(record, at);
  record.check = check_of(record, key, value, at);
  return record;
}

bool is_sealed(const RecordHeader& record, std::uint64_t era, std::uint64_t at) {
  return record.era == static_cast<std::uint32_t>(era) && record.seal == seal_of(record, at);
}

bool is_whole(const RecordHeader& record, std::uint64_t era, std::string_view key, std::string_view value,
              std::uint64_t at) {
  return record.era == static_cast<std::uint32_t>(era) && record.key_bytes == key.size() &&
         record.value_bytes == value.size() && record.check == check_of(record, key, value, at);
}

bool CacheSlot::is_whole(std::uint64_t of_era) const {
  return era == static_cast<std::uint32_t>(of_era) && check == check_of(*this);
}

void CacheSlot::seal(std::uint64_t of_era) {
  era = static_cast<std::uint32_t>(of_era);
  check = check_of(*this);
}

}  // namespace fenceline
