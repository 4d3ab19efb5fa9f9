// SPDX-License-Identifier: Apache-2.0
#include "sim/config/schema_writer.hpp"

#include "sim/assert.hpp"
#include "sim/config/config_dumper.hpp"

#include <fmt/format.h>

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace fenceline {
namespace {

using nlohmann::ordered_json;

/// "CopyEngineConfig" of a struct of that name in any namespace.
std::string plain_name(const std::type_info& id) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(id.name(), nullptr, nullptr, &status),
                                                    std::free);
  std::string name = text ? text.get() : id.name();
  name = name.substr(0, name.find('<'));
  const std::size_t scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

/// A limit without a needless ".0".
ordered_json limit(double value) {
  const ValueType& number = type_of<double>();
  return ConfigDumper().dump(number, &value);
}

void add_range(ordered_json& schema, const Range& range) {
  if (range.has_minimum()) schema[range.exclusive_minimum ? "exclusiveMinimum" : "minimum"] = limit(range.minimum);
  if (range.has_maximum()) schema["maximum"] = limit(range.maximum);
}

/// A schema with more said beside it. Draft 7 ignores what stands beside a "$ref", so that moves into an allOf.
ordered_json described(const char* help, ordered_json schema) {
  ordered_json property = {{"description", help}};
  if (schema.contains("$ref")) {
    property["allOf"] = ordered_json::array({std::move(schema)});
  } else {
    property.update(schema);
  }
  return property;
}

ordered_json schema_property() {
  return {{"description", "where the JSON Schema of this file is, for editors"}, {"type", "string"}};
}

void check_default(const Field& field, const ValueType& type, const void* value) {
  const auto complain = [&](const std::string& what) {
    throw InternalError(fmt::format("the config key \"{}\" {}", field.key, what));
  };
  if (type.as<OptionalType>() != nullptr) complain("is a std::optional that is set by default: it could not be unset");
  long double number = 0;
  if (type.as<NumberType>() != nullptr) {
    number = *static_cast<const double*>(value);
  } else if (const auto* integer = type.as<IntegerType>()) {
    const std::uint64_t bits = integer->load(value);
    number = integer->is_signed ? static_cast<long double>(static_cast<std::int64_t>(bits)) : bits;
  } else {
    return;
  }
  if (!field.range.holds(number)) complain(fmt::format("has a default that is not {}", field.range.text("a number")));
}

/// Collects the properties of one object while `describe` names them.
class ObjectSchema final : public Fields {
 public:
  explicit ObjectSchema(SchemaWriter& writer) : writer_(writer) {}

  const char* sentence = nullptr;
  ordered_json properties = ordered_json::object();
  ordered_json required_keys = ordered_json::array();
  ordered_json alternatives = ordered_json::array();  ///< keys that stand in place of others

  void about(const char* text) override { sentence = text; }

 private:
  void field(const Field& field, const ValueType& type, void* value) override {
    if (properties.contains(field.key)) {
      throw InternalError(fmt::format("the config key \"{}\" is described twice", field.key));
    }
    ordered_json property = described(field.help, writer_.schema_of_value(type, field.range));
    const auto* optional = type.as<OptionalType>();
    if (field.required) {
      required_keys.push_back(field.key);
    } else if (optional == nullptr || optional->get(value) != nullptr) {
      check_default(field, type, value);
      property["default"] = ConfigDumper().dump(type, value);
    }
    properties[field.key] = std::move(property);
  }
  void in_place_of(const char* key, const std::vector<const char*>& others) override {
    ordered_json any = ordered_json::array();
    for (const char* other : others) any.push_back(requires_key(other));
    properties[others.front()].erase("default");
    alternatives.push_back(
        {{"if", requires_key(key)}, {"then", {{"not", {{"anyOf", any}}}}}, {"else", requires_key(others.front())}});
  }
  static ordered_json requires_key(const char* key) { return {{"required", ordered_json::array({key})}}; }

  SchemaWriter& writer_;
};

}  // namespace

/// Writes the schema of one value of each kind.
struct SchemaWriter::ForValue {
  SchemaWriter& writer;
  const ValueType& type;
  const Range& range;
  bool at_root;

  ordered_json operator()(const BooleanType&) const { return {{"type", "boolean"}}; }

