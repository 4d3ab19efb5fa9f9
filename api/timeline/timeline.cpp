// SPDX-License-Identifier: Apache-2.0
#include "api/timeline/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace fenceline {

Marker marker_of(const Step& step) {
  const MarkerKind kind = step.kind == Step::Kind::begin_event ? MarkerKind::begin
                          : step.kind == Step::Kind::end_event ? MarkerKind::end
                                                               : MarkerKind::set;
  return {kind, step.name, step.color, 0};
}

void TimelineCursor::next() {
  ++step_;
  settle();
}

/// Moves on to the next step that takes part in its iteration.
void TimelineCursor::settle() {
  while (block_ < timeline_->blocks.size()) {
    const StepBlock& block = timeline_->blocks[block_];
    for (; iteration_ < block.count; ++iteration_, step_ = 0) {
      for (; step_ < block.steps.size(); ++step_) {
        if (iteration_ >= block.steps[step_].from_iteration) return;
      }
      if (block.steps.empty()) break;
    }
    ++block_;
    iteration_ = 0;
    step_ = 0;
  }
}

bool TimelineCursor::may_leave() const {
  const StepBlock& block = timeline_->blocks[block_];
  const auto takes_part = [&](const Step& step) { return iteration_ >= step.from_iteration; };
  return block.until_steady &&
         std::none_of(block.steps.begin() + static_cast<std::ptrdiff_t>(step_) + 1, block.steps.end(), takes_part);
}

void TimelineCursor::leave() {
  ++block_;
  iteration_ = 0;
  step_ = 0;
  settle();
}

std::string TimelineCursor::pointer() const {
  const std::string step = fmt::format("{}/{}", timeline_->pointer, block_);
  return timeline_->blocks[block_].repeat ? fmt::format("{}/steps/{}", step, step_) : step;
}

bool signals(const Step& step, std::uint32_t fence) {
  const bool can = step.kind == Step::Kind::queue_signal || step.kind == Step::Kind::fence_signal ||
                   step.kind == Step::Kind::make_resident ||
                   (step.kind == Step::Kind::set_background_processing_mode && step.mode.has_event);
  return can && step.fence == fence;
}

bool signals_later(TimelineCursor cursor, std::uint32_t fence, std::uint64_t value) {
  for (; !cursor.at_end(); cursor.next()) {
    if (signals(cursor.step(), fence) && cursor.value() >= value) return true;
  }
  return false;
}

}  // namespace fenceline
