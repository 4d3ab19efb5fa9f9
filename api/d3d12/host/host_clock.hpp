// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fenceline::d3d12 {

/// The calling thread's clock, picoseconds; and its number among the attached threads, 0 when it is not one. Host's
/// own.
extern thread_local std::uint64_t thread_clock_ps;
extern thread_local std::uint64_t thread_number;

}  // namespace fenceline::d3d12
