// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace fenceline {

/// What an operation of a trace may say of itself. More is a mistake, or a forged file.
namespace launch_limits {

constexpr std::int64_t time_ns = 9'000'000'000'000'000'000;  ///< either side of 0: 285 years
constexpr std::int64_t duration_ns = 1'000'000'000'000;      ///< an operation of a quarter of an hour is none
constexpr std::array<std::uint32_t, 3> grid = {2147483647, 65535, 65535};  ///< CUDA's limits of a launch
constexpr std::array<std::uint32_t, 3> block = {1024, 1024, 1024};         ///< CUDA's limits of a launch
constexpr std::uint64_t groups = 1'000'000'000'000;                        ///< blocks of a grid
constexpr std::uint64_t threads = 1024;                                    ///< of a block
constexpr std::uint64_t registers = 255;                                   ///< of a thread
constexpr std::uint64_t shared_bytes = 10'000'000;                         ///< of a block
constexpr std::uint64_t bytes = 1'000'000'000'000'000;                     ///< of a copy or memset

}  // namespace launch_limits
}  // namespace fenceline
