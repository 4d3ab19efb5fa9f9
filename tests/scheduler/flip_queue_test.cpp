// SPDX-License-Identifier: Apache-2.0
#include "scheduler/display/flip_queue.hpp"

#include "scheduler/display/vblank_clock.hpp"

#include <catch2/catch.hpp>

#include <random>
#include <vector>

using namespace fenceline;

namespace {

/// Which frame each of the vertical blanks from 1 on leaves on screen, when those frames come before the first.
std::vector<std::uint64_t> shown(FlipQueue& queue, std::uint64_t vblanks) {
  std::vector<std::uint64_t> frames;
  for (std::uint64_t vblank = 1; vblank <= vblanks; ++vblank) {
    queue.flip_at(vblank);
    frames.push_back(queue.shown() ? queue.shown()->frame.number : 0);
  }
  return frames;
}

Frame frame(std::uint64_t number, std::uint32_t interval) { return {number, interval, 0, false, false}; }
Frame tearing(std::uint64_t number) { return {number, 0, 0, true, false}; }

using Frames = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("vblank clock: stands where exact arithmetic puts it, after months, too", "[scheduler]") {
  const VblankClock sixty(60);
  CHECK(sixty.time_of(0) == 0);
  CHECK(sixty.time_of(1) == 16'666'666'667);
  CHECK(sixty.time_of(3) == 50'000'000'000);
  CHECK(sixty.time_of(60) == 1'000'000'000'000);
  const VblankClock film(59.94);
  CHECK(film.time_of(59'940) == 1'000'000'000'000'000);
  std::mt19937_64 random(1);
  for (const double hz : {1.0, 23.976, 59.94, 60.0, 144.0, 1000.0}) {
    const VblankClock clock(hz);
    for (int i = 0; i < 1000; ++i) {
      const std::uint64_t vblank = random() % static_cast<std::uint64_t>(hz * 1e7);
      const std::uint64_t at = clock.time_of(vblank);
      CHECK(clock.last_at(at) == vblank);
      if (at > 0) CHECK(clock.last_at(at - 1) == vblank - 1);
    }
  }
}

TEST_CASE("flip queue: a frame of interval n stays for n vertical blanks", "[scheduler]") {
  for (const std::uint32_t interval : {1U, 2U, 3U, 4U}) {
    FlipQueue queue;
    for (std::uint64_t number = 1; number <= 3; ++number) CHECK_FALSE(queue.arrive(frame(number, interval), 0));
    Frames expected;
    for (std::uint64_t number = 1; number <= 3; ++number) expected.insert(expected.end(), interval, number);
    expected.push_back(3);  // nothing comes after it
    CHECK(shown(queue, expected.size()) == expected);
    CHECK(queue.missed_count() == 0);
  }
}

TEST_CASE("flip queue: DXGI's example of intervals 3, 0, 0, 1, 0", "[scheduler]") {
  FlipQueue queue;
  const std::uint32_t intervals[] = {3, 0, 0, 1, 0};
  for (std::uint64_t i = 0; i < 5; ++i) queue.arrive(frame(i + 1, intervals[i]), 0);
  CHECK(shown(queue, 4) == Frames{1, 4, 5, 5});
  CHECK(queue.shown_count() == 3);
  CHECK(queue.discarded_count() == 2);
}

TEST_CASE("flip queue: a frame that comes at a vertical blank is too late for it", "[scheduler]") {
  FlipQueue queue;
  queue.arrive(frame(1, 1), 5);  // 5 has been, or is now
  CHECK(queue.next_flip(5) == 6);
  CHECK_FALSE(queue.flip_at(5));
  CHECK(queue.flip_at(6));
  queue.arrive(frame(2, 0), 6);
  queue.arrive(frame(3, 0), 7);  // at 7, before that flips
  CHECK(queue.flip_at(7));
  CHECK(queue.shown()->frame.number == 2);
  CHECK(queue.discarded_count() == 0);
}

TEST_CASE("flip queue: nothing waits, so there is no next flip", "[scheduler]") {
  FlipQueue queue;
  CHECK_FALSE(queue.next_flip(0));
  CHECK_FALSE(queue.flip_at(1));
  queue.arrive(frame(1, 3), 1);
  CHECK(queue.flip_at(2));
  CHECK_FALSE(queue.next_flip(2));
  queue.arrive(frame(2, 1), 2);
  CHECK(queue.next_flip(2) == 5);
  queue.arrive(frame(3, 0), 2);  // behind it, so it changes nothing
  CHECK(queue.next_flip(2) == 5);
}

TEST_CASE("flip queue: vertical blanks without the next frame are missed ones", "[scheduler]") {
  FlipQueue queue;
  queue.arrive(frame(1, 1), 0);
  CHECK(queue.flip_at(1));
  queue.arrive(frame(2, 2), 1);
  CHECK(queue.flip_at(2));
  queue.arrive(frame(3, 1), 6);  // its place was at 4
  CHECK(queue.flip_at(7));
  CHECK(queue.missed_count() == 3);
  queue.arrive(frame(4, 0), 20);  // of its own choice
  CHECK(queue.flip_at(21));
  CHECK(queue.missed_count() == 3);
}

TEST_CASE("flip queue: a frame that tears is on screen at once, in place of those that wait without interval",
          "[scheduler]") {
  FlipQueue queue;
  CHECK(queue.arrive(tearing(1), 0));
  CHECK(queue.arrive(tearing(2), 0));
  queue.arrive(frame(3, 0), 0);
  CHECK(queue.arrive(tearing(4), 0));
  CHECK(queue.discarded_count() == 1);
  CHECK_FALSE(queue.next_flip(0));
  queue.arrive(frame(5, 1), 0);
  CHECK_FALSE(queue.arrive(tearing(6), 0));  // 5 has its vertical blank first
  CHECK(shown(queue, 3) == Frames{5, 6, 6});
  CHECK(queue.shown_count() == 5);
  CHECK(queue.missed_count() == 0);
}

TEST_CASE("flip queue: restart throws away what waits", "[scheduler]") {
  FlipQueue queue;
  for (std::uint64_t number = 1; number <= 3; ++number) queue.arrive(frame(number, 2), 0);
  CHECK(queue.flip_at(1));
  queue.arrive({4, 1, 0, false, true}, 1);
  CHECK(queue.waiting() == 1);
  CHECK(queue.discarded_count() == 2);
  CHECK(shown(queue, 4) == Frames{1, 1, 4, 4});
}

TEST_CASE("flip queue: every frame is shown, discarded or waits, in order, and never two at one vertical blank",
          "[scheduler]") {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    FlipQueue queue;
    std::uint64_t number = 0;
    std::uint64_t last = 0;
    for (std::uint64_t vblank = 0; vblank < 100; ++vblank) {
      const std::uint64_t before = queue.shown_count();
      if (vblank > 0 && queue.flip_at(vblank)) {
        CHECK(queue.shown()->frame.number > last);
        last = queue.shown()->frame.number;
        CHECK_FALSE(queue.flip_at(vblank));
      }
      CHECK(queue.shown_count() - before <= 1);
      for (std::uint64_t i = random() % 3; i > 0; --i) {
        queue.arrive(frame(++number, static_cast<std::uint32_t>(random() % 5)), vblank);
      }
      CHECK(queue.shown_count() + queue.discarded_count() + queue.waiting() == number);
    }
  }
}
