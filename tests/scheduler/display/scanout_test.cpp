// SPDX-License-Identifier: Apache-2.0
// Lines of a screen, by arithmetic.
#include "scheduler/display/scanout.hpp"

#include "tests/support/units.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <optional>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

using Line = std::optional<std::uint32_t>;

/// A screen of 900 lines and 100 blank ones.
OutputConfig thousand_lines(double hz, std::optional<double> least_hz = {}) {
  OutputConfig config;
  config.refresh_hz = hz;
  config.variable_refresh_min_hz = least_hz;
  config.height = 900;
  config.blank_lines = 100;
  return config;
}

}  // namespace

TEST_CASE("scan-out: blank lines, then the picture's from the top, in every refresh", "[scheduler]") {
  const OutputConfig config = thousand_lines(1000);  // a line a microsecond
  const Scanout scanout(config);
  const Refreshes refreshes(config);
  for (const std::uint64_t refresh : {0ULL, 1ULL, 86'400'000ULL}) {
    const std::uint64_t from = refresh * ms;
    CHECK(scanout.line_at(refreshes, from) == Line{});
    CHECK(scanout.line_at(refreshes, from + 100 * us - 1) == Line{});
    CHECK(scanout.line_at(refreshes, from + 100 * us) == Line{0});
    CHECK(scanout.line_at(refreshes, from + 101 * us - 1) == Line{0});
    CHECK(scanout.line_at(refreshes, from + 101 * us) == Line{1});
    CHECK(scanout.line_at(refreshes, from + ms - 1) == Line{899});
    CHECK(scanout.lines_until(refreshes, from) == refresh * 900);
    CHECK(scanout.lines_until(refreshes, from + 100 * us) == refresh * 900);
    CHECK(scanout.lines_until(refreshes, from + 101 * us - 1) == refresh * 900);
    CHECK(scanout.lines_until(refreshes, from + 101 * us) == refresh * 900 + 1);
    CHECK(scanout.lines_until(refreshes, from + ms - 1) == refresh * 900 + 899);
  }
}

TEST_CASE("scan-out: without blank lines the first one begins with the vertical blank", "[scheduler]") {
  OutputConfig config = thousand_lines(1000);
  config.blank_lines = 0;
  const Scanout scanout(config);
  const Refreshes refreshes(config);
  CHECK(scanout.line_at(refreshes, 3 * ms) == Line{0});
  CHECK(scanout.line_at(refreshes, 3 * ms - 1) == Line{899});
}

TEST_CASE("scan-out: the lines of a refresh begin with its vertical blank at every rate", "[scheduler]") {
  for (const double hz : {23.976, 59.94, 60.0, 143.999, 999.999}) {
    const OutputConfig config = thousand_lines(hz);
    const Scanout scanout(config);
    const Refreshes refreshes(config);
    for (const std::uint64_t vblank : {1ULL, 2ULL, 997ULL, 5'178'815ULL}) {
      const std::uint64_t at_ps = refreshes.time_of(vblank);
      INFO(hz << " Hz, vertical blank " << vblank);
      CHECK(scanout.line_at(refreshes, at_ps - 1) == Line{899});
      CHECK(scanout.line_at(refreshes, at_ps) == Line{});
      CHECK(scanout.lines_until(refreshes, at_ps) == vblank * 900);
    }
  }
}

TEST_CASE("scan-out: at a variable rate none is scanned between two refreshes", "[scheduler]") {
  const OutputConfig config = thousand_lines(100, 40);  // 10 ms a refresh, 25 ms where no frame comes
  const Scanout scanout(config);
  Refreshes refreshes(config);
  CHECK(scanout.line_at(refreshes, 10 * ms - 1) == Line{899});
  CHECK(scanout.line_at(refreshes, 10 * ms) == Line{});
  CHECK(scanout.line_at(refreshes, 24 * ms) == Line{});
  CHECK(scanout.lines_until(refreshes, 24 * ms) == 900);
  CHECK(scanout.line_at(refreshes, 26 * ms) == Line{0});
  refreshes.began(2, 37 * ms, 3);
  CHECK(scanout.line_at(refreshes, 37 * ms) == Line{});
  CHECK(scanout.line_at(refreshes, 38 * ms) == Line{0});
  CHECK(scanout.lines_until(refreshes, 38 * ms) == 1800);
}
