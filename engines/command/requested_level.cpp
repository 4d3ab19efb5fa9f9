// SPDX-License-Identifier: Apache-2.0
#include "engines/command/requested_level.hpp"

#include "sim/duration.hpp"

#include <algorithm>

namespace fenceline {

void LevelSchedule::add(PreemptionLevel level, double after_us) { steps_.push_back({level, ps_of_us(after_us)}); }

PreemptionLevel LevelSchedule::level_after(std::uint64_t elapsed_ps) const {
  PreemptionLevel level = steps_.front().level;
  for (const Step& step : steps_) {
    if (step.after_ps <= elapsed_ps) level = step.level;
  }
  return level;
}

PreemptionLevel RequestedLevel::in_force(const LevelSchedule& levels, std::uint64_t at_ps) const {
  PreemptionLevel level = PreemptionLevel::none;
  for (const Asked& asked : asked_) {
    level = std::max(level, std::min(asked.finest, levels.level_after(at_ps - asked.at_ps)));
  }
  return level;
}

std::optional<std::uint64_t> RequestedLevel::next_step_ps(const LevelSchedule& levels, std::uint64_t at_ps) const {
  std::optional<std::uint64_t> next_ps;
  for (const Asked& asked : asked_) {
    for (const LevelSchedule::Step& step : levels.steps()) {
      const std::uint64_t step_ps = asked.at_ps + step.after_ps;
      if (step_ps > at_ps && step_ps < next_ps.value_or(~std::uint64_t{0})) next_ps = step_ps;
    }
  }
  return next_ps;
}

}  // namespace fenceline
