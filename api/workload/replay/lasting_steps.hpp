// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/workload/replay/work_order.hpp"
#include "api/workload/workload.hpp"

#include <cstddef>
#include <vector>

namespace fenceline {

struct NeededNames;

/// Of each CPU thread the steps among the first `events` whose effect lasts, without those that later ones undo, and
/// only about what is needed (docs/replay.md, rule 12).
std::vector<std::vector<CpuStep>> lasting_steps(const Workload& workload, const WorkOrder& order, std::size_t events,
                                                const NeededNames& needed);

}  // namespace fenceline
