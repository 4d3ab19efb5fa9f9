// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/machine_config.hpp"
#include "engines/engine.hpp"
#include "engines/memory/memory.hpp"
#include "engines/shader_array/shader_array.hpp"
#include "scheduler/display/display.hpp"
#include "scheduler/fences/fence_unit.hpp"
#include "scheduler/scheduler.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/log.hpp"

#include <systemc>

#include <memory>
#include <vector>

namespace fenceline {

/// The GPU and its scheduler: the top of the SystemC hierarchy, "adapter".
struct Hardware : sc_core::sc_module {
  Hardware(sc_core::sc_module_name name, const MachineConfig& config, EventLog& log);

  Memory memory;
  ShaderArray shader_array;
  std::vector<std::unique_ptr<Engine>> engines;
  FenceUnit fences;
  Display display;
  std::unique_ptr<Scheduler> scheduler;
  Agenda host;
};

/// The coarsest granularity of what runs on a node, by any submission path. `none` where a request begins with that:
/// what is queued may begin then before the engine can withhold it.
PreemptionLevel stops_at(const MachineConfig& machine, const NodeConfig& node);

}  // namespace fenceline
