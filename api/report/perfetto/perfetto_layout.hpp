// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fenceline {

/// How trace.json begins: by this it is told from traces of others.
constexpr std::string_view trace_beginning = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";

/// Lanes of a track stay together: sort indices of tracks are this far apart.
constexpr std::size_t lanes_per_track = 1000;

/// The nearest nanosecond. Monotone, so that spans that touch or nest still do so on the grid.
constexpr std::uint64_t on_grid(std::uint64_t ps) {
  const std::uint64_t below = ps / 1000 * 1000;
  return ps - below < 500 ? below : below + 1000;
}

}  // namespace fenceline
