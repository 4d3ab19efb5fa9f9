// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/type_of.hpp"

#include <nlohmann/json_fwd.hpp>

namespace fenceline {

/// Takes out of the effective values of a config, as `dump_config` gives them, the optional ones that stand at their
/// defaults: what a person would write. Reading it gives the same values.
void remove_defaults(nlohmann::ordered_json& effective, const ValueType& type);

}  // namespace fenceline
