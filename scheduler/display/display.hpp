// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/display/display_config.hpp"
#include "scheduler/display/flip_queue.hpp"
#include "scheduler/display/frame.hpp"
#include "scheduler/display/refreshes.hpp"
#include "scheduler/display/scanout.hpp"
#include "scheduler/fences/fence_unit.hpp"
#include "sim/callback.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/log.hpp"
#include "sim/slots.hpp"
#include "sim/ticket.hpp"

#include <systemc>

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

/// The screens: vertical blanks, and for each swap chain the frames that wait for them (docs/display.md). Every swap
/// chain flips by itself, as with a plane of its own, or is a window that a compositor takes frames from.
///
/// A flip is a write to the screen's registers, which they take over at the next vertical blank: it holds up no engine.
/// Source: FlipOnVSyncMmIo of DXGK_FLIPCAPS, windows-driver-docs-ddi; the GPU preemption document demands it. The
/// operating system learns of it by the vertical blank's interrupt. Then a fence of the swap chain, which counts
/// frames, gets the number of the one on screen: those before it have left the screen, or will never be there. Queues
/// that want to write a back buffer again wait for it, and so does a CPU thread that is too many frames ahead.
///
/// An event is there only while a frame, or a thread, waits for its vertical blank: no clock runs.
class Display : public sc_core::sc_module {
 public:
  /// What one swap chain has shown. Exact, and kept for all frames: 16 to 24 bytes each.
  struct Presented {
    std::string swap_chain;                          ///< its name
    std::string output;                              ///< where its frames go
    std::uint64_t presented;                         ///< frames that were submitted
    std::uint64_t shown;                             ///< on screen, the present one included
    std::uint64_t discarded;                         ///< newer ones took their place before they got there
    std::uint64_t missed_vblanks;                    ///< FlipQueue::missed_count
    std::uint64_t glitches;                          ///< FlipQueue::glitch_count
    std::deque<std::uint64_t> shown_at_ps;           ///< of each frame on screen
    std::deque<std::uint64_t> present_to_screen_ps;  ///< of each, since it was submitted
    std::deque<std::uint64_t> input_to_screen_ps;    ///< of each that has an input
  };

  /// Where the frames of an output tore: rule 21 of docs/display.md.
  struct Torn {
    std::string output;               ///< its name
    std::deque<std::uint32_t> lines;  ///< that were being scanned, in the order of time
  };

  /// `interrupt_ps` from a vertical blank until the operating system knows of it.
  Display(sc_core::sc_module_name name, const DisplayConfig& config, std::uint64_t interrupt_ps, FenceUnit& fences,
          EventLog& log);

  const Refreshes& vblanks(OutputId output = {}) const { return outputs_[index(output)].refreshes; }  ///< of a screen
  /// `name` is for people. The listener may be null, and lives until the swap chain is closed.
  SwapChainId create(const std::string& name, FrameListener* listener, const SwapChainPlace& place = {});
  /// Of the frame on screen, as far as the operating system knows.
  FenceId fence_of(SwapChainId chain) const { return at(chain).fence; }
  /// The next frame of the swap chain, which gets its number: `reached` with the place that comes back is to be called
  /// when everything before it is complete.
  std::uint64_t submit(SwapChainId chain, Frame& frame);
  void reached(std::uint64_t place);  ///< the frame is ready for the screen
  void dropped(std::uint64_t place);  ///< instead of `reached`: the frame never will be ready
  /// Frames that wait for the screen are thrown away; the one on screen stays.
  void discard(SwapChainId chain);
  /// The swap chain shows nothing any more; frames that have not come are not waited for: its fence goes beyond them.
  void close(SwapChainId chain);
  /// Another one in the place of one that is closed, and no frame of which is under way: it shows nothing yet, its
  /// fence stands at the frames that there were, and those to come are numbered on. Nothing, where it is not closed.
  void reopen(SwapChainId chain);

  /// Each window of the compositor gives the frame that is ready and whose turn it is to the frame that the compositor
  /// presents next.
  void compose(SwapChainId compositor);
  /// Calls when the operating system knows of the first vertical blank of the output after now
  /// (IDXGIOutput::WaitForVBlank).
  void wait_vblank(OutputId output, Callback call);

