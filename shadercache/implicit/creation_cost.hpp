// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shadercache/implicit/implicit_cache_config.hpp"

namespace fenceline {

// What a step of creating a pipeline state takes, microseconds of CPU time: pure functions.

/// The driver compiles a pipeline state of so many instructions a thread.
inline double compile_us(const ImplicitCacheConfig& config, double instructions) {
  return config.compile_us + config.compile_us_per_instruction * instructions;
}
/// D3D12 converts a shader of so many instructions a thread.
inline double convert_us(const ImplicitCacheConfig& config, double instructions) {
  return config.convert_us + config.convert_us_per_instruction * instructions;
}
/// A cache has what was compiled or converted of so many instructions a thread.
inline double look_up_us(const ImplicitCacheConfig& config, double instructions) {
  return config.look_up_us + config.look_up_us_per_instruction * instructions;
}

}  // namespace fenceline
