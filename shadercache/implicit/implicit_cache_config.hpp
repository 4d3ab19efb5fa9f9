// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/described.hpp"

#include <cstdint>
#include <string>

namespace fenceline {

/// What implicit caches hold when a machine begins.
enum class CacheStart : std::uint8_t {
  cold,           ///< nothing
  warm,           ///< all that will be asked for
  driver_update,  ///< conversions, but no compilation: the driver's version is another one
};
constexpr EnumNames<CacheStart, 3> enum_names(CacheStart) {
  return {{{CacheStart::cold, "cold"}, {CacheStart::warm, "warm"}, {CacheStart::driver_update, "driver_update"}}};
}

/// Who keeps what the driver has compiled.
enum class CompilationsKeptBy : std::uint8_t {
  d3d,     ///< D3D12, for the driver: D3D12_SHADER_CACHE_KIND_FLAG_IMPLICIT_D3D_CACHE_FOR_DRIVER
  driver,  ///< the driver: D3D12_SHADER_CACHE_KIND_FLAG_IMPLICIT_DRIVER_MANAGED
  nobody,
};
constexpr EnumNames<CompilationsKeptBy, 3> enum_names(CompilationsKeptBy) {
  return {{{CompilationsKeptBy::d3d, "d3d"},
           {CompilationsKeptBy::driver, "driver"},
           {CompilationsKeptBy::nobody, "nobody"}}};
}

/// Creating pipeline states in simulated time, and the implicit shader caches that spare it.
struct ImplicitCacheConfig {
  std::string source;
  CacheStart start = CacheStart::cold;
  /// Of files that a run begins with and leaves; empty: none, in memory. No document may name it.
  std::string directory;
  CompilationsKeptBy compilations_kept_by = CompilationsKeptBy::d3d;
  bool converts_dxbc = true;  ///< the driver takes DXIL alone
  // Measured: bench/pipeline_creation/h100.json. Conversions are assumed to cost a tenth.
  double compile_us = 10'000;               ///< CPU time of a compilation by the driver, and besides
  double compile_us_per_instruction = 105;  ///< for each instruction of the pipeline state's programs
  double convert_us = 1000;                 ///< CPU time of a shader's conversion from DXBC to DXIL, and besides
  double convert_us_per_instruction = 10;   ///< for each instruction of it
  double look_up_us = 55;                   ///< CPU time where a cache has the result, and besides
  double look_up_us_per_instruction = 0.3;  ///< for each instruction of what was compiled or converted
  std::uint32_t driver_revision = 0;        ///< last word of the driver's version, below 65536
};
void describe(Fields& f, ImplicitCacheConfig& c);

}  // namespace fenceline
