// SPDX-License-Identifier: Apache-2.0
#include "sim/config/config.hpp"

#include "sim/config/json_pointer.hpp"
#include "sim/config_errors.hpp"

#include <algorithm>

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
  ConfigErrors errors;
  for (const std::string& set : sets) {
    errors.keep([&] { pointers.push_back(apply_override(effective, set)); });
  }
  try {
    ConfigReader(file).read(effective, type, value);
  } catch (const ConfigError& error) {
    for (const ConfigError& one : error.each()) {
      const auto concerned = [&](const std::string& pointer) { return concerns(pointer, one.pointer()); };
      const bool by_set = std::any_of(pointers.begin(), pointers.end(), concerned);
      errors.add(by_set ? ConfigError("--set", one.pointer(), one.expected(), one.found()) : one);
    }
  }
  errors.throw_any();
  return pointers;
}

}  // namespace fenceline
