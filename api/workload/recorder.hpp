// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/workload/workload.hpp"
#include "engines/command/command.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fenceline {

/// Commands that the lists of one workload may have from their repeats and the bundles they execute.
constexpr std::uint64_t max_inlined_commands = 4'000'000;

/// Records every command list of the workload; lists get the commands of the bundles they execute. ConfigError where a
/// command names something unknown, does not belong into its list type, or copies beyond a resource.
std::vector<std::shared_ptr<const CommandStream>> record_lists(const Workload& workload, const std::string& file);

}  // namespace fenceline
