// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace fenceline {

/// What the elements of an array may be called by in a pointer, in place of their index: by their `name`; without one
/// by their `type` and their number among those of that type, from 0 (`copy1`), of which the first goes by the `type`
/// alone where it is the only one. Empty: by its index only.
std::vector<std::string> element_names(const nlohmann::ordered_json& array);

/// The elements that the token names: by `name`, else by `type` and number, else by `type`.
std::vector<std::size_t> elements_named(const nlohmann::ordered_json& array, const std::string& token);

}  // namespace fenceline
