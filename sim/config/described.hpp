// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <utility>

namespace fenceline {

/// Told by `describe(Fields&, T&)` of a config struct which keys it has (fields.hpp). The header of the struct declares
/// that function and needs no more than this name.
class Fields;

/// The table of an enum's names: `constexpr EnumNames<Order, 2> enum_names(Order) { return {{{Order::a, "a"}, ...}};
/// }`.
template <class E, std::size_t count>
using EnumNames = std::array<std::pair<E, const char*>, count>;

}  // namespace fenceline
