// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/command.hpp"

#include <cstddef>
#include <map>

namespace fenceline {

/// What a list came to in one execution, where that depends on bytes: by the command's index.
struct CapturedOutcomes {
  std::map<std::size_t, bool> skips;          ///< of SetPredication
  std::map<std::size_t, IndirectCall> calls;  ///< of ExecuteIndirect
};

}  // namespace fenceline
