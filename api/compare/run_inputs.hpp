// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace fenceline {

/// Of report.json of one run what the run was played from: `machine`, `workload`, `run` and `fenceline`. Values that
/// changed while it ran (`run --fork`) are there as they then were; `run` has when. Throws ConfigError where the report
/// names what it does not have.
nlohmann::json run_inputs(const nlohmann::json& report);

}  // namespace fenceline
