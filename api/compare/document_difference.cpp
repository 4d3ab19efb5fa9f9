// SPDX-License-Identifier: Apache-2.0
#include "api/compare/document_difference.hpp"

#include "sim/config/element_name.hpp"
#include "sim/config/json_pointer.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <utility>

namespace fenceline {
namespace {

using nlohmann::json;

/// What elements are called by: in workloads and machines, and in what reports say of them.
constexpr std::array<const char*, 7> name_keys = {"name",  "queue",      "engine", "deadline",
                                                  "fence", "swap_chain", "output"};

std::string name_of(const json& element) {
  if (!element.is_object()) return "";
  for (const char* key : name_keys) {
    const auto found = element.find(key);
    if (found == element.end() || !found->is_string()) continue;
    const auto value = element.find("value");  // one of the times of a deadline
    const bool is_time = value != element.end() && value->is_number() && element.contains("reached_ps");
    return found->get<std::string>() + (is_time ? " value " + value->dump() : "");
  }
  return "";
}

/// What all elements are called by, in their order; none where one has no name, or the name of another. Those of a
/// machine's engines are those of their nodes.
std::vector<std::string> names_in(const json& array, const std::string& pointer) {
  std::vector<std::string> names;
  if (pointer == "/engines" && !array.empty() && array.front().contains("type")) {
    names = element_names(nlohmann::ordered_json(array));
  } else {
    for (const json& element : array) names.push_back(name_of(element));
  }
  const std::set<std::string> unique(names.begin(), names.end());
  if (unique.size() < names.size() || unique.count("") > 0) return {};
  return names;
}

class Differences {
 public:
  void compare(const json& one, const json& other, const std::string& pointer) {
    if (one == other) return;
    if (one.is_object() && other.is_object()) {
      compare_objects(one, other, pointer);
    } else if (one.is_array() && other.is_array()) {
      compare_arrays(one, other, pointer);
    } else {
      found_.push_back({pointer, one, other});
    }
  }
  std::vector<ValueDifference> take() { return std::move(found_); }

 private:
  void compare_objects(const json& one, const json& other, const std::string& pointer) {
    std::set<std::string> keys;
    for (const json* object : {&one, &other}) {
      for (const auto& [key, value] : object->items()) keys.insert(key);
    }
    const auto at = [](const json& object, const std::string& key) { return object.value(key, json()); };
    for (const std::string& key : keys) compare(at(one, key), at(other, key), pointer_to(pointer, key));
  }

  void compare_arrays(const json& one, const json& other, const std::string& pointer) {
    const std::vector<std::string> in_one = names_in(one, pointer);
    const std::vector<std::string> in_other = names_in(other, pointer);
    if (in_one.size() == one.size() && in_other.size() == other.size()) {
      compare_named(one, other, in_one, in_other, pointer);
      return;
    }
    const bool structured =
        std::all_of(one.begin(), one.end(), [](const json& value) { return value.is_structured(); });
    if (one.size() != other.size() || !structured) {
      found_.push_back({pointer, one, other});
      return;
    }
    for (std::size_t i = 0; i < one.size(); ++i) compare(one[i], other[i], pointer_to(pointer, i));
  }

  void compare_named(const json& one, const json& other, const std::vector<std::string>& in_one,
                     const std::vector<std::string>& in_other, const std::string& pointer) {
    std::map<std::string, const json*> others;
    for (std::size_t i = 0; i < in_other.size(); ++i) others[in_other[i]] = &other[i];
    for (std::size_t i = 0; i < in_one.size(); ++i) {
      const auto found = others.find(in_one[i]);
      compare(one[i], found == others.end() ? json() : *found->second, pointer_to(pointer, in_one[i]));
      if (found != others.end()) others.erase(found);
    }
    for (std::size_t i = 0; i < in_other.size(); ++i) {
      if (others.count(in_other[i]) > 0) compare(json(), other[i], pointer_to(pointer, in_other[i]));
    }
    // The order of things that a file names may matter; that of what a report tells does not.
    const bool moved =
        in_one != in_other && std::is_permutation(in_one.begin(), in_one.end(), in_other.begin(), in_other.end());
    if (moved && one.front().contains("name")) found_.push_back({pointer, in_one, in_other});
  }

  std::vector<ValueDifference> found_;
};

}  // namespace

std::vector<ValueDifference> differences(const json& one, const json& other) {
  Differences all;
  all.compare(one, other, "");
  return all.take();
}

}  // namespace fenceline
