// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/described.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace fenceline {

/// A screen on a connector of the adapter.
struct OutputConfig {
  std::string name = "primary";
  double refresh_hz = 60;                         ///< most screens'; a choice, like the size: no machine's is measured
  std::optional<double> variable_refresh_min_hz;  ///< unset: its rate is fixed
  std::uint32_t width = 1920;                     ///< of a swap chain whose program leaves its size to the window
  std::uint32_t height = 1080;
  std::uint32_t blank_lines = 45;  ///< CTA-861: 1920 x 1080 at 60 Hz has 1125 lines in all
};
void describe(Fields& f, OutputConfig& c);

}  // namespace fenceline
