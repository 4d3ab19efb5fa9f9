// SPDX-License-Identifier: Apache-2.0
#include "scheduler/display/display.hpp"

#include "scheduler/fences/fence_unit.hpp"
#include "tests/scheduler/bench.hpp"
#include "tests/support/units.hpp"

#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

Frame interval(std::uint32_t vblanks) {
  Frame frame;
  frame.interval = vblanks;
  return frame;
}

Frame tears() {
  Frame frame = interval(0);
  frame.tearing = true;
  return frame;
}

struct Reached final : FrameListener {
  explicit Reached(Bench& of) : bench(of) {}
  void frame_reached(const Frame& frame) override {
    numbers.push_back(frame.number);
    at_ps.push_back(bench.now());
  }
  Bench& bench;
  std::vector<std::uint64_t> numbers;
  std::vector<std::uint64_t> at_ps;
};

/// The vertical blanks at which frames got on screen.
std::vector<std::uint64_t> vblanks_of(const Display& display, SwapChainId chain) {
  std::vector<std::uint64_t> vblanks;
  for (const std::uint64_t at : display.presented(chain).shown_at_ps) {
    vblanks.push_back(display.vblanks().last_at(at));
    CHECK(display.vblanks().time_of(vblanks.back()) == at);
  }
  return vblanks;
}

using Numbers = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("display: a present takes place when what its queue has before it is complete", "[scheduler]") {
  Bench bench({plain_node()});
  Reached reached(bench);
  const ContextId queue = bench.context(0);
  const SwapChainId chain = bench.display().create("swapchain", &reached);
  bench.execute(queue, 10 * ms);
  const std::uint64_t present = bench.present(queue, chain, interval(1));
  bench.execute(queue, 5 * ms);
  CHECK(bench.run());
  CHECK(reached.numbers == Numbers{1});
  CHECK(reached.at_ps == Numbers{10 * ms});
  CHECK(bench.record(present).type == PacketType::present);
  CHECK(bench.record(present).completed_ps == 10 * ms);
  CHECK(bench.record(present).fence_value == 1);
  CHECK(vblanks_of(bench.display(), chain) == Numbers{1});
  CHECK(bench.now() == bench.display().vblanks().time_of(1));  // and no vertical blank more
  CHECK(bench.fences().value(bench.display().fence_of(chain)) == 1);
}

TEST_CASE("display: frames of work below a refresh come at each vertical blank, above it at every other",
          "[scheduler]") {
  const std::uint64_t work_ms = GENERATE(16, 17);
  Bench bench({plain_node()});
  const ContextId queue = bench.context(0);
  const SwapChainId chain = bench.display().create("swapchain", nullptr);
  const FenceId frames = bench.display().fence_of(chain);
  for (std::uint64_t frame = 1; frame <= 8; ++frame) {
    if (frame > 1) bench.wait(queue, frames, frame - 1);  // the one before is on screen
    bench.execute(queue, work_ms * ms);
    bench.present(queue, chain, interval(1));
  }
  CHECK(bench.run());
  const Numbers vblanks = vblanks_of(bench.display(), chain);
  REQUIRE(vblanks.size() == 8);
  for (std::size_t i = 1; i < vblanks.size(); ++i) CHECK(vblanks[i] - vblanks[i - 1] == (work_ms == 16 ? 1 : 2));
  CHECK(bench.display().presented(chain).missed_vblanks == (work_ms == 16 ? 0 : 7));
}

TEST_CASE("display: a queue's wait for the frame fence ends when the frame is on screen", "[scheduler]") {
  Bench bench({plain_node()});
  const ContextId queue = bench.context(0);
  const SwapChainId chain = bench.display().create("swapchain", nullptr);
  bench.present(queue, chain, interval(1));
  bench.wait(queue, bench.display().fence_of(chain), 1);
  const std::uint64_t next = bench.execute(queue, ms);
  CHECK(bench.run());
  CHECK(bench.record(next).started_ps == bench.display().vblanks().time_of(1));
}

TEST_CASE("display: two swap chains flip by themselves", "[scheduler]") {
  Bench bench({plain_node()});
  const ContextId queue = bench.context(0);
  const SwapChainId slow = bench.display().create("slow", nullptr);
  const SwapChainId fast = bench.display().create("fast", nullptr);
  for (int i = 0; i < 3; ++i) {
    bench.present(queue, slow, interval(3));
    bench.present(queue, fast, interval(1));
  }
  CHECK(bench.run());
  CHECK(vblanks_of(bench.display(), slow) == Numbers{1, 4, 7});
  CHECK(vblanks_of(bench.display(), fast) == Numbers{1, 2, 3});
}

