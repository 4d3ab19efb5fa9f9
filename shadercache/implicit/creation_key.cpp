// SPDX-License-Identifier: Apache-2.0
#include "shadercache/implicit/creation_key.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>

namespace fenceline {
namespace {

CreationKey hash_of(const void* bytes, std::size_t size) {
  const XXH128_hash_t hash = XXH3_128bits(bytes, size);
  static_assert(sizeof hash == sizeof(CreationKey));
  CreationKey key;
  std::memcpy(key.data(), &hash, sizeof key);
  return key;
}

}  // namespace

CreationKey creation_key(std::string_view name) { return hash_of(name.data(), name.size()); }

CreationKey numbered_key(const CreationKey& key, std::uint64_t number, double instructions) {
  struct {
    CreationKey key;
    std::uint64_t number;
    double instructions;
  } const all{key, number, instructions};
  static_assert(sizeof all == 32, "without gaps");
  return hash_of(&all, sizeof all);
}

}  // namespace fenceline
