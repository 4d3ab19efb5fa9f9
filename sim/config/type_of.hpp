// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/value_type.hpp"

#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <type_traits>

namespace fenceline {

/// The ValueType of T: bool, an integer, double, std::string, an enum with `enum_names(E)`, a struct with
/// `describe(Fields&, T&)`, or a vector, map, optional or variant of those.
template <class T>
const ValueType& type_of();

namespace type_of_detail {

template <class T>
constexpr bool always_false = false;

template <class T, class = void>
struct HasDescribe : std::false_type {};
template <class T>
struct HasDescribe<T, std::void_t<decltype(describe(std::declval<Fields&>(), std::declval<T&>()))>> : std::true_type {};

template <class T, class = void>
struct HasNames : std::false_type {};
template <class T>
struct HasNames<T, std::void_t<decltype(enum_names(T{}))>> : std::true_type {};

/// Key of the tag: "type", unless the alternatives say another in a member `type_key`.
template <class T, class = void>
struct TagOf {
  static constexpr const char* key = "type";
};
template <class T>
struct TagOf<T, std::void_t<decltype(T::type_key)>> {
  static constexpr const char* key = T::type_key;
};

// An unset optional has no form of its own in JSON but its absence, so it stands directly in a struct.
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <class T>
struct Maker {
  static decltype(ValueType::kind) kind() {
    if constexpr (std::is_same_v<T, bool>) {
      return BooleanType{};
    } else if constexpr (std::is_same_v<T, double>) {
      return NumberType{};
    } else if constexpr (std::is_same_v<T, std::string>) {
      return TextType{};
    } else if constexpr (std::is_integral_v<T>) {
      using Limits = std::numeric_limits<T>;
      return IntegerType{std::is_signed_v<T>, static_cast<std::int64_t>(Limits::min()),
                         static_cast<std::uint64_t>(Limits::max()),
                         [](const void* v) { return static_cast<std::uint64_t>(*static_cast<const T*>(v)); },
                         [](void* v, std::uint64_t bits) { *static_cast<T*>(v) = static_cast<T>(bits); }};
    } else if constexpr (std::is_enum_v<T>) {
      static_assert(HasNames<T>::value, "an enum in a config needs a table enum_names(E) beside it");
      EnumType type{{},
                    [](const void* v) { return static_cast<std::int64_t>(*static_cast<const T*>(v)); },
                    [](void* v, std::int64_t number) { *static_cast<T*>(v) = static_cast<T>(number); }};
      for (const auto& [value, name] : enum_names(T{})) type.names.emplace_back(static_cast<std::int64_t>(value), name);
      return type;
    } else if constexpr (HasDescribe<T>::value) {
      return StructType{[](Fields& fields, void* v) { describe(fields, *static_cast<T*>(v)); }};
    } else {
      static_assert(always_false<T>, "this type cannot stand in a config: a struct needs describe(Fields&, T&)");
    }
  }
};

template <class T, class A>
struct Maker<std::vector<T, A>> {
  static_assert(!std::is_same_v<T, bool>, "std::vector<bool> has no elements to point at");
  static_assert(!IsOptional<T>::value, "a std::optional stands directly in a struct");
  using List = std::vector<T, A>;
  static decltype(ValueType::kind) kind() {
    return ListType{&type_of<T>(), [](const void* v) { return static_cast<const List*>(v)->size(); },
                    [](const void* v, std::size_t i) -> const void* { return &(*static_cast<const List*>(v))[i]; },
                    [](void* v) { static_cast<List*>(v)->clear(); },
                    [](void* v) -> void* { return &static_cast<List*>(v)->emplace_back(); }};
  }
};

template <class T, class C, class A>
struct Maker<std::map<std::string, T, C, A>> {
  static_assert(!IsOptional<T>::value, "a std::optional stands directly in a struct");
  using Map = std::map<std::string, T, C, A>;
  static decltype(ValueType::kind) kind() {
    return MapType{&type_of<T>(),
                   [](const void* v, const std::function<void(const std::string&, const void*)>& visit) {
                     for (const auto& [key, value] : *static_cast<const Map*>(v)) visit(key, &value);
                   },
                   [](void* v) { static_cast<Map*>(v)->clear(); },
                   [](void* v, const std::string& key) -> void* { return &(*static_cast<Map*>(v))[key]; }};
  }
};

template <class T>
struct Maker<std::optional<T>> {
  static_assert(!IsOptional<T>::value, "a std::optional stands directly in a struct");
  using Optional = std::optional<T>;
  static decltype(ValueType::kind) kind() {
    return OptionalType{&type_of<T>(),
                        [](const void* v) -> const void* {
                          const auto& optional = *static_cast<const Optional*>(v);
                          return optional ? &*optional : nullptr;
                        },
                        [](void* v) -> void* {
                          auto& optional = *static_cast<Optional*>(v);
                          return optional ? &*optional : &optional.emplace();
                        }};
  }
};

template <class First, class... Rest>
struct Maker<std::variant<First, Rest...>> {
  static_assert(HasDescribe<First>::value && (HasDescribe<Rest>::value && ...),
                "each alternative is a struct with describe");
  static_assert(((std::string_view(TagOf<First>::key) == TagOf<Rest>::key) && ...), "one type_key per variant");
  using Variant = std::variant<First, Rest...>;
  template <class T>
  static void* put(void* v) {
    return &static_cast<Variant*>(v)->template emplace<T>();
  }
  static decltype(ValueType::kind) kind() {
    return VariantType{TagOf<First>::key,
                       {{First::type_name, &type_of<First>()}, {Rest::type_name, &type_of<Rest>()}...},
                       [](const void* v) { return static_cast<const Variant*>(v)->index(); },
                       [](const void* v) {
                         return std::visit([](const auto& held) { return static_cast<const void*>(&held); },
                                           *static_cast<const Variant*>(v));
                       },
                       [](void* v, std::size_t index) {
                         constexpr void* (*puts[])(void*) = {&put<First>, &put<Rest>...};
                         return puts[index](v);
                       }};
  }
};

/// A Range makes sense for T.
template <class T>
struct HasNumbers : std::bool_constant<std::is_arithmetic_v<T> && !std::is_same_v<T, bool>> {};
template <class T, class A>
struct HasNumbers<std::vector<T, A>> : HasNumbers<T> {};
template <class T, class C, class A>
struct HasNumbers<std::map<std::string, T, C, A>> : HasNumbers<T> {};
template <class T>
struct HasNumbers<std::optional<T>> : HasNumbers<T> {};

}  // namespace type_of_detail

template <class T>
const ValueType& type_of() {
  // Never destroyed: what is written as the process exits needs it.
  static const ValueType& type =
      *new ValueType{type_of_detail::Maker<T>::kind(), &typeid(T),
                     [] { return ValueType::Boxed(new T(), [](void* v) { delete static_cast<T*>(v); }); }};
  return type;
}

}  // namespace fenceline
