// SPDX-License-Identifier: Apache-2.0
#include "sim/config/config_reader.hpp"

#include "sim/config/json_file.hpp"
#include "sim/config/json_pointer.hpp"
#include "sim/config/nearest_name.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <optional>

namespace fenceline {
namespace {

using nlohmann::json;

constexpr const char* schema_key = "$schema";

/// Where the reader is. A chain up the call stack, so that a pointer costs nothing until an error shows it.
struct Place {
  const std::string& file;
  const std::string& base;
  const Place* up = nullptr;
  std::string_view key = {};
  std::size_t index = 0;
  bool is_element = false;

  Place member(std::string_view name) const { return {file, base, this, name, 0, false}; }
  Place element(std::size_t i) const { return {file, base, this, {}, i, true}; }
  bool is_file_root() const { return up == nullptr && base.empty(); }

  std::string pointer() const {
    if (up == nullptr) return base;
    return is_element ? pointer_to(up->pointer(), index) : pointer_to(up->pointer(), key);
  }
  [[noreturn]] void fail(const std::string& expected, const std::string& found) const {
    throw ConfigError(file, pointer(), expected, found);
  }
};

std::string one_of(const std::vector<std::string>& choices) {
  if (choices.empty()) return "nothing";
  return (choices.size() == 1 ? "" : "one of ") + fmt::format("{}", fmt::join(choices, ", "));
}

void read_value(const json& document, const ValueType& type, void* value, const Place& place, const Range& range);

/// Reads the members of one object while `describe` names them. What is wrong with the object as a whole waits for
/// `finish`, which tells the most likely mistake first: a key misspelt, a key missing, a relation broken.
class ObjectReader final : public Fields {
 public:
  ObjectReader(const json& object, const Place& place) : object_(object), place_(place) {}

  void accept(const char* key) { known_.push_back(key); }

  void finish() const {
    for (const auto& [key, value] : object_.items()) {
      if (!knows(key)) unknown(key);
    }
    if (missing_ != nullptr) place_.fail(fmt::format("the required key \"{}\"", missing_), "no such key");
    if (violation_) throw *violation_;
  }

 private:
  void field(const Field& field, const ValueType& type, void* value) override {
    accept(field.key);
    const auto member = object_.find(field.key);
    if (member != object_.end()) {
      read_value(*member, type, value, place_.member(field.key), field.range);
    } else if (field.required && missing_ == nullptr) {
      missing_ = field.key;
    }
  }

  void violated(std::string_view expected, std::string_view found, std::string_view member) override {
    if (violation_) return;
    std::string pointer = place_.pointer();
    if (!member.empty()) pointer = member[0] == '/' ? pointer + std::string(member) : pointer_to(pointer, member);
    violation_.emplace(place_.file, pointer, std::string(expected), shortened(found, 120));
  }

  bool knows(const std::string& key) const {
    if (place_.is_file_root() && key == schema_key) return true;
    for (const char* known : known_) {
      if (key == known) return true;
    }
    return false;
  }

  [[noreturn]] void unknown(const std::string& key) const {
    const std::vector<std::string> known(known_.begin(), known_.end());
    const std::string near = nearest_name(key, known);
    place_.member(key).fail(
        known.empty() ? "no keys here" : one_of(known),
        "unknown key " + in_quotes(key) + (near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near)));
  }

  const json& object_;
  const Place& place_;
  std::vector<const char*> known_;
  const char* missing_ = nullptr;
  std::optional<ConfigError> violation_;
};

/// A whole number as JSON may write it: 5, 5.0, 5e0.
struct Whole {
  bool negative;
  std::uint64_t bits;  // two's complement
};

std::optional<Whole> whole_of(const json& number) {
  if (number.is_number_unsigned()) return Whole{false, number.get<std::uint64_t>()};
  if (number.is_number_integer()) {
    const auto value = number.get<std::int64_t>();
    return Whole{value < 0, static_cast<std::uint64_t>(value)};
  }
  const double value = number.get<double>();
  // -2^63 and 2^64: outside of these no integer type can hold it.
  if (!(value >= -9223372036854775808.0 && value < 18446744073709551616.0) || value != std::trunc(value)) {
    return std::nullopt;
  }
  if (value < 0) return Whole{true, static_cast<std::uint64_t>(static_cast<std::int64_t>(value))};
  return Whole{false, static_cast<std::uint64_t>(value)};
}

/// Reads one value of each kind.
class ValueReader {
 public:
  ValueReader(const json& document, void* value, const Place& place, const Range& range)
      : document_(document), value_(value), place_(place), range_(range) {}

