// SPDX-License-Identifier: Apache-2.0
#include "shadercache/files/record_check.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace fenceline {
namespace {

constexpr std::size_t piece_bytes = 256 * 1024;

/// XXH3 of a part of the file.
std::optional<std::uint64_t> hash_in_file(const CacheFile& values, std::uint64_t at, std::uint64_t bytes,
                                          std::uint64_t seed) {
  std::vector<char> piece(static_cast<std::size_t>(std::min<std::uint64_t>(bytes, piece_bytes)));
  XXH3_state_t state;
  XXH3_64bits_reset_withSeed(&state, seed);
  for (std::uint64_t done = 0; done < bytes;) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(bytes - done, piece.size()));
    if (values.read(at + done, piece.data(), count) != count) return std::nullopt;
    XXH3_64bits_update(&state, piece.data(), count);
    done += count;
  }
  return XXH3_64bits_digest(&state);
}

}  // namespace

std::optional<std::uint64_t> check_in_file(const CacheFile& values, const RecordHeader& record, std::uint64_t at) {
  const std::uint64_t key_at = at + sizeof record;
  const std::uint64_t head = XXH3_64bits_withSeed(&record, offsetof(RecordHeader, check), at);
  const std::optional<std::uint64_t> key = hash_in_file(values, key_at, record.key_bytes, head);
  return key ? hash_in_file(values, key_at + record.key_bytes, record.value_bytes, *key) : std::nullopt;
}

}  // namespace fenceline
