// SPDX-License-Identifier: Apache-2.0
#include "scheduler/display/display.hpp"

#include "sim/kernel/now.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fenceline {

Display::Display(sc_core::sc_module_name module_name, const DisplayConfig& config, std::uint64_t interrupt_ps,
                 FenceUnit& fences, EventLog& log)
    : sc_module(module_name),
      interrupt_ps_(interrupt_ps),
      queued_flips_(config.queued_flips),
      fences_(fences),
      log_(log),
      log_vblank_(log.name("vblank")),
      log_missed_(log.name("missed vblanks")),
      agenda_("agenda") {
  for (const OutputConfig& output : screens_of(config)) {
    const LogName track = outputs_.empty() ? log.name(name()) : log.own_name(std::string(name()) + "." + output.name);
    outputs_.push_back({output.name, Refreshes(output), Scanout(output), track});
  }
}

SwapChainId Display::create(const std::string& chain_name, FrameListener* listener, const SwapChainPlace& place) {
  Chain chain{};
  chain.name = chain_name;
  chain.listener = listener;
  chain.place = place;
  chain.fence = fences_.create(chain_name, 0);
  chain.track = log_.own_name(std::string(name()) + "." + chain_name);
  if (!place.composed_by) chain.flips = FlipQueue(queued_flips_);
  const auto number = static_cast<std::uint32_t>(chains_.size());
  if (place.composed_by) {
    Chain& compositor = chains_[static_cast<std::uint32_t>(*place.composed_by)];
    chain.place.output = compositor.place.output;
    compositor.windows.push_back(number);
  }
  chains_.push_back(std::move(chain));
  return static_cast<SwapChainId>(number);
}

std::uint64_t Display::submit(SwapChainId id, Frame& frame) {
  const auto chain = static_cast<std::uint32_t>(id);
  frame.number = ++chains_[chain].frames;
  frame.presented_ps = now_ps();
  return submitted_.add({chain, frame});
}

void Display::reached(std::uint64_t place) {
  Submitted submitted = submitted_[place];
  submitted_.remove(place);
  Chain& chain = chains_[submitted.chain];
  if (chain.closed) return;
  if (chain.armed != 0 && chain.armed_ps == now_ps()) flip_due(submitted.chain);
  submitted.frame.ready_ps = now_ps();
  if (chain.listener != nullptr) chain.listener->frame_reached(submitted.frame);
  const Refreshes& refreshes = output_of(chain).refreshes;
  const std::uint64_t last = refreshes.last_at(now_ps());
  if (chain.place.composed_by) {
    submitted.frame.tearing = false;  // the compositor takes it when it composes
    chain.flips.arrive(submitted.frame, last);
    log_discarded(chain);
    return;
  }
  if (!refreshes.under_way(now_ps())) submitted.frame.tearing = false;
  const std::uint64_t missed = chain.flips.missed_count();
  const bool tears = chain.flips.arrive(submitted.frame, last);
  log_discarded(chain);
  if (tears) {
    flipped(submitted.chain, missed, true);
  }
  arm(submitted.chain);
}

void Display::dropped(std::uint64_t place) {
  Submitted submitted = submitted_[place];
  submitted_.remove(place);
  Chain& chain = chains_[submitted.chain];
  if (chain.closed) return;
  submitted.frame.ready_ps = now_ps();
  ++chain.passed_over;
  log_frame(chain, submitted.frame, FrameRecord::Fate::discarded, now_ps());
}

void Display::discard(SwapChainId id) {
  const auto index = static_cast<std::uint32_t>(id);
  Chain& chain = chains_[index];
  chain.flips.discard_waiting();
  log_discarded(chain);
  for (const Given& given : std::exchange(chain.given, {})) {
    ++chain.passed_over;
    log_frame(chain, given.frame, FrameRecord::Fate::discarded, now_ps());
  }
  if (!chain.closed && !chain.place.composed_by) arm(index);
}

/// An event at the vertical blank at which the next frame may go on screen, in place of the one there was.
void Display::arm(std::uint32_t index) {
  Chain& chain = chains_[index];
  const Refreshes& refreshes = output_of(chain).refreshes;
  const std::optional<std::uint64_t> next = chain.flips.next_flip(refreshes.last_at(now_ps()));
  if (next.value_or(0) == chain.armed) return;
  chain.number = numbers_.next();
  chain.armed = next.value_or(0);
  chain.armed_ps = next ? refreshes.earliest(*next, now_ps()) : 0;
  if (!next) return;
  agenda_.at<&Display::vblank>(chain.armed_ps, this, Ticket{index, chain.number}.argument());
}

void Display::vblank(std::uint64_t ticket) {
  const auto [index, armed_as] = Ticket::of(ticket);
  if (chains_[index].number == armed_as) flip_due(index);
}

/// It is the vertical blank at which the next frame may go on screen.
void Display::flip_due(std::uint32_t index) {
  Chain& chain = chains_[index];
  const std::uint64_t number = std::exchange(chain.armed, 0);
  chain.number = numbers_.next();
  chain.armed_ps = 0;
  Output& output = output_of(chain);
  if (log_.enabled() && number != output.logged_vblank) {
    output.logged_vblank = number;
    log_.instant({output.track, log_vblank_, now_ps(), number});
  }
  const std::uint64_t missed = chain.flips.missed_count();
  const bool flips = chain.flips.flip_at(number);
  log_discarded(chain);
  if (flips) {
    flipped(index, missed, false);
    if (output.refreshes.variable()) refresh_began(output, number);
  }
  arm(index);
}

