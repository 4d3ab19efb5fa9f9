// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/fields.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace fenceline {

/// Reads described values from JSON. What is wrong is a ConfigError with its place, the first thing of all: it has the
/// others, of which relations of an object are told where each value in it is right. `null` is never a value.
/// The root object may have a "$schema", a string for editors.
class ConfigReader {
 public:
  /// `file` and `base_pointer` say in errors where the document is from. With a base pointer it is a part of a file,
  /// and its root is not the file's.
  explicit ConfigReader(std::string file, std::string base_pointer = "");

  /// Reads into a value of the type. Keys that are absent leave what is there. After an
  /// error the value is not to be used.
  void read(const nlohmann::json& document, const ValueType& type, void* value) const;

 private:
  std::string file_;
  std::string base_pointer_;
};

}  // namespace fenceline
