// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/workload/workload.hpp"

#include <string>

namespace fenceline {

/// The same work on one direct queue, in the order of the work (docs/replay.md, rules 15 to 19), with times in place of
/// beats. Throws ConfigError as `order_of` does.
Workload on_single_queue(const Workload& workload, const std::string& file);

}  // namespace fenceline
