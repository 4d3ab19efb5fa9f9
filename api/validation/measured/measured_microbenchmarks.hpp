// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/validation/measured/measured_device.hpp"
#include "api/validation/play/workload_builder.hpp"
#include "sim/config/described.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

// Rows of bench/hardware/h200/microbenchmarks.json (CUDA). A row's times are absent where they were not measured.

/// Also in graphics.json, there between the queues of Vulkan.
struct MeasuredCopyTime {
  CopyDirection dir = CopyDirection::h2d;
  std::uint64_t bytes = 0;
  double us = 0;
};
void describe(Fields& f, MeasuredCopyTime& c);

struct MeasuredBlockWave {
  std::uint64_t grid = 1;
  std::uint32_t threads = 1;
  std::uint32_t smem = 0;
  std::uint64_t cycles = 0;
  std::optional<std::uint32_t> blocks_per_sm;
  double us = 0;
};
void describe(Fields& f, MeasuredBlockWave& c);

struct MeasuredLaunch {
  std::optional<double> empty_1block_period_us;
  std::optional<double> empty_1056block_period_us;
  std::optional<double> host_to_device_to_host_us;
};
void describe(Fields& f, MeasuredLaunch& c);

struct MeasuredFences {
  std::optional<double> same_queue_gap_ns;
  std::optional<double> cross_queue_event_gap_ns;
  std::optional<double> cross_queue_value_fence_gap_ns;
};
void describe(Fields& f, MeasuredFences& c);

enum class BoundaryMode : std::uint8_t { idle, same_priority, high_priority };
constexpr EnumNames<BoundaryMode, 3> enum_names(BoundaryMode) {
  return {{{BoundaryMode::idle, "idle"},
           {BoundaryMode::same_priority, "same_priority"},
           {BoundaryMode::high_priority, "high_priority"}}};
}
struct MeasuredBoundary {
  BoundaryMode mode = BoundaryMode::idle;
  double block_us = 0;
  std::optional<double> latency_us_min;
  std::optional<double> p50;
  std::optional<double> p90;
  std::optional<double> max;
};
void describe(Fields& f, MeasuredBoundary& c);

struct MeasuredSharing {
  double kernel_us = 0;  ///< 0: no kernel
  std::string copy = "none";
  double copy_us = 0;
};
void describe(Fields& f, MeasuredSharing& c);

/// What runs on the other half of the SMs beside a kernel that reads a set again and again.
enum class L2Beside : std::uint8_t { nothing, nothing_on_half, same, stream };
constexpr EnumNames<L2Beside, 4> enum_names(L2Beside) {
  return {{{L2Beside::nothing, "nothing, all SMs"},
           {L2Beside::nothing_on_half, "nothing, half of the SMs"},
           {L2Beside::same, "the same on another set"},
           {L2Beside::stream, "a streaming read"}}};
}
struct MeasuredL2 {
  L2Beside beside = L2Beside::nothing;
  std::uint64_t blocks = 1;
  std::uint32_t threads = 1024;
  double set_mb = 1;
  std::uint64_t bytes_per_block = 1;
  double us = 0;
  std::optional<double> other_us;
};
void describe(Fields& f, MeasuredL2& c);

struct MeasuredMicrobenchmarks {
  std::vector<MeasuredBlockWave> block_waves;
  MeasuredLaunch launch;
  MeasuredFences fences;
  std::vector<MeasuredBoundary> block_boundary_preemption;
  std::vector<MeasuredSharing> bandwidth_sharing;
  std::vector<MeasuredL2> l2_us;
};
/// Adds the keys to those of a measured file.
void describe_keys(Fields& f, MeasuredMicrobenchmarks& c);

/// A kernel whose groups spin for so many SM cycles.
CommandInfo spin_command(WorkloadBuilder& builder, const std::string& name, const GroupFootprint& group,
                         std::uint64_t groups, std::uint64_t cycles);
CommandInfo empty_kernel(WorkloadBuilder& builder, const MeasuredDevice& device, std::uint64_t groups);

}  // namespace fenceline
