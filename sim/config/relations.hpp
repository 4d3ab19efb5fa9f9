// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/value_type.hpp"
#include "sim/config_errors.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace fenceline {

/// As ConfigReader::read, for who can go on behind what does not go together: each value is right then, and the
/// relations that are broken are kept in `relations`. Throws ConfigError where a value is wrong.
void read_with_relations(const nlohmann::json& document, const std::string& file, const ValueType& type, void* value,
                         ConfigErrors& relations);

}  // namespace fenceline
