// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace fenceline {

/// A value in which two documents differ; null stands for what one of them does not have.
struct ValueDifference {
  std::string pointer;  ///< elements go by what they are called, where that says which in both
  nlohmann::json one;
  nlohmann::json other;
};

/// Each value in which they differ, in the order of their keys. Elements of arrays are compared with those of the same
/// name, wherever they stand; without names with those at their place.
std::vector<ValueDifference> differences(const nlohmann::json& one, const nlohmann::json& other);

}  // namespace fenceline
