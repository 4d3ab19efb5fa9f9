// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/workload/workload.hpp"
#include "engines/command.hpp"

#include <memory>
#include <string>
#include <vector>

namespace fenceline {

/// Records every command list of the workload. ConfigError where a command names something unknown, does not belong
/// into its list type, or copies beyond a resource.
std::vector<std::shared_ptr<const CommandStream>> record_lists(const Workload& workload, const std::string& file);

}  // namespace fenceline
