// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/display/frame.hpp"

#include <cstdint>
#include <deque>
#include <optional>

namespace fenceline {

/// The frames of one swap chain that the GPU is done with and that wait for the screen: the flip model's rules, without
/// any time but the numbers of vertical blanks.
///
/// One frame a vertical blank goes on screen, in order. A frame of interval n stays for n of them, unless the next one
/// has interval 0, which takes its place at the next; a frame of interval 0 is discarded when a newer one waits behind
/// it. Frames of intervals 3, 0, 0, 1, 0, all waiting: the first is shown for one, the fourth for one, then the last.
/// Source: IDXGISwapChain::Present, "Flip presentation model queue". A frame that comes at a vertical blank, or after
/// it, is too late for it.
class FlipQueue {
 public:
  /// What is on screen.
  struct Shown {
    Frame frame;
    std::uint64_t vblank = 0;  ///< since then; of one that tears: the last before
  };

  /// The GPU has come to the frame; `vblank` is the last one that has been. True: it is on screen now, as it tears and
  /// no frame that waits for a vertical blank is before it.
  bool arrive(const Frame& frame, std::uint64_t vblank);
  /// The vertical blank. True: another frame is on screen.
  bool flip_at(std::uint64_t vblank);
  /// The first vertical blank after `vblank` at which the first frame that waits may go on screen; none waits: none.
  std::optional<std::uint64_t> next_flip(std::uint64_t vblank) const;

  const std::optional<Shown>& shown() const { return shown_; }
  std::size_t waiting() const { return waiting_.size(); }
  /// Frames that have been on screen, and that never will be.
  std::uint64_t shown_count() const { return shown_count_; }
  std::uint64_t discarded_count() const { return discarded_count_; }
  /// Vertical blanks at which a frame had been shown for its interval, and none that came after it was there yet; in
  /// between frames that wait for vertical blanks.
  std::uint64_t missed_count() const { return missed_count_; }

 private:
  struct Waiting {
    Frame frame;
    std::uint64_t vblank;  // came after it
  };
  void show(const Frame& frame, std::uint64_t vblank);
  void discard_oldest();
  void discard_newest();

  std::deque<Waiting> waiting_;
  std::optional<Shown> shown_;
  std::uint64_t shown_count_ = 0;
  std::uint64_t discarded_count_ = 0;
  std::uint64_t missed_count_ = 0;
};

}  // namespace fenceline