/// For a frame, at a variable rate: those on screen stay as long as they are to.
void Display::refresh_began(Output& output, std::uint64_t vblank) {
  std::uint64_t until = 0;
  for (const Chain& chain : chains_) {
    if (&output_of(chain) != &output || !chain.on_screen) continue;
    until = std::max(until, chain.on_screen->vblank + chain.on_screen->frame.interval);
  }
  output.refreshes.began(vblank, now_ps(), until);
  tell_waiting(output);
}

/// Another frame of a swap chain without a compositor is on screen.
void Display::flipped(std::uint32_t index, std::uint64_t missed_before, bool tears) {
  Chain& chain = chains_[index];
  const std::uint64_t missed = chain.flips.missed_count() - missed_before;
  if (missed > 0 && log_.enabled()) log_.instant({chain.track, log_missed_, now_ps(), missed});
  const FlipQueue::Shown shown = *chain.flips.shown();
  comes_on_screen(index, shown, tears);
  for (const std::uint32_t window : chain.windows) window_comes(window, shown, tears);
}

void Display::comes_on_screen(std::uint32_t index, const FlipQueue::Shown& shown, bool tears) {
  Chain& chain = chains_[index];
  if (chain.on_screen) end_shown(chain);
  chain.on_screen = shown;
  chain.tore = tears;
  Output& output = output_of(chain);
  chain.tear_line = tears ? output.scanout.line_at(output.refreshes, now_ps()) : std::nullopt;
  chain.lines_before = output.scanout.lines_until(output.refreshes, now_ps());
  if (chain.tear_line && !chain.place.composed_by) output.tear_lines.push_back(*chain.tear_line);
  chain.recorded = false;
  chain.logged_ps = now_ps();
  chain.shown_at_ps.push_back(now_ps());
  chain.present_to_screen_ps.push_back(now_ps() - shown.frame.presented_ps);
  if (shown.frame.input_ps) chain.input_to_screen_ps.push_back(now_ps() - *shown.frame.input_ps);
  const std::uint64_t news = news_.add({index, shown.frame.number});
  if (interrupt_ps_ == 0) {
    tell(news);
  } else {
    agenda_.at<&Display::tell>(now_ps() + interrupt_ps_, this, news);
  }
}

void Display::end_shown(Chain& chain) {
  if (log_.enabled() && now_ps() > chain.logged_ps) {
    const Frame& frame = chain.on_screen->frame;
    const LogName buffer = log_.name(fmt::format("buffer {}", frame.buffer));
    log_.span({chain.track, SpanKind::frame, buffer, chain.logged_ps, now_ps(), frame.number});
  }
  if (!std::exchange(chain.recorded, true)) {
    log_frame(chain, chain.on_screen->frame, chain.tore ? FrameRecord::Fate::tore : FrameRecord::Fate::shown,
              chain.shown_at_ps.back());
  }
  chain.logged_ps = now_ps();
}

void Display::log_frame(const Chain& chain, const Frame& frame, FrameRecord::Fate fate, std::uint64_t on_screen_ps) {
  if (!log_.enabled()) return;
  const Output& output = outputs_[index(chain.place.output)];
  const bool shown = fate != FrameRecord::Fate::discarded;
  log_.frame({chain.track, output.track, fate, frame.number, chain.place.composed_by.has_value(), frame.interval,
              frame.input_ps, frame.presented_ps, frame.ready_ps, on_screen_ps, now_ps(),
              shown ? chain.tear_line : std::nullopt,
              shown ? output.scanout.lines_until(output.refreshes, now_ps()) - chain.lines_before : 0});
}

void Display::log_discarded(Chain& chain) {
  for (const Frame& frame : chain.flips.take_discarded()) {
    log_frame(chain, frame, FrameRecord::Fate::discarded, now_ps());
  }
}

/// The interrupt has been handled.
void Display::tell(std::uint64_t slot) {
  const News news = news_[slot];
  news_.remove(slot);
  Chain& chain = chains_[news.chain];
  // A closed swap chain's fence is further, and that of a removed device.
  if (fences_.value(chain.fence) < news.frame) fences_.signal(chain.fence, news.frame, Signaller::cpu);
  if (queued_flips_ == 0 || chain.closed || chain.place.composed_by) return;
  chain.flips.flip_known(output_of(chain).refreshes.last_at(now_ps()));
  log_discarded(chain);
  arm(news.chain);
}

void Display::close(SwapChainId id) {
  Chain& chain = chains_[static_cast<std::uint32_t>(id)];
  if (chain.on_screen) end_shown(chain);
  chain.closed = true;
  chain.listener = nullptr;
  chain.number = numbers_.next();
  fences_.signal(chain.fence, chain.frames + 1, Signaller::cpu);
}

void Display::reopen(SwapChainId id) {
  Chain& chain = chains_[static_cast<std::uint32_t>(id)];
  if (!std::exchange(chain.closed, false)) return;
  chain.flips.begin_anew();
  chain.on_screen.reset();
  chain.given.clear();
  chain.armed = 0;
  fences_.signal(chain.fence, chain.frames, Signaller::cpu);
}

Display::Presented Display::presented(SwapChainId id) const {
  const Chain& chain = at(id);
  return {chain.name,
          outputs_[index(chain.place.output)].name,
          chain.frames,
          chain.shown_at_ps.size(),
          chain.flips.discarded_count() + chain.passed_over,
          chain.flips.missed_count(),
          chain.flips.glitch_count(),
          chain.shown_at_ps,
          chain.present_to_screen_ps,
          chain.input_to_screen_ps};
}

std::vector<Display::Torn> Display::torn() const {
  std::vector<Torn> result;
  for (const Output& output : outputs_) result.push_back({output.name, output.tear_lines});
  return result;
}

void Display::log_shown() {
  for (Chain& chain : chains_) {
    if (!chain.closed && chain.on_screen) end_shown(chain);
  }
}

}  // namespace fenceline
