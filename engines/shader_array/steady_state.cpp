// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array/steady_state.hpp"

#include <algorithm>

namespace fenceline {
namespace {

/// A class at a moment. Equal states go on in the same way, whenever they are.
struct Moment {
  const SmClass& sms;
  std::uint64_t cycle;

  std::uint64_t until(std::uint64_t time) const { return time == never ? never : std::max(time, cycle) - cycle; }
};

bool same_group(const Moment& a, const ResidentGroup& x, const Moment& b, const ResidentGroup& y) {
  return a.until(x.due) == b.until(y.due) && x.grid == y.grid && x.leaving == y.leaving &&
         x.memory_done == y.memory_done && a.until(x.start) == b.until(y.start) &&
         a.until(x.fixed_end) == b.until(y.fixed_end) && a.until(x.issue.start) == b.until(y.issue.start) &&
         a.until(x.issue.end) == b.until(y.issue.end) && (x.issue.end <= a.cycle || x.issue.slack == y.issue.slack);
}

bool same_class(const Moment& a, const Moment& b) {
  const SmClass& x = a.sms;
  const SmClass& y = b.sms;
  return a.until(x.next) == b.until(y.next) && a.until(x.launcher_free) == b.until(y.launcher_free) &&
         a.until(x.retired) == b.until(y.retired) && x.retired_grid == y.retired_grid &&
         x.split_bytes == y.split_bytes && x.promised == y.promised && x.sms == y.sms &&
         std::equal(x.residents.begin(), x.residents.end(), y.residents.begin(), y.residents.end(),
                    [&](const ResidentGroup& one, const ResidentGroup& other) { return same_group(a, one, b, other); });
}

}  // namespace

std::optional<SteadyState::Period> SteadyState::observe(const std::vector<SmClass>& classes, const Flow& flow,
                                                        std::uint64_t cycle, std::uint64_t groups) {
  if (steps_until_newer_ > 0) {
    const bool same =
        flow.come == kept_flow_.come && flow.cycles_to_next == kept_flow_.cycles_to_next &&
        std::equal(classes.begin(), classes.end(), kept_.begin(), kept_.end(), [&](const SmClass& a, const SmClass& b) {
          return same_class({a, cycle}, {b, kept_cycle_});
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
