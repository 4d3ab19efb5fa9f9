// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/fields.hpp"

#include <nlohmann/json_fwd.hpp>

namespace fenceline {

/// Writes described values as JSON: every field, in the order of `describe`, an unset optional left out. Reading the
/// result gives the same value. A value that JSON cannot say (a number that is not finite, an enumerator without a
/// name) is a mistake of the program and an InternalError.
class ConfigDumper {
 public:
  nlohmann::ordered_json dump(const ValueType& type, const void* value) const;
};

}  // namespace fenceline
