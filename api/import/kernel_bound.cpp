// SPDX-License-Identifier: Apache-2.0
#include "api/import/kernel_bound.hpp"

#include "engines/shader_array/rules/occupancy.hpp"

#include <algorithm>
#include <cmath>

namespace fenceline {
namespace {

constexpr double moved_in_one_go = 128;  // bytes of a thread
constexpr double least_in_one_go = 8;
constexpr double part_of_bandwidth = 0.36;  // that other kernels use
constexpr double most_in_flight = 16;       // bytes of a thread: one access of the widest kind

}  // namespace

KernelBound bound_of(const GroupFootprint& footprint, std::uint64_t groups, double alone_us,
                     const MachineConfig& machine) {
  constexpr double bytes_per_us = 1e3;  // of one GB/s
  const double gb_per_s = machine.memory.vram.gb_per_s;
  const auto threads = static_cast<double>(footprint.threads);
  const double each = gb_per_s * bytes_per_us * alone_us / (threads * static_cast<double>(groups));
  if (each <= moved_in_one_go) return {static_cast<std::uint32_t>(std::max(each, least_in_one_go))};
  const std::uint64_t places =
      std::uint64_t{machine.shader_array.sms} * groups_that_fit(footprint, machine.shader_array);
  const double resident = threads * static_cast<double>(std::min(groups, places));
  const double in_flight = part_of_bandwidth * gb_per_s * machine.shader_array.load_latency_ns;  // Little's law
  return {static_cast<std::uint32_t>(std::clamp(std::round(in_flight / resident), 1.0, most_in_flight))};
}

}  // namespace fenceline
