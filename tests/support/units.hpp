// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fenceline::testing {

// Picoseconds.
constexpr std::uint64_t ns = 1'000;
constexpr std::uint64_t us = 1'000 * ns;
constexpr std::uint64_t ms = 1'000 * us;

}  // namespace fenceline::testing
