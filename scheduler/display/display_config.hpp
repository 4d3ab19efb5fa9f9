// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/described.hpp"

#include <cstdint>
#include <string>

namespace fenceline {

/// The screen that swap chains present to.
struct DisplayConfig {
  std::string source;
  double refresh_hz = 60;      ///< most screens'; a choice, like the size: no machine's is measured
  std::uint32_t width = 1920;  ///< of a swap chain whose program leaves its size to the window
  std::uint32_t height = 1080;
};
void describe(Fields& f, DisplayConfig& c);

}  // namespace fenceline
