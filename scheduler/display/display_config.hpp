// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/display/frame.hpp"
#include "scheduler/display/output_config.hpp"
#include "sim/config/described.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

/// The screens that swap chains present to: the first one, and what all of them share.
struct DisplayConfig : OutputConfig {
  std::string source;
  std::vector<OutputConfig> outputs;  ///< further ones
  std::uint32_t queued_flips = 0;     ///< MaxQueuedFlipOnVSync, of a swap chain; 0: no limit
};
void describe(Fields& f, DisplayConfig& c);

/// All outputs: OutputId i is the i-th.
std::vector<OutputConfig> screens_of(const DisplayConfig& display);
/// The one of that name, or of none the primary one; nothing: there is none.
std::optional<OutputId> output_named(const DisplayConfig& display, const std::string& name);

}  // namespace fenceline
