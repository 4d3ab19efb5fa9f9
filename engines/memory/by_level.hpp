// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

namespace fenceline {

/// Levels of memory that a machine has at most: L2, further caches, video memory.
constexpr std::size_t max_levels = 4;

/// One value for each level of memory, the one next to the SMs first; beyond the machine's last level a default.
template <class T>
using ByLevel = std::array<T, max_levels>;

}  // namespace fenceline
