// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/fields.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <typeindex>
#include <utility>

namespace fenceline {

/// Writes the JSON Schema (draft 7) of a described type, for editors and validators. It accepts what ConfigReader
/// accepts, but for relations between fields (`Fields::check`), which a schema cannot say. Defaults are those of a
/// default-constructed value. A description that contradicts itself (a key named twice, a default out of its range, a
/// std::optional set by default) is an InternalError.
class SchemaWriter {
 public:
  nlohmann::ordered_json write(const ValueType& type, const std::string& title);

  /// The schema of a value anywhere but at the root. Structs in it become definitions.
  nlohmann::ordered_json schema_of_value(const ValueType& type, const Range& range);

 private:
  struct ForValue;

  nlohmann::ordered_json reference(const ValueType& type, const VariantType* variant, const char* name);
  nlohmann::ordered_json object_schema(const ValueType& type, const VariantType* variant, const char* name,
                                       bool at_root);

  std::map<std::pair<std::type_index, std::string>, std::string> names_;  // struct and its tag -> its definition
  nlohmann::ordered_json definitions_ = nlohmann::ordered_json::object();
};

}  // namespace fenceline