  void operator()(const BooleanType&) const {
    if (!document_.is_boolean()) wrong("true or false");
    *static_cast<bool*>(value_) = document_.get<bool>();
  }

  void operator()(const IntegerType& type) const {
    if (!document_.is_number()) wrong(range_.text("an integer"));
    if (document_.is_number_float() && document_.get<double>() != std::trunc(document_.get<double>())) {
      wrong(range_.text("an integer"));
    }
    const std::optional<Whole> whole = whole_of(document_);
    if (whole) {
      const auto as_signed = static_cast<std::int64_t>(whole->bits);
      const auto exact = whole->negative ? static_cast<long double>(as_signed) : static_cast<long double>(whole->bits);
      if (!range_.holds(exact)) wrong(range_.text("an integer"));
      if (whole->negative ? as_signed >= type.lowest : whole->bits <= type.highest) {
        type.store(value_, whole->bits);
        return;
      }
    }
    wrong(fmt::format("an integer from {} to {}", type.lowest, type.highest));
  }

  void operator()(const NumberType&) const {
    if (!document_.is_number()) wrong(range_.text("a number"));
    const double number = document_.get<double>();
    if (!std::isfinite(number)) wrong("a finite number");
    if (!range_.holds(number)) wrong(range_.text("a number"));
    *static_cast<double*>(value_) = number;
  }

  void operator()(const TextType&) const {
    if (!document_.is_string()) wrong("a string");
    *static_cast<std::string*>(value_) = document_.get_ref<const std::string&>();
  }

  void operator()(const EnumType& type) const {
    std::vector<std::string> names;
    for (const auto& [number, name] : type.names) {
      if (document_.is_string() && document_.get_ref<const std::string&>() == name) return type.store(value_, number);
      names.push_back(in_quotes(name));
    }
    wrong(one_of(names));
  }

  void operator()(const StructType& type) const {
    if (!document_.is_object()) wrong("an object");
    ObjectReader reader(document_, place_);
    type.describe(reader, value_);
    reader.finish();
  }

  void operator()(const ListType& type) const {
    if (!document_.is_array()) wrong("an array");
    type.clear(value_);
    std::size_t index = 0;
    for (const json& element : document_) {
      read_value(element, *type.element, type.append(value_), place_.element(index++), range_);
    }
  }

  void operator()(const MapType& type) const {
    if (!document_.is_object()) wrong("an object");
    type.clear(value_);
    for (const auto& [key, element] : document_.items()) {
      if (place_.is_file_root() && key == schema_key) continue;
      if (key.empty()) place_.fail("keys that are not empty", "\"\"");
      read_value(element, *type.element, type.insert(value_, key), place_.member(key), range_);
    }
  }

  void operator()(const OptionalType& type) const {
    read_value(document_, *type.element, type.engage(value_), place_, range_);
  }

  void operator()(const VariantType& type) const {
    if (!document_.is_object()) wrong("an object");
    std::vector<std::string> names;
    for (const auto& alternative : type.alternatives) names.push_back(in_quotes(alternative.name));
    const auto tag = document_.find(type.tag);
    if (tag == document_.end()) {
      place_.fail(fmt::format("the required key \"{}\" with {}", type.tag, one_of(names)), "no such key");
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!tag->is_string() || tag->get_ref<const std::string&>() != type.alternatives[i].name) continue;
      ObjectReader reader(document_, place_);
      reader.accept(type.tag);
      type.alternatives[i].type->as<StructType>()->describe(reader, type.emplace(value_, i));
      return reader.finish();
    }
    place_.member(type.tag).fail(one_of(names), shown(*tag));
  }

 private:
  [[noreturn]] void wrong(const std::string& expected) const { place_.fail(expected, shown(document_)); }

  const json& document_;
  void* value_;
  const Place& place_;
  const Range& range_;
};

void read_value(const json& document, const ValueType& type, void* value, const Place& place, const Range& range) {
  std::visit(ValueReader(document, value, place, range), type.kind);
}

}  // namespace

ConfigReader::ConfigReader(std::string file, std::string base_pointer)
    : file_(std::move(file)), base_pointer_(std::move(base_pointer)) {}

void ConfigReader::read(const json& document, const ValueType& type, void* value) const {
  const Place root{file_, base_pointer_};
  const auto schema = document.find(schema_key);  // no member of anything but an object
  if (root.is_file_root() && schema != document.end() && !schema->is_string()) {
    root.member(schema_key).fail("a string", shown(*schema));
  }
  read_value(document, type, value, root, any_number);
}

}  // namespace fenceline
