// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/machine_config.hpp"

#include <cstdint>

namespace fenceline {

/// Fenceline's version as that of the simulated driver: four words of 16 bits, the major number highest, the machine's
/// /shader_cache/driver_revision lowest.
std::uint64_t driver_version(const MachineConfig& machine);

}  // namespace fenceline