  ordered_json operator()(const IntegerType& integer) const {
    ordered_json schema = {{"type", "integer"}};
    add_range(schema, range);
    const auto lowest = static_cast<double>(integer.lowest);
    // Validators count in doubles, where the largest 64-bit integers are 2^63 and 2^64.
    const auto highest = static_cast<double>(integer.highest);
    if (!range.has_minimum() || range.minimum < lowest) {
      schema.erase("exclusiveMinimum");
      schema["minimum"] = limit(lowest);
    }
    if (!range.has_maximum() || range.maximum > highest) schema["maximum"] = limit(highest);
    return schema;
  }

  ordered_json operator()(const NumberType&) const {
    ordered_json schema = {{"type", "number"}};
    add_range(schema, range);
    return schema;
  }

  ordered_json operator()(const TextType&) const { return {{"type", "string"}}; }

  ordered_json operator()(const EnumType& enumeration) const {
    ordered_json names = ordered_json::array();
    for (const auto& [number, name] : enumeration.names) names.push_back(name);
    return {{"type", "string"}, {"enum", std::move(names)}};
  }

  ordered_json operator()(const StructType&) const {
    return at_root ? writer.object_schema(type, nullptr, nullptr, true) : writer.reference(type, nullptr, nullptr);
  }

  ordered_json operator()(const ListType& list) const {
    return {{"type", "array"}, {"items", writer.schema_of_value(*list.element, range)}};
  }

  ordered_json operator()(const MapType& map) const {
    ordered_json schema = {{"type", "object"}};
    if (at_root) schema["properties"] = {{"$schema", schema_property()}};
    schema["propertyNames"] = {{"minLength", 1}};
    schema["additionalProperties"] = writer.schema_of_value(*map.element, range);
    return schema;
  }

  ordered_json operator()(const OptionalType& optional) const {
    return writer.schema_of_value(*optional.element, range);
  }

  ordered_json operator()(const VariantType& variant) const {
    ordered_json choices = ordered_json::array();
    for (const auto& [name, alternative] : variant.alternatives) {
      choices.push_back(at_root ? writer.object_schema(*alternative, &variant, name, true)
                                : writer.reference(*alternative, &variant, name));
    }
    return {{"type", "object"}, {"oneOf", std::move(choices)}};
  }
};

ordered_json SchemaWriter::schema_of_value(const ValueType& type, const Range& range) {
  return std::visit(ForValue{*this, type, range, false}, type.kind);
}

ordered_json SchemaWriter::reference(const ValueType& type, const VariantType* variant, const char* name) {
  const std::string tag = variant == nullptr ? "" : fmt::format("{}={}", variant->tag, name);
  const auto [entry, is_new] = names_.try_emplace({std::type_index(*type.id), tag}, plain_name(*type.id));
  if (is_new) {
    const std::string plain = entry->second;
    for (int i = 2; definitions_.contains(entry->second); ++i) entry->second = fmt::format("{}_{}", plain, i);
    const std::string definition = entry->second;
    definitions_[definition] = nullptr;  // takes the name and the place before the structs inside, maybe itself
    ordered_json schema = object_schema(type, variant, name, false);
    definitions_[definition] = std::move(schema);
    return {{"$ref", "#/definitions/" + definition}};
  }
  return {{"$ref", "#/definitions/" + entry->second}};
}

ordered_json SchemaWriter::object_schema(const ValueType& type, const VariantType* variant, const char* name,
                                         bool at_root) {
  ObjectSchema object(*this);
  if (at_root) object.properties["$schema"] = schema_property();
  if (variant != nullptr) {
    object.properties[variant->tag] = {{"const", name}};
    object.required_keys.push_back(variant->tag);
  }
  const ValueType::Boxed value = type.make();
  type.as<StructType>()->describe(object, value.get());

  ordered_json schema = ordered_json::object();
  if (object.sentence != nullptr) schema["description"] = object.sentence;
  schema["type"] = "object";
  schema["properties"] = std::move(object.properties);
  if (!object.required_keys.empty()) schema["required"] = std::move(object.required_keys);
  schema["additionalProperties"] = false;
  if (!object.alternatives.empty()) schema["allOf"] = std::move(object.alternatives);
  return schema;
}

ordered_json SchemaWriter::write(const ValueType& type, const std::string& title) {
  ordered_json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", title}};
  schema.update(std::visit(ForValue{*this, type, any_number, true}, type.kind));
  if (!definitions_.empty()) schema["definitions"] = std::move(definitions_);
  definitions_ = ordered_json::object();
  names_.clear();
  return schema;
}

}  // namespace fenceline
