// SPDX-License-Identifier: Apache-2.0
// Compositors and the threads that wait for vertical blanks: rules 13 to 16 of docs/display.md.
#include "scheduler/display/display.hpp"
#include "sim/kernel/now.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace fenceline {

void Display::compose(SwapChainId id) {
  const Chain& compositor = at(id);
  const std::uint64_t vblank = output_of(compositor).refreshes.last_at(now_ps()) + 1;
  for (const std::uint32_t number : compositor.windows) {
    Chain& window = chains_[number];
    const bool gives = !window.closed && window.flips.flip_at(vblank);
    log_discarded(window);
    if (!gives) continue;
    window.given.push_back({window.flips.shown()->frame, compositor.frames + 1});
  }
}

/// A frame of the compositor is on screen, with the last that the window has given to it or to those before.
void Display::window_comes(std::uint32_t number, const FlipQueue::Shown& composed, bool tears) {
  Chain& window = chains_[number];
  std::optional<Frame> last;
  for (; !window.given.empty() && window.given.front().composition <= composed.frame.number; window.given.pop_front()) {
    if (last) {
      ++window.passed_over;
      log_frame(window, *last, FrameRecord::Fate::discarded, now_ps());
    }
    last = window.given.front().frame;
  }
  if (last && !window.closed) comes_on_screen(number, {*last, composed.vblank}, tears);
}

void Display::wait_vblank(OutputId id, Callback call) {
  Output& output = outputs_[index(id)];
  if (!output.waiting.empty() && output.waited_ps == now_ps()) tell_waiting(output);  // this one waits for the next
  output.waiting.push_back(call);
  if (output.waiting.size() > 1) return;
  output.number = numbers_.next();
  output.waited_ps = output.refreshes.time_of(output.refreshes.last_at(now_ps()) + 1);
  agenda_.at<&Display::waited>(output.waited_ps, this, Ticket{index(id), output.number}.argument());
}

void Display::waited(std::uint64_t ticket) {
  const auto [index, number] = Ticket::of(ticket);
  if (outputs_[index].number == number) tell_waiting(outputs_[index]);
}

/// It is a vertical blank of the output.
void Display::tell_waiting(Output& output) {
  output.number = 0;
  for (const Callback call : std::exchange(output.waiting, {})) agenda_.at(now_ps() + interrupt_ps_, call);
}

}  // namespace fenceline
