// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/workload/resource_table.hpp"
#include "api/workload/workload.hpp"
#include "engines/command/command.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace fenceline {

/// Where a list stands in its document.
struct ListPlace {
  std::string file;
  std::string pointer;
};

/// What the list says of where it may be split, and its patch location list, to its stream: by the stream's commands,
/// of which `starts` has the first of each of the list's. ConfigError where it names a command that it does not have,
/// or one inside a render pass, or is out of order.
void take_splits(const CommandListInfo& list, const std::vector<std::size_t>& starts, const ResourceTable& resources,
                 const ListPlace& place, CommandStream& stream);

}  // namespace fenceline
