// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/config_dumper.hpp"
#include "sim/config/config_reader.hpp"
#include "sim/config/fields.hpp"
#include "sim/config/overrides.hpp"
#include "sim/config/schema_writer.hpp"
#include "sim/config_error.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

namespace fenceline {

/// The T that the document says. `file` is the document's name in errors; with a base pointer it is a part of that
/// file.
template <class T>
T read_config(const nlohmann::json& document, const std::string& file, const std::string& base_pointer = "") {
  T value = T();  // not T{}: GCC 12 warns wrongly of a nested aggregate there
  ConfigReader(file, base_pointer).read(document, type_of<T>(), &value);
  return value;
}

/// The effective values: every field, in the order of `describe`. `read_config` of it gives the same T.
template <class T>
nlohmann::ordered_json dump_config(const T& value) {
  return ConfigDumper().dump(type_of<T>(), &value);
}

/// The JSON Schema (draft 7) of documents that `read_config<T>` reads.
template <class T>
nlohmann::ordered_json schema_of(const std::string& title) {
  return SchemaWriter().write(type_of<T>(), title);
}

/// Reads the effective values with the `/pointer=value` texts applied: the second half of `read_with_overrides`. The
/// pointers that were set, with indices in place of names. A text that cannot be applied is told with what the others
/// make wrong.
std::vector<std::string> read_overridden(nlohmann::ordered_json effective, const std::string& file,
                                         const std::vector<std::string>& sets, const ValueType& type, void* value);

/// The T that the document says once the `/pointer=value` texts are applied to its effective values. What is wrong in
/// the document is told with its file; what an override made wrong, with file `--set`. `set` gets the pointers that
/// were set, with indices in place of names.
template <class T>
T read_with_overrides(const nlohmann::json& document, const std::string& file, const std::vector<std::string>& sets,
                      std::vector<std::string>* set = nullptr) {
  T value = read_config<T>(document, file);
  if (sets.empty()) return value;
  T overridden = T();
  std::vector<std::string> pointers = read_overridden(dump_config(value), file, sets, type_of<T>(), &overridden);
  if (set != nullptr) *set = std::move(pointers);
  return overridden;
}

}  // namespace fenceline
