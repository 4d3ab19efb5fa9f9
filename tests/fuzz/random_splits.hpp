// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/fuzz/random_scenario.hpp"

#include <cstdint>

namespace fenceline::testing {

/// Some scenarios get DMA buffers that their lists do not fit, linked adapters, or both, or a driver without contexts.
/// The same seed gives the same.
Scenario with_splits(Scenario scenario, std::uint64_t seed);

}  // namespace fenceline::testing
