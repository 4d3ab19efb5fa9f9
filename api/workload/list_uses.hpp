// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/resources/resource_table.hpp"
#include "api/workload/workload.hpp"
#include "engines/command/command.hpp"

#include <functional>
#include <string>

namespace fenceline {

/// The stream's last command uses the resources that `each` shows it, of a copy its source before its destination.
void add_uses(CommandStream& stream, const ResourceTable& resources,
              const std::function<void(const NameVisitor&)>& each);
/// What the list uses besides; each of all its allocations is listed then, once. ConfigError at `pointer`, the list's,
/// where it names something else than resources.
void end_uses(CommandStream& stream, const ResourceTable& resources, const CommandListInfo& list,
              const std::string& pointer);

}  // namespace fenceline
