// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/workload/replay/work_order.hpp"
#include "api/workload/workload.hpp"

#include <string>

namespace fenceline {

/// A queue's step of the order, by itself, as one of the queue's own timeline.
QueueStep queue_step_at(const Workload& workload, const WorkOrder& order, const WorkEvent& event);
/// A CPU thread's, that is for no queue, by itself.
CpuStep cpu_step_at(const Workload& workload, const WorkOrder& order, const WorkEvent& event);
/// The step of a queue's own timeline, by itself, as one that a CPU thread gives it.
CpuStep given_by_cpu(const QueueStep& step, const std::string& queue);

}  // namespace fenceline
