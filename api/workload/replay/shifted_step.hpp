// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/timeline/timeline.hpp"
#include "api/workload/workload_steps.hpp"
#include "sim/duration.hpp"

#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace fenceline {

/// How a step of a repeat becomes one of another repeat, or a step by itself.
struct StepShift {
  std::uint64_t iteration = 0;   ///< of the old repeat, with which the new one begins
  std::uint64_t takes_part = 0;  ///< from this iteration of the old one on
  bool alone = false;            ///< it is in no repeat any more
  std::uint64_t earlier_ps = 0;  ///< times are since this moment
};

template <class One, class = void>
struct HasValueStep : std::false_type {};
template <class One>
struct HasValueStep<One, std::void_t<decltype(One::value_step)>> : std::true_type {};

/// The value of something that grows from iteration to iteration, `iterations` later.
template <class One>
void advance_step(One& step, std::uint64_t iterations, const StepShift& shift) {
  if constexpr (HasValueStep<One>::value) {
    step.value += step.value_step * iterations;
    if (shift.alone) step.value_step = 0;
  } else if constexpr (std::is_same_v<One, CpuCreatePipelineStates>) {
    step.first += step.first_step * iterations;
    if (shift.alone) step.first_step = 0;
  } else if constexpr (std::is_same_v<One, CpuSleepUntil>) {
    const std::uint64_t at_ps = ps_of_us(step.us) + ps_of_us(step.us_step) * iterations;
    if (iterations > 0 || shift.earlier_ps > 0) step.us = static_cast<double>(at_ps - shift.earlier_ps) / 1e6;
    if (shift.alone) step.us_step = 0;
  }
}

/// What the step is in the new place. A sleep ends behind `earlier_ps`.
template <class One>
One shifted(One step, const StepShift& shift) {
  advance_step(step, shift.takes_part - step.from_iteration, shift);
  step.from_iteration = shift.alone ? 0 : shift.takes_part - shift.iteration;
  return step;
}

/// Calls with the step at that place as one by itself. `Repeat` is that of the timeline.
template <class Repeat, class AnyStep, class Call>
decltype(auto) with_step_at(const std::vector<AnyStep>& timeline, const StepPlace& place, const Call& call) {
  const auto alone = [&](const auto& step) -> decltype(auto) {
    return call(shifted(step, {place.iteration, place.iteration, true, 0}));
  };
  const AnyStep& block = timeline[place.block];
  if (const auto* repeat = std::get_if<Repeat>(&block)) return std::visit(alone, repeat->steps[place.step]);
  return std::visit(
      [&](const auto& step) -> decltype(auto) {
        using One = std::decay_t<decltype(step)>;
        // A repeat does not come here; it is asked for so that all alternatives have one type.
        if constexpr (std::is_same_v<One, Repeat>) {
          return std::visit(alone, step.steps[place.step]);
        } else {
          return alone(step);
        }
      },
      block);
}

}  // namespace fenceline
