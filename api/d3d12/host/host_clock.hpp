// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>

namespace fenceline::d3d12 {

/// The calling thread's clock, picoseconds; and its number among the attached threads, 0 when it is not one. Host's
/// own.
extern thread_local std::uint64_t thread_clock_ps;
extern thread_local std::uint64_t thread_number;
/// What an attached thread has computed since its clock was set.
extern thread_local std::uint64_t thread_spent_ps;
inline void settle_spent() { thread_clock_ps += std::exchange(thread_spent_ps, 0); }

}  // namespace fenceline::d3d12
