// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array/shortcuts/steady_state.hpp"

#include <algorithm>

namespace fenceline {
std::optional<SteadyState::Period> SteadyState::observe(const std::vector<SmClass>& classes, const Flow& flow,
                                                        std::uint64_t cycle, std::uint64_t groups) {
  if (steps_until_newer_ > 0) {
    const bool same =
        flow.come == kept_flow_.come && flow.cycles_to_next == kept_flow_.cycles_to_next &&
        std::equal(classes.begin(), classes.end(), kept_.begin(), kept_.end(), [&](const SmClass& a, const SmClass& b) {
          return a.sms == b.sms && same_state(a, cycle, b, kept_cycle_, grid_change_cycles_);
        });
    if (same && groups > kept_groups_) return Period{cycle - kept_cycle_, groups - kept_groups_};
    --steps_until_newer_;
    if (steps_until_newer_ > 0) return {};
    steps_between_ *= 2;
  } else {
    steps_between_ = 1;
  }
  kept_ = classes;
  kept_flow_ = flow;
  kept_cycle_ = cycle;
  kept_groups_ = groups;
  steps_until_newer_ = steps_between_;
  return {};
}

SkippedPeriods SkippedPeriods::before(std::uint64_t cycle) const {
  SkippedPeriods over = *this;
  if (cycle == from) {
    over.count = 0;
  } else if (period.cycles > 0) {
    over.count = std::min(count, (cycle - from - 1) / period.cycles);
  }
  return over;
}

}  // namespace fenceline
