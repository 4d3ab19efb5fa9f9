// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <string>
#include <string_view>

namespace fenceline {

/// The numbers that a field may hold. On a list, map or optional it holds for each number inside.
/// The limits are doubles: whole numbers above 2^53 are rounded as limits.
struct Range {
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool exclusive_minimum = false;  ///< `minimum` itself is outside

  bool has_minimum() const { return minimum > -std::numeric_limits<double>::infinity(); }
  bool has_maximum() const { return maximum < std::numeric_limits<double>::infinity(); }
  /// No limit at all.
  bool any() const { return !has_minimum() && !has_maximum(); }

  // long double holds every 64-bit integer.
  bool holds(long double value) const {
    return (exclusive_minimum ? value > minimum : value >= minimum) && value <= maximum;
  }

  /// "a number > 0": the noun with the limits.
  std::string text(std::string_view noun) const;
};

constexpr Range at_least(double minimum) { return {minimum, std::numeric_limits<double>::infinity(), false}; }
constexpr Range at_most(double maximum) { return {-std::numeric_limits<double>::infinity(), maximum, false}; }
constexpr Range greater_than(double minimum) { return {minimum, std::numeric_limits<double>::infinity(), true}; }
/// Both limits are inside.
constexpr Range between(double minimum, double maximum) { return {minimum, maximum, false}; }

inline constexpr Range any_number{};
inline constexpr Range positive = greater_than(0);
inline constexpr Range non_negative = at_least(0);

}  // namespace fenceline
