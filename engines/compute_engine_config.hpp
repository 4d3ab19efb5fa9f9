// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/hardware_queue/engine_config.hpp"
#include "sim/config/described.hpp"

namespace fenceline {

/// A compute node. Fields are keys of the machine's JSON: `fenceline schema machine` says what each means.
struct ComputeEngineConfig : EngineConfig {
  static constexpr const char* type_name = "compute";
};
void describe(Fields& f, ComputeEngineConfig& c);

}  // namespace fenceline
