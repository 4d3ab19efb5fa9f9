// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/hardware_queue/engine_config.hpp"
#include "engines/raster_rates.hpp"
#include "sim/config/described.hpp"

#include <cstdint>

namespace fenceline {

/// A 3D node. Fields are keys of the machine's JSON: `fenceline schema machine` says what each means.
struct GraphicsEngineConfig : EngineConfig {
  static constexpr const char* type_name = "3d";
  RasterRates rates;  ///< how fast its fixed functions are
  std::uint32_t write_back_bytes = 1 << 18;
  std::uint32_t pipeline_change_cycles = 0;
  std::uint32_t dispatch_switch_cycles = 0;
};
void describe(Fields& f, GraphicsEngineConfig& c);

}  // namespace fenceline
