// SPDX-License-Identifier: Apache-2.0
#include "sim/config/element_name.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <map>
#include <string>

namespace fenceline {
namespace {

using nlohmann::ordered_json;

/// The element's text at that key; empty: it has none.
std::string text_at(const ordered_json& element, const char* key) {
  if (!element.is_object()) return "";
  const auto found = element.find(key);
  return found != element.end() && found->is_string() ? found->get<std::string>() : "";
}

/// Each element's type with its number; empty: it has none.
std::vector<std::string> numbered_types(const ordered_json& array) {
  std::map<std::string, std::size_t> count;
  std::vector<std::string> numbered;
  for (const ordered_json& element : array) {
    const std::string type = text_at(element, "type");
    numbered.push_back(type.empty() ? "" : type + std::to_string(count[type]++));
  }
  return numbered;
}

}  // namespace

std::vector<std::string> element_names(const ordered_json& array) {
  std::map<std::string, std::size_t> count;
  for (const ordered_json& element : array) ++count[text_at(element, "type")];
  std::vector<std::string> names = numbered_types(array);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string name = text_at(array[i], "name");
    const std::string type = text_at(array[i], "type");
    if (!name.empty()) {
      names[i] = name;
    } else if (!type.empty() && count[type] == 1) {
      names[i] = type;
    }
  }
  return names;
}

std::vector<std::size_t> elements_named(const ordered_json& array, const std::string& token) {
  const std::vector<std::string> numbered = numbered_types(array);
  std::vector<std::size_t> by_name;
  std::vector<std::size_t> by_number;
  std::vector<std::size_t> by_type;
  if (token.empty()) return by_name;
  for (std::size_t i = 0; i < array.size(); ++i) {
    if (text_at(array[i], "name") == token) by_name.push_back(i);
    if (numbered[i] == token) by_number.push_back(i);
    if (text_at(array[i], "type") == token) by_type.push_back(i);
  }
  if (!by_name.empty()) return by_name;
  return by_number.empty() ? by_type : by_number;
}

}  // namespace fenceline
