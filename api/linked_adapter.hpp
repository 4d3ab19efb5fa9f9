// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/machine_config.hpp"
#include "engines/engine.hpp"
#include "engines/memory/memory.hpp"
#include "engines/shader_array/shader_array.hpp"
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

}  // namespace fenceline
