// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shadercache/implicit/implicit_cache_config.hpp"
#include "sim/duration.hpp"
#include "sim/time_limit.hpp"

#include <cstdint>

namespace fenceline {

// What a step of creating a pipeline state takes, microseconds of CPU time: pure functions. What counts is the size of
// the program, not how often its loops run.

/// The driver compiles a pipeline state of so many instructions.
inline double compile_us(const ImplicitCacheConfig& config, double instructions) {
  return config.compile_us + config.compile_us_per_instruction * instructions;
}
/// D3D12 converts a shader of so many instructions.
inline double convert_us(const ImplicitCacheConfig& config, double instructions) {
  return config.convert_us + config.convert_us_per_instruction * instructions;
}
/// A cache has what was compiled or converted of so many instructions.
inline double look_up_us(const ImplicitCacheConfig& config, double instructions) {
  return config.look_up_us + config.look_up_us_per_instruction * instructions;
}
/// All of it together, as the picoseconds that pass. Throws where no run is that long.
inline std::uint64_t creation_ps(double us) {
  constexpr double most_us = static_cast<double>(max_time_ps) / 1e6;
  if (!(us < most_us)) throw_time_overflow("shader cache");
  return ps_of_us(us);
}

}  // namespace fenceline
