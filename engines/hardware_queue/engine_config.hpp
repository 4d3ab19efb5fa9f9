// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/preemption.hpp"
#include "sim/config/described.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

/// What every node has.
struct EngineConfig {
  std::string name;  ///< of the node: "copy0". Empty: the kind and a number
  std::string source;
  double clock_mhz = 1500;
  std::uint32_t hardware_queues = 1;
  std::uint32_t hardware_queue_depth = 2;
  std::optional<std::uint32_t> hardware_queue_refill;  ///< unset: a place is filled as soon as it is free
  std::uint32_t command_cycles = 0;
  std::uint32_t barrier_cycles = 0;
  std::uint32_t commands_in_flight = 128;
  double indirect_fetch_ns = 500;
  std::vector<std::string> dependent_nodes;  ///< that a reset takes along (DependentNodeOrdinalMask without itself)
  std::string runlist;  ///< engines of the same one run one process at a time, where processes take turns
  // Each kind of engine describes those of the work it runs.
  ClassPreemption<GraphicsPreemption> graphics_preemption;  ///< where draws stop
  ClassPreemption<ComputePreemption> compute_preemption;    ///< where dispatches stop
  ClassPreemption<CopyPreemption> copy_preemption;          ///< where copies stop
  ThreadContextState context_state;
};
void describe(Fields& f, EngineConfig& c);

/// What nodes that run shaders have, besides where their work stops.
void describe_shader_engine(Fields& f, EngineConfig& c);

}  // namespace fenceline
