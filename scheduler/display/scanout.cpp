// SPDX-License-Identifier: Apache-2.0
#include "scheduler/display/scanout.hpp"

#include <algorithm>
#include <cmath>

namespace fenceline {
namespace {

__extension__ using Wide = unsigned __int128;
constexpr Wide period_ps_mhz = 1'000'000'000'000'000;  // picoseconds in a period of 1 mHz

}  // namespace

Scanout::Scanout(const OutputConfig& config)
    : refresh_mhz_(static_cast<std::uint64_t>(std::llround(config.refresh_hz * 1e3))),
      blank_(config.blank_lines),
      height_(config.height) {}

Scanout::Place Scanout::place_at(const Refreshes& refreshes, std::uint64_t time_ps) const {
  const std::uint64_t all = std::uint64_t{blank_} + height_;
  const auto lines_in = [&](std::uint64_t ps) {
    return static_cast<std::uint64_t>(Wide{ps} * refresh_mhz_ * all / period_ps_mhz);
  };
  if (!refreshes.variable()) {
    const std::uint64_t lines = lines_in(time_ps);
    return {lines / all, lines % all};
  }
  const std::uint64_t last = refreshes.last_at(time_ps);
  return {last, std::min(lines_in(time_ps - refreshes.time_of(last)), all)};
}

std::optional<std::uint32_t> Scanout::line_at(const Refreshes& refreshes, std::uint64_t time_ps) const {
  const Place place = place_at(refreshes, time_ps);
  if (place.lines < blank_ || place.lines >= std::uint64_t{blank_} + height_) return {};
  return static_cast<std::uint32_t>(place.lines - blank_);
}

std::uint64_t Scanout::lines_until(const Refreshes& refreshes, std::uint64_t time_ps) const {
  const Place place = place_at(refreshes, time_ps);
  return place.refreshes * height_ + std::max<std::uint64_t>(place.lines, blank_) - blank_;
}

}  // namespace fenceline
