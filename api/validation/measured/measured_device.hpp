// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/described.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

/// A family of Vulkan queues.
struct MeasuredQueueFamily {
  std::uint32_t flags = 0;
  std::uint32_t count = 0;
};
void describe(Fields& f, MeasuredQueueFamily& c);

/// What was measured: CUDA's limits of the device, or Vulkan's queues.
struct MeasuredDevice {
  std::optional<std::string> name;
  std::optional<std::uint32_t> sms;
  std::optional<std::uint64_t> clock_khz;
  std::optional<std::uint64_t> l2;
  std::optional<std::uint32_t> regs_per_sm;
  std::optional<std::uint32_t> smem_per_sm;
  std::optional<std::uint32_t> threads_per_sm;
  std::optional<std::uint32_t> blocks_per_sm;
  std::optional<std::uint32_t> copy_engines;
  std::vector<std::int32_t> stream_priorities;
  std::optional<std::uint32_t> compute_preemption;
  std::uint32_t spin_regs = 10;  ///< registers per thread of the two kernels
  std::uint32_t read_regs = 24;
  std::optional<double> timestamp_ns;
  std::vector<MeasuredQueueFamily> families;
  std::vector<std::uint32_t> used;

  bool of_vulkan() const { return timestamp_ns || !families.empty() || !used.empty(); }
};
void describe(Fields& f, MeasuredDevice& c);

}  // namespace fenceline
