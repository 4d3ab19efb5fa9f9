// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/described.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

/// How the shader array is simulated.
enum class SimulatedBy : std::uint8_t {
  shortcuts,  ///< SMs in the same state as one, steady states left out, ends told beforehand
  rules       ///< every SM and every thread group by itself: slow, and plain
};

constexpr EnumNames<SimulatedBy, 2> enum_names(SimulatedBy) {
  return {{{SimulatedBy::shortcuts, "shortcuts"}, {SimulatedBy::rules, "rules"}}};
}

/// The SMs that 3D and compute share, and the limits of one. Defaults: NVIDIA compute capability 9.0.
struct ShaderArrayConfig {
  std::string source;
  std::uint32_t sms = 132;
  std::uint32_t graphics_sms = 132;  ///< the first so many SMs take work of the 3D engine
  double clock_mhz = 1980;
  std::uint32_t warp_threads = 32;
  std::uint32_t threads_per_sm = 2048;
  std::uint32_t groups_per_sm = 32;
  std::uint32_t registers_per_sm = 65536;
  std::uint32_t register_allocation_unit = 256;
  std::uint32_t shared_bytes_per_sm = 233472;
  std::uint32_t shared_bytes_reserved_per_group = 1024;
  std::vector<std::uint32_t> shared_splits_kib = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};
  double alu_lanes = 128;
  double alu_latency_cycles = 4;
  double sfu_lanes = 16;
  double sfu_latency_cycles = 21;
  double texture_samples_per_clock = 4;
  double texture_latency_cycles = 400;
  double shared_lanes = 32;
  double shared_latency_cycles = 29;
  double issue_conflicts = 0;
  bool graphics_queue_first = false;
  std::uint32_t group_overhead_cycles = 0;
  std::uint32_t group_launch_cycles = 0;
  double warp_launch_cycles = 0;
  std::uint32_t sm_skew_cycles = 0;
  std::uint32_t group_retire_cycles = 0;
  std::uint32_t group_refill_cycles = 0;
  std::uint32_t grid_change_cycles = 0;
  double load_latency_ns = 500;
  double memory_group_overhead_ns = 0;
  std::uint32_t wave_parts = 1;
  double wave_spread = 0;
  std::optional<SimulatedBy> simulate;  ///< unset: shortcuts
};
void describe(Fields& f, ShaderArrayConfig& c);

}  // namespace fenceline
