// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/machine_config.hpp"
#include "bgproc/cores/cpu_cores.hpp"
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
#include <string>
#include <vector>

namespace fenceline {

/// The engines of one physical adapter, in the order of the machine. Those of linked ones, other than the first, have
/// runlists of their own: `link` stands in front of the names.
std::vector<std::unique_ptr<Engine>> make_engines(const MachineConfig& config, const std::string& link,
                                                  ShaderArray& array, Memory& memory, EventLog& log);

/// A physical adapter that is linked to the first one: what it has of its own.
struct LinkedAdapter : sc_core::sc_module {
  /// Equal to the first one, as the machine says. Within a simulation (Kernel).
  LinkedAdapter(sc_core::sc_module_name name, const MachineConfig& config, EventLog& log);

  Memory memory;                                 ///< video memory, L2, links to the host
  ShaderArray shader_array;                      ///< what the engines share
  std::vector<std::unique_ptr<Engine>> engines;  ///< the nodes, in the order of the machine
};

/// The GPU and its scheduler: the top of the SystemC hierarchy, "adapter".
struct Hardware : sc_core::sc_module {
  /// The parts of a machine, connected. Within a simulation (Kernel).
  Hardware(sc_core::sc_module_name name, const MachineConfig& config, EventLog& log);

  Memory memory;                                      ///< video memory, L2, links to the host
  ShaderArray shader_array;                           ///< what the engines share
  std::vector<std::unique_ptr<Engine>> engines;       ///< the nodes, in the order of the machine
  std::vector<std::unique_ptr<LinkedAdapter>> links;  ///< the adapters that are linked to this one
  /// Of all linked adapters, one after the other: as the scheduler numbers them.
  std::vector<Engine*> nodes() const;
  FenceUnit fences;                      ///< all fences
  Display display;                       ///< the screen
  std::unique_ptr<Scheduler> scheduler;  ///< who decides
  Agenda host;                           ///< what the CPU does at a time of its own
  CpuCores cpu;                          ///< its cores
};

/// What the scheduler is to know of the machine's video memory.
PagingConfig paging_of(const MachineConfig& machine);

/// The coarsest granularity of what runs on a node, by any submission path. `none` where a request begins with that:
/// what is queued may begin then before the engine can withhold it.
PreemptionLevel stops_at(const MachineConfig& machine, const NodeConfig& node);

/// What may change while the machine runs (Engine::change) is that of the node's configuration from now on, within what
/// the scheduler's model allows.
void change_engine(Engine& engine, const SchedulerConfig& scheduler, const NodeConfig& node);

}  // namespace fenceline