TEST_CASE("display: a frame that tears is on screen the moment its work is done", "[scheduler]") {
  Bench bench({plain_node()});
  const ContextId queue = bench.context(0);
  const SwapChainId chain = bench.display().create("swapchain", nullptr);
  for (int i = 0; i < 4; ++i) {
    bench.execute(queue, 3 * ms);
    bench.present(queue, chain, tears());
  }
  CHECK(bench.run());
  const auto presented = bench.display().presented(chain);
  CHECK(presented.shown_at_ps == std::deque<std::uint64_t>{3 * ms, 6 * ms, 9 * ms, 12 * ms});
  CHECK(presented.missed_vblanks == 0);
}

TEST_CASE("display: a closed swap chain takes no frame any more, and nobody waits for it", "[scheduler]") {
  Bench bench({plain_node()});
  Reached reached(bench);
  const ContextId queue = bench.context(0);
  const SwapChainId chain = bench.display().create("swapchain", &reached);
  bench.present(queue, chain, interval(1));
  bench.execute(queue, 20 * ms);
  bench.present(queue, chain, interval(1));
  bench.at(18 * ms, [&] { bench.display().close(chain); });
  CHECK(bench.run());
  CHECK(reached.numbers == Numbers{1});
  CHECK(vblanks_of(bench.display(), chain) == Numbers{1});
  CHECK(bench.now() == 20 * ms);
}

TEST_CASE("display: the log has a span for each frame on screen, and the missed vertical blanks", "[scheduler]") {
  struct Spans final : LogSink {
    void span(const EventLog& log, const Span& span) override {
      if (span.kind != SpanKind::frame) return;
      CHECK(log.text(span.track) == "adapter.display.swapchain");
      frames.push_back(span.id);
      if (!ends.empty()) CHECK(span.start_ps == ends.back());
      ends.push_back(span.end_ps);
    }
    void instant(const EventLog& log, const Instant& instant) override {
      if (log.text(instant.name) == "missed vblanks") missed += instant.value;
      if (log.text(instant.name) == "vblank") vblanks.push_back(instant.value);
    }
    Numbers frames;
    Numbers ends;
    Numbers vblanks;
    std::uint64_t missed = 0;
  } spans;
  Bench bench({plain_node()});
  bench.log().attach(spans);
  const ContextId queue = bench.context(0);
  const SwapChainId chain = bench.display().create("swapchain", nullptr);
  bench.present(queue, chain, interval(1));
  bench.present(queue, chain, interval(1));
  bench.execute(queue, 60 * ms);
  bench.present(queue, chain, interval(1));
  CHECK(bench.run());
  bench.kernel().advance_to(100 * ms);
  bench.kernel().enter([&] { bench.display().log_shown(); });
  const Refreshes& clock = bench.display().vblanks();
  CHECK(spans.frames == Numbers{1, 2, 3});
  CHECK(spans.ends == Numbers{clock.time_of(2), clock.time_of(4), 100 * ms});
  CHECK(spans.missed == 1);
  CHECK(spans.vblanks == Numbers{1, 2, 4});
  bench.log().detach(spans);
}

TEST_CASE("display: no signal passes a present that the operating system has still to take to the screen",
          "[scheduler]") {
  SchedulerConfig config;
  config.isr_us = 1;
  config.dpc_us = 4;
  const bool late = GENERATE(false, true);  // the signal is queued when the packets have ended
  Bench bench({plain_node()}, config);
  const ContextId queue = bench.context(0);
  const SwapChainId chain = bench.display().create("swapchain", nullptr);
  const FenceId fence = bench.fence();
  bench.execute(queue, 10 * us);
  const std::uint64_t present = bench.present(queue, chain, interval(1));
  bench.execute(queue, 2 * us);  // ends at 12 us, when the present waits for the news of 10 us
  std::uint64_t signal = 0;
  if (late) {
    bench.at(13 * us, [&] { signal = bench.signal(queue, fence, 1); });
  } else {
    signal = bench.signal(queue, fence, 1);
  }
  CHECK(bench.run());
  CHECK(bench.record(present).completed_ps == 15 * us);
  CHECK(bench.record(signal).completed_ps == 17 * us);
}

TEST_CASE("display: who waits for a vertical blank at the moment of one waits for the next", "[scheduler]") {
  Bench bench({plain_node()});
  struct Thread {
    void woken(std::uint64_t) { at_ps.push_back(bench.now()); }
    Bench& bench;
    std::vector<std::uint64_t> at_ps;
  } early{bench, {}}, late{bench, {}};
  Display& display = bench.display();
  const std::uint64_t first = display.vblanks().time_of(1);
  // In front of the event of the first one's vertical blank, and behind it.
  bench.at(first, [&] { display.wait_vblank({}, Callback::to<&Thread::woken>(&late)); });
  bench.at(1 * ms, [&] { display.wait_vblank({}, Callback::to<&Thread::woken>(&early)); });
  CHECK(bench.run());
  CHECK(early.at_ps == Numbers{first});
  CHECK(late.at_ps == Numbers{display.vblanks().time_of(2)});
}
