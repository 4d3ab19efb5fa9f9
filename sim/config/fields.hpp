// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/described.hpp"
#include "sim/config/range.hpp"
#include "sim/config/type_of.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace fenceline {

/// One key of a described struct.
struct Field {
  const char* key;   ///< in JSON
  const char* help;  ///< what it means, for the schema
  Range range;       ///< of numbers
  bool required;     ///< else the default stands
};

/// What `describe` gets: the visitor that says which keys a config struct has. The reader, the dumper and the schema
/// writer are Fields. Beside each config struct stands one function that walks its members in order:
///
///     void describe(Fields& f, CopyEngineConfig& c) {
///       f.about("An engine that moves bytes.");
///       f.required("name", c.name, "name in traces");
///       f.optional("clock_mhz", c.clock_mhz, "core clock of the node", positive);
///       f.check(c.first <= c.last, "first up to last", fmt::format("{}", c.first), "first");
///     }
///
/// It names every key each time it is called, whatever the values are. Defaults stand in the struct.
class Fields {
 public:
  virtual ~Fields() = default;

  /// A key that every document has to have. Keys and help are literals.
  template <class T>
  void required(const char* key, T& value, const char* help) {
    static_assert(!type_of_detail::IsOptional<T>::value, "a std::optional is an optional key");
    add<T>({key, help, any_number, true}, value);
  }
  /// A number that every document has to have, in a range.
  template <class T>
  void required(const char* key, T& value, const char* help, const Range& range) {
    static_assert(type_of_detail::HasNumbers<T>::value, "only numbers have a range");
    static_assert(!type_of_detail::IsOptional<T>::value, "a std::optional is an optional key");
    add<T>({key, help, range, true}, value);
  }
  /// A key that may be absent; the value then stays as it is, the default of the struct.
  template <class T>
  void optional(const char* key, T& value, const char* help) {
    add<T>({key, help, any_number, false}, value);
  }
  /// A number that may be absent, in a range.
  template <class T>
  void optional(const char* key, T& value, const char* help, const Range& range) {
    static_assert(type_of_detail::HasNumbers<T>::value, "only numbers have a range");
    add<T>({key, help, range, false}, value);
  }

  /// The key, a std::optional, may stand in place of these: then none of them is there, and without it the first one
  /// is required. All are described before, as optional. Literals.
  virtual void in_place_of(const char* key, const std::vector<const char*>& others) { (void)key, (void)others; }

  /// One sentence on the struct, for the schema.
  virtual void about(const char* sentence) { (void)sentence; }

  /// A relation between the fields named so far. If it does not hold, the reader says what it expected and found, at
  /// this object, at its `member`, or, if `member` starts with `/`, at that pointer below this object. The other
  /// visitors ignore it.
  void check(bool holds, std::string_view expected, std::string_view found, std::string_view member = "") {
    if (!holds) violated(expected, found, member);
  }

 protected:
  /// A key: what visitors are for.
  virtual void field(const Field& field, const ValueType& type, void* value) = 0;
  /// A relation does not hold.
  virtual void violated(std::string_view expected, std::string_view found, std::string_view member);

 private:
  template <class T>
  void add(const Field& described, T& value) {
    field(described, type_of<T>(), &value);
  }
};

}  // namespace fenceline
