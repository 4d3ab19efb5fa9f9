// SPDX-License-Identifier: Apache-2.0
// Screens on which nothing changes for a day: nothing happens, and what comes then is where arithmetic puts it.
#include "scheduler/display/display.hpp"
#include "tests/scheduler/bench.hpp"
#include "tests/support/units.hpp"

#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

constexpr std::uint64_t second = 1000 * ms;
constexpr std::uint64_t day = 86'400 * second;

/// Vertical blank `number` of a screen.
std::uint64_t vblank_ps(std::uint64_t number, std::uint64_t mhz) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((Wide{number} * 1'000'000'000'000'000 + mhz - 1) / mhz);
}

DisplayConfig three_screens() {
  DisplayConfig screens;
  screens.refresh_hz = 59.94;
  OutputConfig film;
  film.name = "film";
  film.refresh_hz = 23.976;
  OutputConfig variable;
  variable.name = "variable";
  variable.refresh_hz = 100;
  variable.variable_refresh_min_hz = 40;
  screens.outputs = {film, variable};
  return screens;
}

}  // namespace

TEST_CASE("display: a day without frames has no events, and the next frames are on screen to the picosecond",
          "[scheduler]") {
  Bench bench({plain_node()}, {}, three_screens());
  std::vector<ContextId> queues;
  std::vector<SwapChainId> chains;
  for (const std::uint32_t output : {0U, 1U, 2U}) {
    queues.push_back(bench.context(0));
    SwapChainPlace place;
    place.output = static_cast<OutputId>(output);
    chains.push_back(bench.display().create("screen" + std::to_string(output), nullptr, place));
  }
  const auto present = [&] {
    for (std::size_t i = 0; i < chains.size(); ++i) {
      Frame frame;
      frame.interval = 1;
      bench.present(queues[i], chains[i], frame);
    }
  };
  bench.at(1 * ms, present);
  bench.at(day, present);
  bench.kernel().run_to_end(second);
  CHECK(bench.kernel().next_ps() == day);  // not at any of 5,178,816 vertical blanks, or of the others
  REQUIRE(bench.run());
  const auto shown = [&](std::size_t i) { return bench.display().presented(chains[i]).shown_at_ps; };
  // 59.94 Hz: a vertical blank at the very moment is too late for what is ready then.
  CHECK(shown(0) == std::deque<std::uint64_t>{vblank_ps(1, 59'940), vblank_ps(5'178'817, 59'940)});
  CHECK(shown(1) == std::deque<std::uint64_t>{vblank_ps(1, 23'976), vblank_ps(2'071'527, 23'976)});
  // Repeats every 25 ms from the end of the first frame's refresh on, 10 + 25 k ms: none under way after a day.
  CHECK(shown(2) == std::deque<std::uint64_t>{10 * ms, day});
}
