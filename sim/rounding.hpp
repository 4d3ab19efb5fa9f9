// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Whole numbers that are not negative; `by` and `to` are more than 0.
namespace fenceline {

/// The quotient, rounded up.
template <class T, class U>
constexpr T divided_up(T value, U by) {
  return static_cast<T>((value + by - 1) / by);
}

/// The next multiple.
template <class T, class U>
constexpr T rounded_up(T value, U to) {
  return static_cast<T>(divided_up(value, to) * to);
}

}  // namespace fenceline
