// SPDX-License-Identifier: Apache-2.0
#include "sim/config/config.hpp"

#include "sim/config/json_pointer.hpp"

namespace fenceline {
namespace {

/// An override at `set` may be why there is an error at `pointer`: one holds the other, or they are members of one
/// object (a key that only another alternative of a variant has, a relation between two fields).
bool concerns(const std::string& set, const std::string& pointer) {
  return pointer_within(set, pointer) || pointer_within(pointer, set.substr(0, set.rfind('/')));
}

}  // namespace

std::vector<std::string> read_overridden(nlohmann::ordered_json effective, const std::string& file,
                                         const std::vector<std::string>& sets, const ValueType& type, void* value) {
  std::vector<std::string> pointers;
  pointers.reserve(sets.size());
  for (const std::string& set : sets) pointers.push_back(apply_override(effective, set));
  try {
    ConfigReader(file).read(effective, type, value);
  } catch (const ConfigError& error) {
    for (const std::string& pointer : pointers) {
      if (concerns(pointer, error.pointer())) {
        throw ConfigError("--set", error.pointer(), error.expected(), error.found());
      }
    }
    throw;
  }
  return pointers;
}

}  // namespace fenceline
