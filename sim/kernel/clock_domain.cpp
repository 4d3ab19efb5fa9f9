// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/clock_domain.hpp"

#include "sim/assert.hpp"
#include "sim/time_limit.hpp"

#include <cmath>
#include <string>

namespace fenceline {
namespace {

using Wide = unsigned __int128;
constexpr std::uint64_t ps_times_khz = 1'000'000'000;  // one cycle at 1 kHz lasts 1e9 ps

/// Seconds of simulated time fit 64 bits, which a processor divides several times faster than 128.
Wide quotient(Wide dividend, std::uint64_t divisor) {
  if (dividend >> 64 == 0) return static_cast<std::uint64_t>(dividend) / divisor;
  return dividend / divisor;
}

std::uint64_t checked(std::uint64_t khz) {
  FENCELINE_ASSERT(khz > 0 && khz <= ps_times_khz, "clock domain: frequency of " + std::to_string(khz) + " kHz");
  return khz;
}

}  // namespace

ClockDomain::ClockDomain(std::uint64_t khz) : khz_(checked(khz)) {}

ClockDomain ClockDomain::of_mhz(double mhz) { return ClockDomain(static_cast<std::uint64_t>(std::llround(mhz * 1e3))); }

std::uint64_t ClockDomain::duration_ps(std::uint64_t cycles) const {
  const Wide duration = quotient(Wide{cycles} * ps_times_khz + khz_ - 1, khz_);
  if (duration > max_time_ps) throw_time_overflow("clock domain");
  return static_cast<std::uint64_t>(duration);
}

std::uint64_t ClockDomain::cycle_at(std::uint64_t time_ps) const {
  // Edge n is at ceil(n * 1e9 / khz) <= t exactly when n <= t * khz / 1e9.
  return static_cast<std::uint64_t>(quotient(Wide{time_ps} * khz_, ps_times_khz));
}

std::uint64_t ClockDomain::first_edge_from(std::uint64_t time_ps) const {
  if (time_ps == 0) return 0;
  // Edge n is at ceil(n * 1e9 / khz) >= t exactly when n > (t - 1) * khz / 1e9.
  return 1 + static_cast<std::uint64_t>(quotient(Wide{time_ps - 1} * khz_, ps_times_khz));
}

std::uint64_t ClockDomain::time_of(std::uint64_t cycle) const { return duration_ps(cycle); }

std::uint64_t ClockDomain::after(std::uint64_t time_ps, std::uint64_t cycles) const {
  if (cycles == 0) return time_ps;
  return time_of(first_edge_from(time_ps) + cycles);
}

}  // namespace fenceline
