// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace fenceline::testing {

/// The pointers of a document's leaves: values that hold no others.
std::vector<nlohmann::json::json_pointer> leaves_of(const nlohmann::json& document);

/// What is done to a leaf.
struct Damage {
  enum class Kind { replaced, missing, doubled };
  Kind kind;
  const char* text;  ///< replaced: JSON
};
const std::vector<Damage>& damages();

/// The document's text with one leaf damaged.
std::string damaged(nlohmann::json document, const nlohmann::json::json_pointer& leaf, const Damage& damage);

}  // namespace fenceline::testing
