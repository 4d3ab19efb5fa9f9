// SPDX-License-Identifier: Apache-2.0
#include "sim/clock_domain.hpp"

#include "sim/assert.hpp"
#include "sim/time_limit.hpp"

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

std::uint64_t ClockDomain::duration_ps(std::uint64_t cycles) const {
  const Wide duration = quotient(Wide{cycles} * ps_times_khz + khz_ - 1, khz_);
  if (duration > max_time_ps) throw_time_overflow("clock domain");
  return static_cast<std::uint64_t>(duration);
}

std::uint64_t ClockDomain::cycle_at(std::uint64_t time_ps) const {
  FENCELINE_ASSERT(time_ps >= changed_ps_, "clock domain: asked for a time before the last frequency change");
  if (time_ps < anchor_ps_) return anchor_cycle_ - 1;  // the edge under way at the change is still to come
  // Edge n is at ceil(n * 1e9 / khz) <= t exactly when n <= t * khz / 1e9.
  return anchor_cycle_ + static_cast<std::uint64_t>(quotient(Wide{time_ps - anchor_ps_} * khz_, ps_times_khz));
}

std::uint64_t ClockDomain::first_edge_from(std::uint64_t time_ps) const {
  FENCELINE_ASSERT(time_ps >= changed_ps_, "clock domain: asked for a time before the last frequency change");
  if (time_ps <= anchor_ps_) return anchor_cycle_;
  // Edge n is at ceil(n * 1e9 / khz) >= t exactly when n > (t - 1) * khz / 1e9.
  return anchor_cycle_ + 1 + static_cast<std::uint64_t>(quotient(Wide{time_ps - anchor_ps_ - 1} * khz_, ps_times_khz));
}

std::uint64_t ClockDomain::time_of(std::uint64_t cycle) const {
  FENCELINE_ASSERT(cycle >= anchor_cycle_, "clock domain: asked for an edge before the last frequency change");
  return anchor_ps_ + duration_ps(cycle - anchor_cycle_);
}

std::uint64_t ClockDomain::after(std::uint64_t time_ps, std::uint64_t cycles) const {
  if (cycles == 0) return time_ps;
  return time_of(first_edge_from(time_ps) + cycles);
}

void ClockDomain::set_frequency(std::uint64_t khz, std::uint64_t time_ps) {
  const std::uint64_t edge = first_edge_from(time_ps);  // the edge under way comes at the old frequency
  const std::uint64_t edge_ps = time_of(edge);
  khz_ = checked(khz);
  changed_ps_ = time_ps;
  anchor_ps_ = edge_ps;
  anchor_cycle_ = edge;
}

}  // namespace fenceline
