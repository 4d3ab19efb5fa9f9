// SPDX-License-Identifier: Apache-2.0
#include "sim/config/config_dumper.hpp"

#include "sim/assert.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace fenceline {
namespace {

using nlohmann::ordered_json;

ordered_json dump_value(const ValueType& type, const void* value);

/// Appends without the search for the key that operator[] makes: keys are unique by construction.
void append(ordered_json& object, const std::string& key, ordered_json value) {
  object.get_ref<ordered_json::object_t&>().emplace_back(key, std::move(value));
}

/// Collects the members of one object while `describe` names them.
class ObjectDumper final : public Fields {
 public:
  explicit ObjectDumper(ordered_json& object) : object_(object) {}

 private:
  void field(const Field& field, const ValueType& type, void* value) override {
    const auto* optional = type.as<OptionalType>();
    if (optional != nullptr && optional->get(value) == nullptr) return;
    append(object_, field.key, dump_value(type, value));
  }
  void in_place_of(const char* key, const std::vector<const char*>& others) override {
    if (!object_.contains(key)) return;
    for (const char* other : others) object_.erase(other);
  }

  ordered_json& object_;
};

void dump_members(ordered_json& object, const StructType& type, const void* value) {
  ObjectDumper dumper(object);
  type.describe(dumper, const_cast<void*>(value));  // the dumper only looks; describe serves readers as well
}

/// Dumps one value of each kind.
struct ValueDumper {
  const void* value;

  ordered_json operator()(const BooleanType&) const { return *static_cast<const bool*>(value); }

  ordered_json operator()(const IntegerType& type) const {
    const std::uint64_t bits = type.load(value);
    if (type.is_signed) return static_cast<std::int64_t>(bits);
    return bits;
  }

  ordered_json operator()(const NumberType&) const {
    const double number = *static_cast<const double*>(value);
    if (!std::isfinite(number)) {
      throw InternalError(fmt::format("a config holds {}: leave a std::optional unset instead", number));
    }
    // 1500, not 1500.0, as far as a double counts in ones; -0.0 would lose its sign.
    const bool whole =
        std::abs(number) < 9007199254740992.0 && number == std::trunc(number) && !(number == 0 && std::signbit(number));
    if (whole) return static_cast<std::int64_t>(number);
    return number;
  }

  ordered_json operator()(const TextType&) const { return *static_cast<const std::string*>(value); }

  ordered_json operator()(const EnumType& type) const {
    const std::int64_t number = type.load(value);
    for (const auto& [known, name] : type.names) {
      if (known == number) return name;
    }
    throw InternalError(fmt::format("a config holds the enumerator {}, which has no name", number));
  }

  ordered_json operator()(const StructType& type) const {
    ordered_json object = ordered_json::object();
    dump_members(object, type, value);
    return object;
  }

  ordered_json operator()(const ListType& type) const {
    ordered_json array = ordered_json::array();
    for (std::size_t i = 0; i < type.size(value); ++i) array.push_back(dump_value(*type.element, type.at(value, i)));
    return array;
  }

  ordered_json operator()(const MapType& type) const {
    ordered_json object = ordered_json::object();
    type.each(value, [&](const std::string& key, const void* element) {
      append(object, key, dump_value(*type.element, element));
    });
    return object;
  }

  ordered_json operator()(const OptionalType& type) const { return dump_value(*type.element, type.get(value)); }

  ordered_json operator()(const VariantType& type) const {
    const VariantType::Alternative& alternative = type.alternatives.at(type.index(value));
    ordered_json object = ordered_json::object();
    append(object, type.tag, alternative.name);
    dump_members(object, *alternative.type->as<StructType>(), type.get(value));
    return object;
  }
};

ordered_json dump_value(const ValueType& type, const void* value) { return std::visit(ValueDumper{value}, type.kind); }

}  // namespace

ordered_json ConfigDumper::dump(const ValueType& type, const void* value) const { return dump_value(type, value); }

}  // namespace fenceline
