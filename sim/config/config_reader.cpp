// SPDX-License-Identifier: Apache-2.0
#include "sim/config/config_reader.hpp"

#include "sim/config/json_file.hpp"
#include "sim/config/json_pointer.hpp"
#include "sim/config/nearest_name.hpp"
#include "sim/config/relations.hpp"
#include "sim/config_error.hpp"
#include "sim/config_errors.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {
namespace {

using nlohmann::json;

constexpr const char* schema_key = "$schema";

/// Where the reader is. A chain up the call stack, so that a pointer costs nothing until an error shows it.
struct Place {
  const std::string& file;
  const std::string& base;
  ConfigErrors& errors;     // values that are wrong each by itself, keys that are wrong
  ConfigErrors& relations;  // of objects that are otherwise right
  const Place* up = nullptr;
  std::string_view key = {};
  std::size_t index = 0;
  bool is_element = false;

  Place member(std::string_view name) const { return {file, base, errors, relations, this, name, 0, false}; }
  Place element(std::size_t i) const { return {file, base, errors, relations, this, {}, i, true}; }
  bool is_file_root() const { return up == nullptr && base.empty(); }

  std::string pointer() const {
    if (up == nullptr) return base;
    return is_element ? pointer_to(up->pointer(), index) : pointer_to(up->pointer(), key);
  }
  ConfigError error(const std::string& expected, const std::string& found) const {
    return {file, pointer(), expected, found};
  }
  [[noreturn]] void fail(const std::string& expected, const std::string& found) const { throw error(expected, found); }
};

std::vector<std::string> quoted(std::vector<std::string> names) {
  for (std::string& name : names) name = in_quotes(name);
  return names;
}

std::string one_of(const std::vector<std::string>& choices) {
  if (choices.empty()) return "nothing";
  return (choices.size() == 1 ? "" : "one of ") + fmt::format("{}", fmt::join(choices, ", "));
}

/// " (did you mean ...?)", if one of the names is near.
std::string suggestion(const std::string& misspelt, const std::vector<std::string>& names) {
  const std::string near = nearest_name(misspelt, names);
  return near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near);
}

/// Reads a value, whose errors are kept with those of the place.
void read_value(const json& document, const ValueType& type, void* value, const Place& place, const Range& range);

/// Reads the members of one object while `describe` names them. What is wrong with the object as a whole waits for
/// `finish`, which tells of keys misspelt, keys missing, and, where all values in it are right, relations broken.
class ObjectReader final : public Fields {
 public:
  ObjectReader(const json& object, const Place& place)
      : object_(object), place_(place), errors_before_(place.errors.size()) {}

  void accept(const char* key) { known_.push_back(key); }

  void finish() {
    for (const auto& [key, value] : object_.items()) {
      if (!knows(key)) unknown(key);
    }
    for (const char* key : missing_) {
      place_.errors.add(place_.error(fmt::format("the required key \"{}\"", key), "no such key"));
    }
    if (place_.errors.size() > errors_before_) return;
    for (const ConfigError& violation : violations_) {
      if (!is_told_at(violation.pointer())) place_.relations.add(violation);
    }
  }

 private:
  void field(const Field& field, const ValueType& type, void* value) override {
    accept(field.key);
    const auto member = object_.find(field.key);
    if (member != object_.end()) {
      read_value(*member, type, value, place_.member(field.key), field.range);
    } else if (field.required) {
      missing_.push_back(field.key);
    }
  }

  void in_place_of(const char* key, const std::vector<const char*>& others) override {
    if (!object_.contains(key)) {
      if (!object_.contains(others.front())) missing_.push_back(others.front());
      return;
    }
    for (const char* other : others) {
      const auto member = object_.find(other);
      if (member == object_.end()) continue;
      place_.errors.add(place_.member(other).error(fmt::format("nothing, beside \"{}\"", key), shown(*member)));
    }
  }

  /// One for each place: a second relation there may be broken because the first one is.
  void violated(std::string_view expected, std::string_view found, std::string_view member) override {
    std::string pointer = place_.pointer();
    if (!member.empty()) pointer = member[0] == '/' ? pointer + std::string(member) : pointer_to(pointer, member);
    if (violations_.size() <= ConfigError::most && !any_at(pointer, violations_))
      violations_.emplace_back(place_.file, pointer, std::string(expected), shortened(found, 120));
  }

