// SPDX-License-Identifier: Apache-2.0
#include "scheduler/display/flip_queue.hpp"

#include <algorithm>

namespace fenceline {

bool FlipQueue::arrive(const Frame& frame, std::uint64_t vblank) {
  if (frame.restart) {
    while (!waiting_.empty()) discard_newest();
  }
  if (frame.tearing) {
    while (!waiting_.empty() && waiting_.back().frame.interval == 0) discard_newest();
    if (waiting_.empty()) {
      show(frame, vblank);
      return true;
    }
  }
  waiting_.push_back({frame, vblank});
  return false;
}

bool FlipQueue::flip_at(std::uint64_t vblank) {
  const std::optional<std::uint64_t> next = next_flip(vblank - 1);
  if (!next || *next > vblank) return false;
  const auto in_time = [&](std::size_t i) { return i < waiting_.size() && waiting_[i].vblank < vblank; };
  while (waiting_.front().frame.interval == 0 && in_time(1)) discard_oldest();
  const Frame frame = waiting_.front().frame;
  waiting_.pop_front();
  if (shown_ && shown_->frame.interval > 0 && frame.interval > 0) {
    missed_count_ += vblank - (shown_->vblank + shown_->frame.interval);
  }
  show(frame, vblank);
  return true;
}

std::optional<std::uint64_t> FlipQueue::next_flip(std::uint64_t vblank) const {
  if (waiting_.empty()) return {};
  const Waiting& first = waiting_.front();
  std::uint64_t next = std::max(vblank, first.vblank) + 1;
  if (!shown_) return next;
  const std::uint32_t stays = first.frame.interval == 0 ? 1 : std::max<std::uint32_t>(shown_->frame.interval, 1);
  return std::max(next, shown_->vblank + stays);
}

void FlipQueue::show(const Frame& frame, std::uint64_t vblank) {
  shown_ = Shown{frame, vblank};
  ++shown_count_;
}

void FlipQueue::discard_oldest() {
  waiting_.pop_front();
  ++discarded_count_;
}

void FlipQueue::discard_newest() {
  waiting_.pop_back();
  ++discarded_count_;
}

}  // namespace fenceline
