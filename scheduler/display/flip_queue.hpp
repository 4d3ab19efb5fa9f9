// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/display/frame.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

namespace fenceline {

/// The frames of one swap chain that the GPU is done with and that wait for the screen: the flip model's rules, without
/// any time but the numbers of vertical blanks.
///
/// One frame a vertical blank goes on screen, in order. A frame of interval n stays for n of them, unless the next one
/// has interval 0, which takes its place at the next; a frame of interval 0 is discarded when a newer one waits behind
/// it. Frames of intervals 3, 0, 0, 1, 0, all waiting: the first is shown for one, the fourth for one, then the last.
/// Source: IDXGISwapChain::Present, "Flip presentation model queue". A frame that comes at a vertical blank, or after
/// it, is too late for it.
///
/// With a depth the screen's registers hold so many frames that wait, which are not taken back; the operating system
/// has the others, and hands them over when it knows of a flip. Source: MaxQueuedFlipOnVSync.
class FlipQueue {
 public:
  /// 0: all that wait is in the registers, and may still be discarded.
  explicit FlipQueue(std::uint32_t depth) : depth_(depth) {}
  FlipQueue() = default;  ///< of depth 0

  /// What is on screen.
  struct Shown {
    Frame frame;
    std::uint64_t vblank = 0;  ///< since then; of one that tears: the last before
  };

  /// The GPU has come to the frame; `vblank` is the last one that has been. True: it is on screen now, as it tears and
  /// no frame that waits for a vertical blank is before it.
  bool arrive(const Frame& frame, std::uint64_t vblank);
  /// The operating system knows of the oldest flip that it did not know of; `vblank` is the last one that has been.
  void flip_known(std::uint64_t vblank);
  /// All frames that wait are discarded, also those in the registers.
  void discard_waiting();
  /// Nothing is on screen, and nothing waits. What has been counted stays.
  void begin_anew();
  /// The vertical blank. True: another frame is on screen.
  bool flip_at(std::uint64_t vblank);
  /// The first vertical blank after `vblank` at which the first frame that waits may go on screen; none waits: none.
  std::optional<std::uint64_t> next_flip(std::uint64_t vblank) const;

  const std::optional<Shown>& shown() const { return shown_; }
  std::size_t waiting() const { return waiting_.size(); }
  /// Frames that never will be on screen, since it was asked last, in the order in which they were discarded.
  std::vector<Frame> take_discarded() { return std::exchange(discarded_, {}); }
  /// Frames that have been on screen, and that never will be.
  std::uint64_t shown_count() const { return shown_count_; }
  std::uint64_t discarded_count() const { return discarded_count_; }
  /// Vertical blanks at which a frame had been shown for its interval, and none that came after it was there yet; in
  /// between frames that wait for vertical blanks.
  std::uint64_t missed_count() const { return missed_count_; }
  /// In how many places, however many vertical blanks each.
  std::uint64_t glitch_count() const { return glitch_count_; }

 private:
  struct Waiting {
    Frame frame;
    std::uint64_t vblank;  // came after it, or was handed over
  };
  void show(const Frame& frame, std::uint64_t vblank);
  /// The newest may be thrown away.
  bool may_discard_newest() const { return waiting_.size() > in_registers_; }
  bool register_free() const { return depth_ == 0 || in_registers_ + unknown_ < depth_; }
  void hand_over(std::uint64_t vblank);
  void discard_newest();
  void discard(std::size_t place);

  std::uint32_t depth_ = 0;
  std::deque<Waiting> waiting_;
  std::size_t in_registers_ = 0;  // of those the first; with a depth
  std::size_t unknown_ = 0;       // flips that the operating system does not know of; with a depth
  std::optional<Shown> shown_;
  std::vector<Frame> discarded_;
  std::uint64_t shown_count_ = 0;
  std::uint64_t discarded_count_ = 0;
  std::uint64_t missed_count_ = 0;
  std::uint64_t glitch_count_ = 0;
};

}  // namespace fenceline
