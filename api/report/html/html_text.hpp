// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fenceline {

/// Text for HTML, between tags or in a quoted attribute: any bytes give valid HTML. What is not UTF-8 and control
/// characters become U+FFFD. At most so many characters stay, then an ellipsis: a name may be of any length.
std::string html_text(std::string_view text, std::size_t most_characters = 120);

/// Picoseconds in microseconds to the nanosecond, with commas: 1234567890123 is "1,234,567.890".
std::string microseconds(std::uint64_t ps);

/// 1234567 is "1,234,567".
std::string with_commas(std::uint64_t number);

/// `part` of `whole` in percent with this many decimals, to the nearest, never above 100. 0 of 0 is 0.
std::string percent(std::uint64_t part, std::uint64_t whole, unsigned decimals);

/// A time on an axis: a number without needless zeros and a unit, "2.5 ms".
struct TimeUnit {
  std::uint64_t ps;
  const char* name;
};
/// The unit in which times up to this one are best read.
TimeUnit unit_for(std::uint64_t longest_ps);
/// Exact.
std::string time_text(std::uint64_t ps, TimeUnit unit);

}  // namespace fenceline
