// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace fenceline {

/// XXH3_64bits_withSeed by instructions of 32 bytes (AVX2): the same number, four times as fast where it is long. Only
/// where `has_wide_xxh3` says so.
std::uint64_t wide_xxh3(const void* bytes, std::size_t count, std::uint64_t seed);
/// This processor has them, and this is built for such.
bool has_wide_xxh3();

}  // namespace fenceline
