// SPDX-License-Identifier: Apache-2.0
#include "tests/knobs/parameters.hpp"

#include "sim/config/fields.hpp"
#include "sim/config/json_pointer.hpp"

#include <utility>

namespace fenceline::testing {
namespace {

using Json = nlohmann::ordered_json;
using Visit = std::function<void(const Place&)>;

/// The members of a struct by their keys.
class Members final : public Fields {
 public:
  explicit Members(const ValueType& type) {
    const auto value = type.make();
    type.as<StructType>()->describe(*this, value.get());
  }
  std::vector<std::pair<std::string, const ValueType*>> members;

 private:
  void field(const Field& field, const ValueType& type, void*) override { members.emplace_back(field.key, &type); }
};

/// Without a document each list and map has one element, and a variant is each of its alternatives.
void walk(const ValueType& type, const Json* json, const std::string& parameter, const std::string& pointer,
          const Visit& visit);

void walk_members(const ValueType& type, const Json* json, const std::string& parameter, const std::string& pointer,
                  const Visit& visit) {
  for (const auto& [key, member] : Members(type).members) {
    if (json != nullptr && !json->contains(key)) continue;
    walk(*member, json != nullptr ? &(*json)[key] : nullptr, pointer_to(parameter, key), pointer_to(pointer, key),
         visit);
  }
}

void walk_elements(const ValueType& element, const Json* json, const std::string& parameter, const std::string& pointer,
                   const Visit& visit) {
  const std::string any = pointer_to(parameter, "*");
  if (json == nullptr) {
    walk(element, nullptr, any, any, visit);
    return;
  }
  std::size_t index = 0;
  for (const auto& [key, value] : json->items()) {
    walk(element, &value, any, json->is_array() ? pointer_to(pointer, index++) : pointer_to(pointer, key), visit);
  }
}

void walk(const ValueType& type, const Json* json, const std::string& parameter, const std::string& pointer,
          const Visit& visit) {
  if (type.as<StructType>() != nullptr) {
    walk_members(type, json, parameter, pointer, visit);
  } else if (const auto* list = type.as<ListType>()) {
    walk_elements(*list->element, json, parameter, pointer, visit);
  } else if (const auto* map = type.as<MapType>()) {
    walk_elements(*map->element, json, parameter, pointer, visit);
  } else if (const auto* optional = type.as<OptionalType>()) {
    walk(*optional->element, json, parameter, pointer, visit);
  } else if (const auto* variant = type.as<VariantType>()) {
    for (const VariantType::Alternative& one : variant->alternatives) {
      if (json != nullptr && (*json)[variant->tag] != one.name) continue;
      walk_members(*one.type, json, parameter + ":" + one.name, pointer, visit);
    }
  } else {
    visit({parameter, pointer, &type});
  }
}

}  // namespace

std::vector<Place> parameter_places(const ValueType& type) {
  std::vector<Place> places;
  walk(type, nullptr, "", "", [&](const Place& place) { places.push_back(place); });
  return places;
}

std::vector<Place> places_in(const ValueType& type, const Json& document) {
  std::vector<Place> places;
  walk(type, &document, "", "", [&](const Place& place) { places.push_back(place); });
  return places;
}

}  // namespace fenceline::testing