  /// The frame on screen, as of now; the OS may not know yet. None before the first.
  const std::optional<FlipQueue::Shown>& shown(SwapChainId chain) const { return at(chain).on_screen; }
  std::size_t count() const { return chains_.size(); }  ///< swap chains
  Presented presented(SwapChainId chain) const;         ///< so far
  std::vector<Torn> torn() const;                       ///< of all outputs, so far
  /// The log hears of what is on screen until now: at the end of a run.
  void log_shown();

 private:
  struct Output {
    std::string name;
    Refreshes refreshes;
    Scanout scanout;
    LogName track;
    std::deque<std::uint32_t> tear_lines = {};
    std::uint64_t logged_vblank = 0;
    std::vector<Callback> waiting = {};  // for its next vertical blank
    std::uint64_t waited_ps = 0;         // when that is, where no frame begins it earlier
    std::uint32_t number = 0;            // of the ticket for that event
  };
  struct Given {
    Frame frame;
    std::uint64_t composition;  // frame of the compositor
  };
  struct Chain {
    std::string name;
    FrameListener* listener;
    SwapChainPlace place;
    FenceId fence;
    LogName track;
    FlipQueue flips;
    std::optional<FlipQueue::Shown> on_screen;
    std::vector<std::uint32_t> windows;  // that it composes
    std::deque<Given> given;             // a window's frames on their way to the screen
    std::uint64_t passed_over = 0;       // of these, that never got there
    std::uint64_t frames = 0;
    std::uint64_t logged_ps = 0;             // the frame on screen is in the log up to here
    bool tore = false;                       // the frame on screen
    std::optional<std::uint32_t> tear_line;  // of it
    std::uint64_t lines_before = 0;          // of the output, when it came on screen
    bool recorded = false;                   // its record is in the log
    std::uint64_t armed = 0;                 // vertical blank at which there is an event; 0: none
    std::uint64_t armed_ps = 0;              // when that is
    std::uint32_t number = 0;                // of the ticket for that event
    bool closed = false;
    std::deque<std::uint64_t> shown_at_ps;
    std::deque<std::uint64_t> present_to_screen_ps;
    std::deque<std::uint64_t> input_to_screen_ps;
  };
  struct Submitted {
    std::uint32_t chain;
    Frame frame;
  };
  struct News {
    std::uint32_t chain;
    std::uint64_t frame;
  };
  static std::uint32_t index(OutputId output) { return static_cast<std::uint32_t>(output); }
  const Chain& at(SwapChainId chain) const { return chains_[static_cast<std::uint32_t>(chain)]; }
  Output& output_of(const Chain& chain) { return outputs_[index(chain.place.output)]; }
  void arm(std::uint32_t chain);
  void vblank(std::uint64_t ticket);
  void flip_due(std::uint32_t chain);
  void refresh_began(Output& output, std::uint64_t vblank);
  void flipped(std::uint32_t chain, std::uint64_t missed_before, bool tears);
  void comes_on_screen(std::uint32_t chain, const FlipQueue::Shown& shown, bool tears);
  void window_comes(std::uint32_t window, const FlipQueue::Shown& composed, bool tears);
  void end_shown(Chain& chain);
  void log_frame(const Chain& chain, const Frame& frame, FrameRecord::Fate fate, std::uint64_t on_screen_ps);
  void log_discarded(Chain& chain);
  void tell(std::uint64_t news);
  void waited(std::uint64_t ticket);
  void tell_waiting(Output& output);

  std::uint64_t interrupt_ps_;
  std::uint32_t queued_flips_;
  FenceUnit& fences_;
  EventLog& log_;
  LogName log_vblank_;
  LogName log_missed_;
  Agenda agenda_;
  std::deque<Output> outputs_;
  std::deque<Chain> chains_;
  TicketNumbers numbers_;
  Slots<Submitted> submitted_;
  Slots<News> news_;
};

}  // namespace fenceline
