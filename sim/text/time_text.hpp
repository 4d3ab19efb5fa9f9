// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fenceline {

/// Picoseconds in microseconds, for a person: beyond 2^53 ps not exact.
constexpr double us(std::uint64_t ps) { return static_cast<double>(ps) / 1e6; }

/// Picoseconds as exact text in microseconds, always with six decimals: 12345678 is "12.345678". Never allocates.
class TimeText {
 public:
  explicit TimeText(std::uint64_t ps) {
    std::uint64_t whole = ps / 1'000'000;
    std::uint32_t rest = static_cast<std::uint32_t>(ps % 1'000'000);
    char* at = digits_ + longest;
    for (int i = 0; i < 3; ++i, rest /= 100) at = put_pair(at, rest % 100);
    *--at = '.';
    for (; whole >= 100; whole /= 100) at = put_pair(at, static_cast<std::uint32_t>(whole % 100));
    if (whole >= 10) {
      at = put_pair(at, static_cast<std::uint32_t>(whole));
    } else {
      *--at = static_cast<char>('0' + whole);
    }
    first_ = static_cast<std::size_t>(at - digits_);
  }

  std::string_view view() const { return {digits_ + first_, longest - first_}; }
  operator std::string_view() const { return view(); }

 private:
  static constexpr std::size_t longest = 21;  // "18446744073709.551615"
  /// Two digits at a time: half the divisions, and sinks write little but times.
  static char* put_pair(char* behind, std::uint32_t value) {
    *--behind = static_cast<char>('0' + value % 10);
    *--behind = static_cast<char>('0' + value / 10);
    return behind;
  }

  char digits_[longest];
  std::size_t first_;
};

}  // namespace fenceline
