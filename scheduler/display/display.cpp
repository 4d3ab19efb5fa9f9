// SPDX-License-Identifier: Apache-2.0
#include "scheduler/display/display.hpp"

#include "sim/kernel/now.hpp"

#include <fmt/format.h>

#include <utility>

namespace fenceline {

Display::Display(sc_core::sc_module_name module_name, const DisplayConfig& config, std::uint64_t interrupt_ps,
                 FenceUnit& fences, EventLog& log)
    : sc_module(module_name),
      vblanks_(config.refresh_hz),
      interrupt_ps_(interrupt_ps),
      fences_(fences),
      log_(log),
      path_(log.name(name())),
      log_vblank_(log.name("vblank")),
      log_missed_(log.name("missed vblanks")),
      agenda_("agenda") {}

SwapChainId Display::create(const std::string& chain_name, FrameListener* listener) {
  Chain chain{};
  chain.name = chain_name;
  chain.listener = listener;
  chain.fence = fences_.create(chain_name, 0);
  chain.track = log_.own_name(std::string(name()) + "." + chain_name);
  chains_.push_back(std::move(chain));
  return static_cast<SwapChainId>(chains_.size() - 1);
}

std::uint64_t Display::submit(SwapChainId id, Frame& frame) {
  const auto index = static_cast<std::uint32_t>(id);
  frame.number = ++chains_[index].frames;
  return submitted_.add({index, frame});
}

void Display::reached(std::uint64_t place) {
  const Submitted submitted = submitted_[place];
  submitted_.remove(place);
  Chain& chain = chains_[submitted.chain];
  if (chain.closed) return;
  if (chain.listener != nullptr) chain.listener->frame_reached(submitted.frame);
  const std::optional<FlipQueue::Shown> before = chain.flips.shown();
  const std::uint64_t missed = chain.flips.missed_count();
  if (chain.flips.arrive(submitted.frame, vblanks_.last_at(now_ps()))) {
    if (before) end_shown(chain, *before);
    flipped(chain, missed);
  }
  arm(submitted.chain);
}

/// An event at the vertical blank at which the next frame may go on screen, in place of the one there was.
void Display::arm(std::uint32_t index) {
  Chain& chain = chains_[index];
  const std::optional<std::uint64_t> next = chain.flips.next_flip(vblanks_.last_at(now_ps()));
  if (next.value_or(0) == chain.armed) return;
  chain.number = numbers_.next();
  chain.armed = next.value_or(0);
  if (!next) return;
  agenda_.at<&Display::vblank>(vblanks_.time_of(*next), this, Ticket{index, chain.number}.argument());
}

void Display::vblank(std::uint64_t ticket) {
  const auto [index, armed_as] = Ticket::of(ticket);
  Chain& chain = chains_[index];
  if (chain.number != armed_as) return;
  const std::uint64_t number = std::exchange(chain.armed, 0);
  if (log_.enabled() && number != logged_vblank_) {
    logged_vblank_ = number;
    log_.instant({path_, log_vblank_, now_ps(), number});
  }
  const std::optional<FlipQueue::Shown> before = chain.flips.shown();
  const std::uint64_t missed = chain.flips.missed_count();
  if (chain.flips.flip_at(number)) {
    if (before) end_shown(chain, *before);
    flipped(chain, missed);
  }
  arm(index);
}

/// Another frame is on screen.
void Display::flipped(Chain& chain, std::uint64_t missed_before) {
  const std::uint64_t missed = chain.flips.missed_count() - missed_before;
  if (missed > 0 && log_.enabled()) log_.instant({chain.track, log_missed_, now_ps(), missed});
  chain.shown_at_ps.push_back(now_ps());
  chain.logged_ps = now_ps();
  const std::uint64_t news = news_.add({chain.fence, chain.flips.shown()->frame.number});
  if (interrupt_ps_ == 0) {
    tell(news);
  } else {
    agenda_.at<&Display::tell>(now_ps() + interrupt_ps_, this, news);
  }
}

void Display::end_shown(Chain& chain, const FlipQueue::Shown& shown) {
  if (log_.enabled() && now_ps() > chain.logged_ps) {
    const LogName buffer = log_.name(fmt::format("buffer {}", shown.frame.buffer));
    log_.span({chain.track, SpanKind::frame, buffer, chain.logged_ps, now_ps(), shown.frame.number});
  }
  chain.logged_ps = now_ps();
}

/// The interrupt has been handled.
void Display::tell(std::uint64_t slot) {
  const News news = news_[slot];
  news_.remove(slot);
  // A closed swap chain's fence is further, and that of a removed device.
  if (fences_.value(news.fence) < news.frame) fences_.signal(news.fence, news.frame, Signaller::cpu);
}

void Display::close(SwapChainId id) {
  Chain& chain = chains_[static_cast<std::uint32_t>(id)];
  if (chain.flips.shown()) end_shown(chain, *chain.flips.shown());
  chain.closed = true;
  chain.listener = nullptr;
  chain.number = numbers_.next();
  fences_.signal(chain.fence, chain.frames + 1, Signaller::cpu);
}

Display::Presented Display::presented(SwapChainId id) const {
  const Chain& chain = at(id);
  return {chain.name,
          chain.frames,
          chain.flips.shown_count(),
          chain.flips.discarded_count(),
          chain.flips.missed_count(),
          chain.shown_at_ps};
}

void Display::log_shown() {
  for (Chain& chain : chains_) {
    if (!chain.closed && chain.flips.shown()) end_shown(chain, *chain.flips.shown());
  }
}

}  // namespace fenceline
