// SPDX-License-Identifier: Apache-2.0
#include "api/import/kineto_costs.hpp"

#include "sim/config_error.hpp"
#include "sim/duration.hpp"
#include "sim/kernel/clock_domain.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fenceline {

KinetoCosts kineto_costs(const MachineConfig& machine, bool several_commands) {
  const auto node = std::find_if(machine.engines.begin(), machine.engines.end(), [](const NodeConfig& one) {
    return std::holds_alternative<ComputeEngineConfig>(one);
  });
  if (node == machine.engines.end()) {
    throw ConfigError(fmt::format("machine {}", machine.name), "/engines", "a compute node for the kernels", "none");
  }
  KinetoCosts costs;
  for (const char* name : {"cuda_graph", "cuda_stream"}) {
    const bool wanted = several_commands || std::string(name) == "cuda_stream";
    if (costs.path.empty() && wanted && machine.submission_paths.count(name) > 0) costs.path = name;
  }
  const SubmissionPath& path = machine.submission_paths.at(costs.path.empty() ? machine.default_path : costs.path);
  const NodePath& compute = path.compute;
  const EngineConfig& engine = engine_config(*node);
  const ClockDomain clock = ClockDomain::of_mhz(engine.clock_mhz);
  const auto ps = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
  const std::int64_t fetch_ps = ps(clock.duration_ps(engine.command_cycles));
  costs.barrier_ps =
      compute.barrier_ns ? ps(ps_of_ns(*compute.barrier_ns)) : ps(clock.duration_ps(engine.barrier_cycles)) + fetch_ps;
  costs.launch_ps = ps(ps_of_ns(compute.launch_ns)) + fetch_ps;
  costs.retire_ps = ps(ps_of_ns(compute.retire_ns));
  costs.follow_ps = costs.retire_ps + ps(ps_of_ns(compute.follow_ns)) + costs.launch_ps;
  costs.event_ps = costs.retire_ps + ps(ps_of_ns(compute.fence_same_node_ns)) + costs.launch_ps;
  costs.call_ps = ps(ps_of_us(machine.host.call_us));
  costs.wake_ps = ps(ps_of_us(machine.host.wake_us));
  return costs;
}

}  // namespace fenceline
