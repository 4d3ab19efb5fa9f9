// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/display/display_config.hpp"
#include "scheduler/display/flip_queue.hpp"
#include "scheduler/display/frame.hpp"
#include "scheduler/display/vblank_clock.hpp"
#include "scheduler/fences/fence_unit.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/log.hpp"
#include "sim/slots.hpp"
#include "sim/ticket.hpp"

#include <systemc>

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace fenceline {

/// The screen: vertical blanks, and for each swap chain the frames that wait for them. Every swap chain flips by
/// itself, as with a plane of its own: no compositor is in between.
///
/// A flip is a write to the screen's registers, which they take over at the next vertical blank: it holds up no engine.
/// Source: FlipOnVSyncMmIo of DXGK_FLIPCAPS, windows-driver-docs-ddi; the GPU preemption document demands it. The
/// operating system learns of it by the vertical blank's interrupt. Then a fence of the swap chain, which counts
/// frames, gets the number of the one on screen: those before it have left the screen, or will never be there. Queues
/// that want to write a back buffer again wait for it, and so does a CPU thread that is too many frames ahead.
///
/// An event is there only while a frame waits for its vertical blank: no clock runs.
class Display : public sc_core::sc_module {
 public:
  /// What one swap chain has shown. Exact, and kept for all frames: 8 bytes each.
  struct Presented {
    std::string swap_chain;                 ///< its name
    std::uint64_t presented;                ///< frames that were submitted
    std::uint64_t shown;                    ///< on screen, the present one included
    std::uint64_t discarded;                ///< newer ones took their place before they got there
    std::uint64_t missed_vblanks;           ///< FlipQueue::missed_count
    std::deque<std::uint64_t> shown_at_ps;  ///< of each frame on screen
  };

  /// `interrupt_ps` from a vertical blank until the operating system knows of it.
  Display(sc_core::sc_module_name name, const DisplayConfig& config, std::uint64_t interrupt_ps, FenceUnit& fences,
          EventLog& log);

  const VblankClock& vblanks() const { return vblanks_; }  ///< of the screen
  /// `name` is for people. The listener may be null, and lives until the swap chain is closed.
  SwapChainId create(const std::string& name, FrameListener* listener);
  /// Of the frame on screen, as far as the operating system knows.
  FenceId fence_of(SwapChainId chain) const { return at(chain).fence; }
  /// The next frame of the swap chain, which gets its number: `reached` with the place that comes back is to be called
  /// when everything before it is complete.
  std::uint64_t submit(SwapChainId chain, Frame& frame);
  void reached(std::uint64_t place);  ///< the frame is ready for the screen
  /// The swap chain shows nothing any more; frames that have not come are not waited for: its fence goes beyond them.
  void close(SwapChainId chain);

  /// The frame on screen, as of now; the OS may not know yet. None before the first.
  const std::optional<FlipQueue::Shown>& shown(SwapChainId chain) const { return at(chain).flips.shown(); }
  std::size_t count() const { return chains_.size(); }  ///< swap chains
  Presented presented(SwapChainId chain) const;         ///< so far
  /// The log hears of what is on screen until now: at the end of a run.
  void log_shown();

 private:
  struct Chain {
    std::string name;
    FrameListener* listener;
    FenceId fence;
    LogName track;
    FlipQueue flips;
    std::uint64_t frames = 0;
    std::uint64_t logged_ps = 0;  ///< the frame on screen is in the log up to here
    std::uint64_t armed = 0;      ///< vertical blank at which there is an event; 0: none
    std::uint32_t number = 0;     ///< of the ticket for that event
    bool closed = false;
    std::deque<std::uint64_t> shown_at_ps;
  };
  struct Submitted {
    std::uint32_t chain;
    Frame frame;
  };
  struct News {
    FenceId fence;
    std::uint64_t frame;
  };
  const Chain& at(SwapChainId chain) const { return chains_[static_cast<std::uint32_t>(chain)]; }
  void arm(std::uint32_t chain);
  void vblank(std::uint64_t ticket);
  void flipped(Chain& chain, std::uint64_t missed_before);
  void end_shown(Chain& chain, const FlipQueue::Shown& shown);
  void tell(std::uint64_t news);

  VblankClock vblanks_;
  std::uint64_t interrupt_ps_;
  FenceUnit& fences_;
  EventLog& log_;
  LogName path_;
  LogName log_vblank_;
  LogName log_missed_;
  Agenda agenda_;
  std::deque<Chain> chains_;
  TicketNumbers numbers_;
  Slots<Submitted> submitted_;
  Slots<News> news_;
  std::uint64_t logged_vblank_ = 0;
};

}  // namespace fenceline
