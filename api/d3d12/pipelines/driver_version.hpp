// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fenceline::d3d12 {

/// Fenceline's version as that of a driver: four words of 16 bits, the major number highest.
std::uint64_t driver_version();

}  // namespace fenceline::d3d12
