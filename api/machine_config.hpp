// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bgproc/background_config.hpp"
#include "bgproc/cores/cpu_config.hpp"
#include "engines/compute_engine_config.hpp"
#include "engines/copy_engine_config.hpp"
#include "engines/graphics_engine_config.hpp"
#include "engines/memory/memory_config.hpp"
#include "engines/shader_array/rules/shader_array_config.hpp"
#include "scheduler/config/scheduler_config.hpp"
#include "scheduler/config/submission_path.hpp"
#include "scheduler/display/display_config.hpp"
#include "scheduler/recovery/tdr_config.hpp"
#include "scheduler/residency/video_memory_config.hpp"
#include "shadercache/implicit/implicit_cache_config.hpp"
#include "sim/config/described.hpp"

#include <map>
#include <string>
#include <variant>
#include <vector>

namespace fenceline {

/// What the CPU's side of the driver costs.
struct HostConfig {
  std::string source;
  double call_us = 1;  ///< CPU time of one call that submits, signals or waits
  double wake_us = 5;  ///< from the handled interrupt of a fence's signal until the CPU thread that waited for it runs
  double record_us = 0.05;    ///< CPU time of one call that records a command (D3D12)
  double poll_us = 0.1;       ///< CPU time of one call that asks: GetCompletedValue (D3D12)
  double after_sleep_us = 0;  ///< before the first call of a thread that has slept (sleep_until)
  CpuConfig cpu;              ///< cores that the program's threads and background tasks share
};
void describe(Fields& f, HostConfig& c);

using NodeConfig = std::variant<GraphicsEngineConfig, ComputeEngineConfig, CopyEngineConfig>;

/// A whole machine as data. Every default stands here or in the parts' structs, once.
struct MachineConfig {
  std::string name = "machine";
  std::string source;
  ShaderArrayConfig shader_array;
  MemoryConfig memory;
  VideoMemoryConfig video_memory;
  std::uint32_t linked_adapters = 1;  ///< so many equal ones
  std::vector<NodeConfig> engines = {GraphicsEngineConfig{}, ComputeEngineConfig{}, CopyEngineConfig{}};
  SchedulerConfig scheduler;
  std::map<std::string, SubmissionPath> submission_paths = {{"default", {}}};
  std::string default_path = "default";
  TdrConfig tdr;
  DisplayConfig display;
  HostConfig host;
  BackgroundConfig background_processing;
  ImplicitCacheConfig shader_cache;
};
void describe(Fields& f, MachineConfig& c);

/// D3DKMDT_PREEMPTION_CAPS: what the adapter reports. Of several engines that can run a class of work the coarsest
/// counts; `none` where no engine runs it. Source: windows-driver-docs-ddi, D3DKMDT_GRAPHICS_PREEMPTION_GRANULARITY.
struct PreemptionCaps {
  GraphicsPreemption graphics = GraphicsPreemption::none;  ///< of draws
  ComputePreemption compute = ComputePreemption::none;     ///< of dispatches
};
PreemptionCaps preemption_caps(const MachineConfig& machine);

/// What all kinds of node have in common.
const EngineConfig& engine_config(const NodeConfig& node);
constexpr std::uint32_t most_linked_adapters = 4;
/// "link1": stands in the path of what the linked adapter has of its own. The first one, 0, has none.
std::string link_name(std::uint32_t link);
/// "3d0", "compute0", "copy1": the nodes' own names, else their kind and a number within the kind.
std::vector<std::string> node_names(const std::vector<NodeConfig>& nodes);

/// Machines that need no file: those of configs/machines, in alphabetical order.
std::vector<std::string> builtin_machine_names();
/// Throws ConfigError for another name, listing the known ones.
MachineConfig builtin_machine(const std::string& name);
/// The JSON text of a built-in machine, for reading with overrides.
const char* builtin_machine_text(const std::string& name);

}  // namespace fenceline
