// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bgproc/cores/cpu_config.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace fenceline {

/// A thread's scheduling class on the CPU.
enum class CpuPriority : std::uint8_t {
  idle,    ///< only where no other thread runs
  normal,  ///< a program's own threads, and boosted background tasks
};

/// Full speed: what a thread does alone on its core.
constexpr std::uint64_t full_cpu_rate = 1'000'000;

/// Where a thread is now, and how fast.
struct CpuPlace {
  std::optional<std::uint32_t> processor;  ///< core x smt_width + processor of the core; unset: in turns, or not at all
  std::uint64_t rate = 0;                  ///< of full_cpu_rate; 0: it waits for a processor
};

/// Who runs where, of threads in an order of their own.
///
/// Normal threads get places first, then idle ones; in a class, in the given order. A thread gets a processor of the
/// first core that has none taken, else of the core with the fewest taken, the first of those. Where a class has more
/// threads than there are processors left, all threads of that class run on these in turns, at the mean of what they
/// give; then nothing is left for a lower class. With b processors of a core taken each runs at (1 + (b - 1) x
/// smt_gain) / b of full speed. A normal thread's rate is then lowered by `background_slowdown` for each idle thread
/// with a place: to (1 - background_slowdown) ^ n. Idle threads in turns count as the processors that they have. Rates
/// are rounded to the nearest, and are at least 1 where a thread runs. Without cores each runs at full speed on a
/// processor of its own, its number in the order, and there is no slowdown.
std::vector<CpuPlace> cpu_places(const CpuConfig& config, const std::vector<CpuPriority>& threads);

/// A part of full speed as a rate.
std::uint64_t cpu_rate(double speed);
/// Of a processor, as a part of full speed, with so many of its core taken.
double processor_speed(const CpuConfig& config, double busy);

}  // namespace fenceline
