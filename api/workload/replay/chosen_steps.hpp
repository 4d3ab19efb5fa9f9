// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/timeline/timeline.hpp"
#include "api/workload/workload_steps.hpp"

#include <cstdint>
#include <vector>

namespace fenceline {

/// A timeline with the chosen steps alone, which are in order. Repeats stay repeats where what is chosen of them can be
/// said so: steps that take part from some iteration on. Times are since `earlier_ps`, behind which all chosen sleeps
/// end.
std::vector<QueueStep> chosen_steps(const std::vector<QueueStep>& timeline, const std::vector<StepPlace>& chosen,
                                    std::uint64_t earlier_ps);
std::vector<CpuStep> chosen_steps(const std::vector<CpuStep>& timeline, const std::vector<StepPlace>& chosen,
                                  std::uint64_t earlier_ps);

}  // namespace fenceline
