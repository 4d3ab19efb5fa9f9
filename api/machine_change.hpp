// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/machine_config.hpp"

#include <string>
#include <vector>

namespace fenceline {

/// Pointers into a machine's document of what counts while it runs, `*` for any key: what `Machine::change` takes. All
/// else is decided when a machine is made.
const std::vector<std::string>& live_parameters();

/// The same of a workload, with `/workload` before them as `--set` has it: what `Machine::change` of a queue and
/// `set_priority` of a process take.
const std::vector<std::string>& live_workload_parameters();

/// The pointer is of one of the patterns, in which `*` is any key, or in what is.
bool reaches_any(const std::vector<std::string>& patterns, const std::string& pointer);

/// Says what is live in place of `pointer`, as `--set` names it. Always throws ConfigError, with file `--set`.
[[noreturn]] void refuse_not_live(const std::string& pointer, const char* found);

/// The machine with `/pointer=value` texts applied, as `--set` takes them. Throws ConfigError, with file `--set`, also
/// where one of them changes what is not live.
MachineConfig changed_machine(const MachineConfig& machine, const std::vector<std::string>& sets);

}  // namespace fenceline
