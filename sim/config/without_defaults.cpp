// SPDX-License-Identifier: Apache-2.0
#include "sim/config/without_defaults.hpp"

#include "sim/config/config_dumper.hpp"
#include "sim/config/fields.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <string>

namespace fenceline {
namespace {

using nlohmann::ordered_json;

/// The keys of a struct, by name.
class Keys final : public Fields {
 public:
  struct Key {
    bool required;
    const ValueType* type;
  };
  std::map<std::string, Key> keys;

 private:
  void field(const Field& field, const ValueType& type, void*) override { keys[field.key] = {field.required, &type}; }
  void in_place_of(const char*, const std::vector<const char*>& others) override {
    keys[others.front()].required = true;  // without the key
  }
};

class Remover {
 public:
  /// What stands in `standard` is there without being said; null: what the type says.
  void remove_from(ordered_json& value, const ValueType& type, const ordered_json* standard) {
    if (type.as<StructType>() != nullptr) {
      remove_from_struct(value, type, standard != nullptr ? *standard : about(type).standard);
    } else if (const auto* list = type.as<ListType>()) {
      for (ordered_json& one : value) remove_from(one, *list->element, nullptr);
    } else if (const auto* map = type.as<MapType>()) {
      for (ordered_json& one : value) remove_from(one, *map->element, nullptr);
    } else if (const auto* optional = type.as<OptionalType>()) {
      remove_from(value, *optional->element, nullptr);
    } else if (const auto* variant = type.as<VariantType>()) {
      for (const VariantType::Alternative& one : variant->alternatives) {
        if (value[variant->tag] == one.name) return remove_from(value, *one.type, nullptr);
      }
    }
  }

 private:
  struct About {
    ordered_json standard;  // the default
    Keys keys;              // of a struct
  };

  const About& about(const ValueType& type) {
    const auto [known, is_new] = known_.try_emplace(&type);
    if (is_new) {
      const auto value = type.make();
      known->second.standard = ConfigDumper().dump(type, value.get());
      type.as<StructType>()->describe(known->second.keys, value.get());
    }
    return known->second;
  }

  void remove_from_struct(ordered_json& object, const ValueType& type, const ordered_json& standard) {
    for (const auto& [key, of] : about(type).keys.keys) {
      const auto found = object.find(key);
      if (found == object.end()) continue;
      const auto stands = standard.find(key);
      const bool has_one = stands != standard.end();
      if (!of.required && has_one && *stands == *found) {
        object.erase(found);
      } else {
        remove_from(*found, *of.type, has_one ? &*stands : nullptr);
      }
    }
  }

  std::map<const ValueType*, About> known_;  // looked up, never gone through
};

}  // namespace

void remove_defaults(ordered_json& effective, const ValueType& type) {
  Remover().remove_from(effective, type, nullptr);
}

}  // namespace fenceline
