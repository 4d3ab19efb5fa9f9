// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/sweep/sweep_plan.hpp"

#include <string>

namespace fenceline::cli {

/// What the sweep sets or varies and cannot matter for its runs, a line for each reason: "no effect    --set:
/// /pointer: has no effect here: reason", and in how many of the runs where it does matter in others. Of a large sweep
/// some runs are looked at. It follows from the plan alone: whatever was played before, by however many.
std::string silent_lines(const SweepPlan& plan);

}  // namespace fenceline::cli
