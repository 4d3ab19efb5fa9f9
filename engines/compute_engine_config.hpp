// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/hardware_queue/engine_config.hpp"
#include "sim/config/fields.hpp"

namespace fenceline {

struct ComputeEngineConfig : EngineConfig {
  static constexpr const char* type_name = "compute";
};
void describe(Fields& f, ComputeEngineConfig& c);

}  // namespace fenceline
