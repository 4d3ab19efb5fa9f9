// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/fuzz/random_scenario.hpp"

#include <cstdint>

namespace fenceline::testing {

/// Gives half of the scenarios outputs of every kind and queues that present to them, directly or through a compositor,
/// with frames of every interval at moments of their own. What the scenario had is as it was.
Scenario with_screens(Scenario scenario, std::uint64_t seed);

}  // namespace fenceline::testing
