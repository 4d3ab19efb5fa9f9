// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/command.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace fenceline {

/// The pipeline state that a driver's variant was, of the command's kind; none: the stream's own.
struct CapturedVariant {
  std::optional<ComputePipeline> compute;
  std::optional<GraphicsPipeline> graphics;
};

/// What a list came to in one execution, where that depends on bytes: by the command's index.
struct CapturedOutcomes {
  std::map<std::size_t, bool> skips;          ///< of SetPredication
  std::map<std::size_t, IndirectCall> calls;  ///< of ExecuteIndirect
  /// Of each draw and dispatch, and of those that an ExecuteIndirect ran, in order.
  std::map<std::size_t, std::vector<CapturedVariant>> variants;
  std::map<std::size_t, nlohmann::json> effects;  ///< what commands do to bytes, in a workload's words
  std::set<std::size_t> not_predicated;           ///< of them those whose effects no predicate skips
};

}  // namespace fenceline
