// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <variant>
#include <vector>

namespace fenceline {

class Fields;
struct ValueType;

// How the visitors reach a value of a type they do not know. Each kind has what its values need; a `void*` points at a
// value of the type that the ValueType was made for (see type_of.hpp).

struct BooleanType {};  ///< bool
struct NumberType {};   ///< double
struct TextType {};     ///< std::string

/// An integer. Its bits travel as 64-bit two's complement, sign-extended.
struct IntegerType {
  bool is_signed;
  std::int64_t lowest;
  std::uint64_t highest;
  std::uint64_t (*load)(const void* value);
  void (*store)(void* value, std::uint64_t bits);
};

/// An enumeration with its table of names.
struct EnumType {
  std::vector<std::pair<std::int64_t, const char*>> names;
  std::int64_t (*load)(const void* value);
  void (*store)(void* value, std::int64_t number);
};

/// A struct with `describe`.
struct StructType {
  void (*describe)(Fields& fields, void* value);
};

/// std::vector.
struct ListType {
  const ValueType* element;
  std::size_t (*size)(const void* list);
  const void* (*at)(const void* list, std::size_t index);
  void (*clear)(void* list);
  void* (*append)(void* list);
};

/// std::map from std::string.
struct MapType {
  const ValueType* element;
  void (*each)(const void* map, const std::function<void(const std::string& key, const void* value)>& visit);
  void (*clear)(void* map);
  void* (*insert)(void* map, const std::string& key);
};

/// std::optional.
struct OptionalType {
  const ValueType* element;
  const void* (*get)(const void* optional);  ///< null when unset
  void* (*engage)(void* optional);           ///< keeps a value that is there
};

/// std::variant of structs: an object with a tag that says which.
struct VariantType {
  struct Alternative {
    const char* name;
    const ValueType* type;
  };
  const char* tag;  ///< key of the tag
  std::vector<Alternative> alternatives;
  std::size_t (*index)(const void* variant);
  const void* (*get)(const void* variant);
  void* (*emplace)(void* variant, std::size_t index);
};

/// A type that may stand in a described struct, as the visitors see it.
struct ValueType {
  using Boxed = std::unique_ptr<void, void (*)(void*)>;

  std::variant<BooleanType, IntegerType, NumberType, TextType, EnumType, StructType, ListType, MapType, OptionalType,
               VariantType>
      kind;
  const std::type_info* id;
  Boxed (*make)();  ///< a default-constructed value

  template <class Kind>
  const Kind* as() const {
    return std::get_if<Kind>(&kind);
  }
};

}  // namespace fenceline
