// SPDX-License-Identifier: Apache-2.0
// In a room of its own: all that stands behind the pragma is compiled for processors with AVX2.
#include "shadercache/checksum/wide_xxh3.hpp"

#if defined(__x86_64__)
// What xxhash.h includes, before the pragma: what others share is compiled for every processor.
#include <climits>

#include <immintrin.h>

#include <cstdlib>
#include <cstring>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
#define XXH_INLINE_ALL
#define XXH_VECTOR XXH_AVX2
#include <xxhash.h>

namespace fenceline {

std::uint64_t wide_xxh3(const void* bytes, std::size_t count, std::uint64_t seed) {
  return XXH3_64bits_withSeed(bytes, count, seed);
}

}  // namespace fenceline
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

namespace fenceline {

bool has_wide_xxh3() {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}

}  // namespace fenceline
#else
namespace fenceline {

std::uint64_t wide_xxh3(const void*, std::size_t, std::uint64_t) { return 0; }
bool has_wide_xxh3() { return false; }

}  // namespace fenceline
#endif