  static bool any_at(const std::string& pointer, const std::vector<ConfigError>& errors) {
    const auto is_there = [&](const ConfigError& error) { return error.pointer() == pointer; };
    return std::any_of(errors.begin(), errors.end(), is_there);
  }
  /// By an object within this one.
  bool is_told_at(const std::string& pointer) const { return any_at(pointer, place_.relations.all()); }

  bool knows(const std::string& key) const {
    if (place_.is_file_root() && key == schema_key) return true;
    return std::any_of(known_.begin(), known_.end(), [&](const char* known) { return key == known; });
  }

  /// A key that is missing and near it is meant: it is told once.
  void unknown(const std::string& key) {
    const std::vector<std::string> known(known_.begin(), known_.end());
    const std::string near = nearest_name(key, known);
    missing_.erase(std::remove(missing_.begin(), missing_.end(), near), missing_.end());
    place_.errors.add(place_.member(key).error(known.empty() ? "no keys here" : one_of(known),
                                               "unknown key " + in_quotes(key) + suggestion(key, known)));
  }

  const json& object_;
  const Place& place_;
  std::size_t errors_before_;
  std::vector<const char*> known_;
  std::vector<const char*> missing_;
  std::vector<ConfigError> violations_;
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
      names.emplace_back(name);
    }
    no_name(document_, place_, names);
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
    for (const auto& alternative : type.alternatives) names.emplace_back(alternative.name);
    const auto tag = document_.find(type.tag);
    if (tag == document_.end()) {
      place_.fail(fmt::format("the required key \"{}\" with {}", type.tag, one_of(quoted(names))), "no such key");
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!tag->is_string() || tag->get_ref<const std::string&>() != type.alternatives[i].name) continue;
      ObjectReader reader(document_, place_);
      reader.accept(type.tag);
      type.alternatives[i].type->as<StructType>()->describe(reader, type.emplace(value_, i));
      return reader.finish();
    }
    no_name(*tag, place_.member(type.tag), names);
  }

 private:
  [[noreturn]] void wrong(const std::string& expected) const { place_.fail(expected, shown(document_)); }
  /// Where one of the names was to be.
  [[noreturn]] static void no_name(const json& found, const Place& place, const std::vector<std::string>& names) {
    const std::string near = found.is_string() ? suggestion(found.get_ref<const std::string&>(), names) : "";
    place.fail(one_of(quoted(names)), shown(found) + near);
  }

  const json& document_;
  void* value_;
  const Place& place_;
  const Range& range_;
};

void read_value(const json& document, const ValueType& type, void* value, const Place& place, const Range& range) {
  place.errors.keep([&] { std::visit(ValueReader(document, value, place, range), type.kind); });
}

/// What is wrong with values is thrown, broken relations beside it; alone they are kept.
void read_root(const json& document, const ValueType& type, void* value, const std::string& file,
               const std::string& base, ConfigErrors& relations) {
  ConfigErrors errors;
  const Place root{file, base, errors, relations};
  const auto schema = document.find(schema_key);  // no member of anything but an object
  if (root.is_file_root() && schema != document.end() && !schema->is_string()) {
    errors.add(root.member(schema_key).error("a string", shown(*schema)));
  }
  read_value(document, type, value, root, any_number);
  if (errors.size() == 0) return;
  for (const ConfigError& relation : relations.all()) errors.add(relation);
  errors.throw_any();
}

}  // namespace

ConfigReader::ConfigReader(std::string file, std::string base_pointer)
    : file_(std::move(file)), base_pointer_(std::move(base_pointer)) {}

void ConfigReader::read(const json& document, const ValueType& type, void* value) const {
  ConfigErrors relations;
  read_root(document, type, value, file_, base_pointer_, relations);
  relations.throw_any();
}

void read_with_relations(const json& document, const std::string& file, const ValueType& type, void* value,
                         ConfigErrors& relations) {
  read_root(document, type, value, file, "", relations);
}

}  // namespace fenceline
