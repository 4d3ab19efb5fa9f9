// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/pipeline.hpp"
#include "sim/callback.hpp"
#include "sim/log.hpp"

#include <cstdint>

namespace fenceline {

/// Work for the shader array: identical thread groups.
struct Grid {
  std::uint64_t groups = 0;
  GroupFootprint footprint;
  GroupWork work;
  int priority = 0;         ///< a higher one's groups are placed first whenever a place falls free
  std::uint64_t order = 0;  ///< the packet's id: decides among grids that arrive at the same moment
  bool graphics = false;    ///< comes from the 3D engine's distributor and stays on the graphics SMs
  LogName label{};
  Callback done;  ///< called once, when the last group has retired
};

}  // namespace fenceline
