// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/hardware_queue/engine_config.hpp"
#include "sim/config/described.hpp"

#include <cstdint>

namespace fenceline {

/// A copy node. Fields are keys of the machine's JSON: `fenceline schema machine` says what each means.
struct CopyEngineConfig : EngineConfig {
  static constexpr const char* type_name = "copy";
  CopyEngineConfig() { commands_in_flight = 1; }
  std::uint32_t setup_cycles = 1500;
};
void describe(Fields& f, CopyEngineConfig& c);

}  // namespace fenceline
