// SPDX-License-Identifier: Apache-2.0
// Rules 9 to 11 of docs/display.md, gone through picosecond by picosecond, against the display.
#include "scheduler/display/display.hpp"
#include "tests/scheduler/bench.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <random>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

constexpr std::uint64_t short_ps = 8;
constexpr std::uint64_t long_ps = 20;
constexpr double hz_of(std::uint64_t period_ps) { return 1e12 / static_cast<double>(period_ps); }

struct Ready {
  std::uint64_t at_ps;
  std::uint32_t interval;
};
using Shown = std::vector<std::pair<std::uint64_t, std::uint64_t>>;  // number of a frame, when it came

/// A screen, without a thought of speed.
class SteppedScreen {
 public:
  void step(std::uint64_t now) {
    const bool over = now >= begun_ + short_ps;
    const bool stays = shown_ && refreshes_ < *shown_;  // for several
    if (over && turn()) {
      flip(now);
    } else if ((over && stays) || now == begun_ + long_ps) {
      refresh(now);
    }
  }
  void ready(std::uint64_t now, std::uint64_t number, std::uint32_t interval) {
    waiting_.push_back({number, interval});
    if (now >= begun_ + short_ps && turn()) flip(now);
  }
  const Shown& shown() const { return log_; }

 private:
  struct Waiting {
    std::uint64_t number;
    std::uint32_t interval;
  };
  bool turn() const {
    if (waiting_.empty()) return false;
    return !shown_ || refreshes_ >= (waiting_.front().interval == 0 ? 1 : std::max<std::uint32_t>(*shown_, 1));
  }
  void flip(std::uint64_t now) {
    while (waiting_.front().interval == 0 && waiting_.size() > 1) waiting_.pop_front();
    shown_ = waiting_.front().interval;
    log_.emplace_back(waiting_.front().number, now);
    waiting_.pop_front();
    refreshes_ = 0;
    refresh(now);
  }
  void refresh(std::uint64_t now) {
    begun_ = now;
    ++refreshes_;
  }

  std::deque<Waiting> waiting_;
  std::optional<std::uint32_t> shown_;  // interval of the frame on screen
  std::uint32_t refreshes_ = 0;         // that have begun with it
  std::uint64_t begun_ = 0;
  Shown log_;
};

Shown stepped(const std::vector<Ready>& frames, std::uint64_t until_ps) {
  SteppedScreen screen;
  std::size_t next = 0;
  for (std::uint64_t now = 1; now <= until_ps; ++now) {
    screen.step(now);
    for (; next < frames.size() && frames[next].at_ps == now; ++next) {
      screen.ready(now, next + 1, frames[next].interval);
    }
  }
  return screen.shown();
}

DisplayConfig variable_screen() {
  DisplayConfig config;
  config.refresh_hz = hz_of(short_ps);
  config.variable_refresh_min_hz = hz_of(long_ps);
  return config;
}

struct Numbers final : LogSink {
  void frame(const EventLog&, const FrameRecord& record) override {
    if (record.fate == FrameRecord::Fate::shown) shown.emplace_back(record.frame, record.on_screen_ps);
  }
  Shown shown;
};

Shown displayed(const std::vector<Ready>& frames) {
  Bench bench({plain_node()}, {}, variable_screen());
  Numbers numbers;
  bench.log().attach(numbers);
  Display& display = bench.display();
  const SwapChainId chain = display.create("swapchain", nullptr);
  for (const Ready& one : frames) {
    bench.at(one.at_ps, [&display, chain, &one] {
      Frame frame;
      frame.interval = one.interval;
      display.reached(display.submit(chain, frame));
    });
  }
  CHECK(bench.run());
  bench.kernel().enter([&] { display.log_shown(); });
  bench.log().detach(numbers);
  return numbers.shown;
}

}  // namespace

TEST_CASE("variable refresh: frames come on screen as picosecond by picosecond, whenever they are ready",
          "[scheduler]") {
  REQUIRE(VblankClock(hz_of(short_ps)).time_of(1) == short_ps);
  REQUIRE(VblankClock(hz_of(long_ps)).time_of(1) == long_ps);
  std::mt19937_64 random(9);
  for (int round = 0; round < 300; ++round) {
    std::vector<Ready> frames;
    std::uint64_t at = 1 + random() % 40;
    const std::uint64_t most_gap = 1 + random() % 45;  // from a flood to a screen that repeats
    const std::uint32_t intervals = 1 + static_cast<std::uint32_t>(random() % 5);
    for (int i = 0; i < 12; ++i) {
      frames.push_back({at, static_cast<std::uint32_t>(random() % intervals)});
      at += random() % most_gap;
    }
    INFO("round " << round);
    CHECK(displayed(frames) == stepped(frames, at + 12 * 5 * long_ps));
  }
}

TEST_CASE("variable refresh: no frame is on screen for less than a refresh, or begins while another one is begun",
          "[scheduler]") {
  VariableRefresh screen(hz_of(short_ps), hz_of(long_ps));
  std::mt19937_64 random(4);
  std::uint64_t now = 0;
  for (int i = 0; i < 10'000; ++i) {
    now += random() % 50;
    const std::uint64_t last = screen.last_at(now);
    const std::uint64_t further = 1 + random() % 3;
    const std::uint64_t at = screen.earliest(last + further, now);
    CHECK(at >= now);
    CHECK(at >= screen.time_of(last) + further * short_ps);
    CHECK(screen.time_of(last) <= now);
    CHECK(screen.time_of(last + 1) > now);
    screen.began(last + further, at, last + further + random() % 4);
    CHECK(screen.last_at(at) == last + further);
    CHECK(screen.time_of(last + further) == at);
    now = at;
  }
}
