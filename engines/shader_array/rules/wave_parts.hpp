// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/shader_array/rules/grid.hpp"
#include "engines/shader_array/rules/occupancy.hpp"
#include "engines/shader_array/rules/shader_array_config.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

/// Waves of a grid that accesses memory drift apart: blocks do not end in step where memory is what they wait for. The
/// SMs are in as many ranges as ShaderArrayConfig::wave_parts says, and what begins at one moment in one of them is a
/// cohort, whose accesses get on a little faster or more slowly than those of the others. Source: docs/model.md, "Waves
/// that drift apart".
namespace fenceline {

/// How many ranges there are: no more than SMs.
inline std::uint32_t wave_parts(const ShaderArrayConfig& config) { return std::min(config.wave_parts, config.sms); }

/// Its groups that begin at one moment are a cohort for each part of the SMs: a dispatch that accesses memory and has
/// more groups than the array has places.
inline bool drifts(const Grid& grid, const ShaderArrayConfig& config) {
  if (wave_parts(config) < 2 || grid.graphics || group_bytes(grid) == 0) return false;
  return grid.groups > std::uint64_t{config.sms} * groups_that_fit(grid.footprint, config);
}

/// The part of an SM, from 0 to below wave_parts.
inline std::uint32_t part_of(std::uint32_t sm, const ShaderArrayConfig& config) {
  return static_cast<std::uint32_t>(std::uint64_t{sm} * wave_parts(config) / config.sms);
}

/// The first SM of a part.
inline std::uint32_t first_of_part(std::uint32_t part, const ShaderArrayConfig& config) {
  const std::uint32_t parts = wave_parts(config);
  return static_cast<std::uint32_t>((std::uint64_t{part} * config.sms + parts - 1) / parts);
}

/// By how much more or less than its threads say a cohort of that part keeps in flight; of all parts 1 in the mean.
inline double flight_weight(const Grid& grid, std::uint32_t part, const ShaderArrayConfig& config) {
  const double in_flight = static_cast<double>(grid.footprint.threads) * grid.work.bytes_in_flight_per_thread;
  // A thread's accesses, one after another: what is random about them evens out.
  const double trips = std::max(1.0, static_cast<double>(group_bytes(grid)) / std::max(1.0, in_flight));
  const double from_middle = 2.0 * part / (wave_parts(config) - 1) - 1;
  return 1 + config.wave_spread / std::sqrt(trips) * from_middle;
}

}  // namespace fenceline
