// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/workload/workload.hpp"

#include <cstdint>

namespace fenceline::testing {

/// A workload that cannot deadlock: each fence is signalled by one timeline, for one queue or itself, and grows; every
/// wait is for a value that a step before it in one order of all steps brings it to, or for the other half of a ring
/// buffer. One CPU thread at most gives steps to a queue. Lists are named after the queue that executes them. The same
/// number gives the same workload.
Workload random_workload(std::uint64_t n);

}  // namespace fenceline::testing
