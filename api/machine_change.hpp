// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/machine_config.hpp"

#include <string>
#include <vector>

namespace fenceline {

/// Pointers into a machine's document of what counts while it runs, `*` for any key: what `Machine::change` takes. All
/// else is decided when a machine is made.
const std::vector<std::string>& live_parameters();

/// The machine with `/pointer=value` texts applied, as `--set` takes them. Throws ConfigError, with file `--set`, also
/// where one of them changes what is not live.
MachineConfig changed_machine(const MachineConfig& machine, const std::vector<std::string>& sets);

}  // namespace fenceline
