// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/capture/captured_execution.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fenceline {

/// A step of a CPU thread, by its number.
struct CapturedStep {
  std::size_t thread = 0;
  nlohmann::json step;
  std::optional<CapturedExecution> list = {};
};
/// What comes into a capture next: blobs, then elements of the workload's arrays, then steps, each in order.
struct CaptureBatch {
  std::vector<std::pair<std::string, std::string>> blobs;  ///< names and bytes
  std::vector<nlohmann::json> objects;
  std::vector<CapturedStep> steps;
  bool flush = false;  ///< it is to be in the file whatever becomes of the process

  bool empty() const { return blobs.empty() && objects.empty() && steps.empty(); }
};

}  // namespace fenceline
