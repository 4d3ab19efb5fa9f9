// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array/rules/group_cost.hpp"

#include "sim/rounding.hpp"

#include <algorithm>
#include <cmath>

namespace fenceline {

std::uint64_t launch_cycles(const GroupFootprint& group, const ShaderArrayConfig& sm) {
  const std::uint32_t warps = divided_up(group.threads, sm.warp_threads);
  return std::max<std::uint64_t>(sm.group_launch_cycles, std::llround(warps * sm.warp_launch_cycles));
}

double busy_cycles(const GroupCost& cost) {
  return static_cast<double>(cost.cycles) * *std::max_element(cost.usage.begin(), cost.usage.end());
}

std::uint64_t cycles_alone(const GroupCost& cost) {
  return std::max(cost.cycles, static_cast<std::uint64_t>(std::ceil(busy_cycles(cost))));
}

GroupCost group_cost(const GroupFootprint& group, const ShaderCost& shader, const ShaderArrayConfig& sm) {
  struct Demand {
    double instructions;  // of one thread
    double latency_cycles;
    double lanes;
  };
  const std::array<Demand, sm_units> demands = {{
      {shader.alu_instructions, sm.alu_latency_cycles, sm.alu_lanes},
      {shader.sfu_instructions, sm.sfu_latency_cycles, sm.sfu_lanes},
      {shader.texture_samples, sm.texture_latency_cycles, sm.texture_samples_per_clock},
      {shader.shared_accesses, sm.shared_latency_cycles, sm.shared_lanes},
  }};
  const std::uint32_t warps = divided_up(group.threads, sm.warp_threads);
  const double threads = static_cast<double>(warps) * sm.warp_threads;
  double chain_cycles = 0;
  for (const Demand& demand : demands) chain_cycles += demand.instructions * demand.latency_cycles;

  GroupCost cost;
  cost.cycles = static_cast<std::uint64_t>(std::ceil(chain_cycles));
  std::array<double, sm_units> busy_cycles{};  // of each unit
  for (std::size_t i = 0; i < sm_units; ++i) busy_cycles[i] = threads * demands[i].instructions / demands[i].lanes;
  const double busiest_cycles = *std::max_element(busy_cycles.begin(), busy_cycles.end());
  if (busiest_cycles <= 0) return cost;
  // Without latencies the group still cannot be faster than its busiest unit.
  if (cost.cycles == 0) cost.cycles = static_cast<std::uint64_t>(std::ceil(busiest_cycles));
  for (std::size_t i = 0; i < sm_units; ++i) cost.usage[i] = busy_cycles[i] / static_cast<double>(cost.cycles);
  return cost;
}

}  // namespace fenceline
