// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/hazards/fence_history.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace fenceline::d3d12 {
namespace {

/// More steps than that are made fewer, which may hide a hazard and never invents one.
constexpr std::size_t most_steps = 256;

}  // namespace

void FenceHistory::signal(std::uint64_t value, const QueueClock& clock) {
  const auto above = std::find_if(steps_.begin(), steps_.end(), [&](const Step& step) { return step.value > value; });
  if (above != steps_.end()) {  // rewound: at `value` it has been since the first of those
    above->value = value;
    steps_.erase(above + 1, steps_.end());
    const std::size_t count = steps_.size();
    const bool known = value <= base_ || (count > 1 && steps_[count - 2].value == value);
    if (known) steps_.pop_back();
  } else if (value > value_) {
    steps_.push_back({value, clock});
    if (steps_.size() > most_steps) {
      steps_[1].clock.join(steps_[0].clock);
      steps_.erase(steps_.begin());
    }
  }
  base_ = std::min(base_, value);
  value_ = value;
  last_ = clock;
  all_.join(clock);
}

const QueueClock& FenceHistory::reached(std::uint64_t value) const {
  if (value > value_) return all_;
  if (value <= base_) return none_;
  const auto step = std::lower_bound(steps_.begin(), steps_.end(), value,
                                     [](const Step& one, std::uint64_t wanted) { return one.value < wanted; });
  return step != steps_.end() ? step->clock : none_;
}

void FenceHistory::forget(const QueueClock& cpu) {
  const auto kept =
      std::find_if(steps_.begin(), steps_.end(), [&](const Step& step) { return !cpu.covers(step.clock); });
  if (kept == steps_.begin()) return;
  base_ = std::max(base_, std::prev(kept)->value);
  steps_.erase(steps_.begin(), kept);
}

}  // namespace fenceline::d3d12
