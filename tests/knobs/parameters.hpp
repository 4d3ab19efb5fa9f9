// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/type_of.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <vector>

namespace fenceline::testing {

/// One value in a document: which parameter it is of, and where it stands. A parameter is a JSON Pointer in which `*`
/// stands for any index or key, with the alternative of a variant behind a colon: `/engines/*:copy/setup_cycles`.
struct Place {
  std::string parameter;
  std::string pointer;
  const ValueType* type;
};
/// The parameters of a schema, in the order in which the type describes them; their pointers say nothing.
std::vector<Place> parameter_places(const ValueType& type);
/// All values of a document of effective values (`dump_config`).
std::vector<Place> places_in(const ValueType& type, const nlohmann::ordered_json& document);

}  // namespace fenceline::testing
