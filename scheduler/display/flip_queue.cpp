// SPDX-License-Identifier: Apache-2.0
#include "scheduler/display/flip_queue.hpp"

#include <algorithm>
#include <cstddef>

namespace fenceline {

bool FlipQueue::arrive(const Frame& frame, std::uint64_t vblank) {
  if (frame.restart) {
    while (may_discard_newest()) discard_newest();
  }
  if (frame.tearing) {
    while (may_discard_newest() && waiting_.back().frame.interval == 0) discard_newest();
    if (waiting_.empty() && register_free()) {
      show(frame, vblank);
      return true;
    }
  }
  waiting_.push_back({frame, vblank});
  if (depth_ > 0) hand_over(vblank);
  return false;
}

void FlipQueue::flip_known(std::uint64_t vblank) {
  if (depth_ == 0) return;
  --unknown_;
  hand_over(vblank);
}

/// As many as there are registers free, as far as the operating system knows.
void FlipQueue::hand_over(std::uint64_t vblank) {
  while (register_free() && in_registers_ < waiting_.size()) {
    Waiting& first = waiting_[in_registers_];
    if (first.frame.interval == 0 && in_registers_ + 1 < waiting_.size()) {
      discard(in_registers_);
    } else {
      first.vblank = vblank;
      ++in_registers_;
    }
  }
}

bool FlipQueue::flip_at(std::uint64_t vblank) {
  const std::optional<std::uint64_t> next = next_flip(vblank - 1);
  if (!next || *next > vblank) return false;
  const auto in_time = [&](std::size_t i) { return i < waiting_.size() && waiting_[i].vblank < vblank; };
  while (depth_ == 0 && waiting_.front().frame.interval == 0 && in_time(1)) {
    discard(0);
  }
  const Frame frame = waiting_.front().frame;
  waiting_.pop_front();
  if (depth_ > 0) --in_registers_;
  if (shown_ && shown_->frame.interval > 0 && frame.interval > 0) {
    const std::uint64_t missed = vblank - (shown_->vblank + shown_->frame.interval);
    missed_count_ += missed;
    glitch_count_ += missed > 0 ? 1 : 0;
  }
  show(frame, vblank);
  return true;
}

std::optional<std::uint64_t> FlipQueue::next_flip(std::uint64_t vblank) const {
  if (waiting_.empty() || (depth_ > 0 && in_registers_ == 0)) return {};
  const Waiting& first = waiting_.front();
  std::uint64_t next = std::max(vblank, first.vblank) + 1;
  if (!shown_) return next;
  const std::uint32_t stays = first.frame.interval == 0 ? 1 : std::max<std::uint32_t>(shown_->frame.interval, 1);
  return std::max(next, shown_->vblank + stays);
}

void FlipQueue::show(const Frame& frame, std::uint64_t vblank) {
  shown_ = Shown{frame, vblank};
  ++shown_count_;
  if (depth_ > 0) ++unknown_;
}

void FlipQueue::discard_waiting() {
  in_registers_ = 0;
  while (!waiting_.empty()) discard(0);
}

void FlipQueue::discard_newest() { discard(waiting_.size() - 1); }

void FlipQueue::discard(std::size_t place) {
  discarded_.push_back(waiting_[place].frame);
  waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(place));
  ++discarded_count_;
}

void FlipQueue::begin_anew() {
  waiting_.clear();
  in_registers_ = unknown_ = 0;
  shown_.reset();
}

}  // namespace fenceline
