// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace fenceline::testing {

/// What is done to a leaf.
struct Damage {
  enum class Kind { replaced, missing, doubled };
  Kind kind;
  const char* text;  ///< replaced: JSON
};
const std::vector<Damage>& damages();

struct DamagedLeaf {
  nlohmann::json::json_pointer leaf;
  const Damage* damage;  ///< of damages()
};
std::vector<DamagedLeaf> every_damage_of_every_leaf(const nlohmann::json& document);
/// Each damage on a leaf of each kind, taken at random; leaves whose pointers differ in the numbers of lists alone are
/// of one kind.
std::vector<DamagedLeaf> every_damage_of_every_kind(const nlohmann::json& document);

/// The document's text with one leaf damaged.
std::string damaged(nlohmann::json document, const nlohmann::json::json_pointer& leaf, const Damage& damage);

}  // namespace fenceline::testing
