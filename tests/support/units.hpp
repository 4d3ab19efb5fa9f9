// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fenceline::testing {

// Picoseconds.
constexpr std::uint64_t ns = 1'000;
constexpr std::uint64_t us = 1'000 * ns;
constexpr std::uint64_t ms = 1'000 * us;

// Bytes.
constexpr std::uint64_t mega = 1'000'000;
constexpr std::uint64_t mib = 1 << 20;

/// How long bytes take at a whole number of GB/s, picoseconds.
constexpr std::uint64_t passing_ps(std::uint64_t bytes, std::uint64_t gb_per_s) {
  return (bytes * 1000 + gb_per_s - 1) / gb_per_s;
}

}  // namespace fenceline::testing
