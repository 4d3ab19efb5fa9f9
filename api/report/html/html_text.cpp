// SPDX-License-Identifier: Apache-2.0
#include "api/report/html/html_text.hpp"

#include "sim/text/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace fenceline {
namespace {

std::string digits_behind_point(std::uint64_t number, unsigned digits) {
  return digits == 0 ? "" : fmt::format(".{:0{}}", number, digits);
}

}  // namespace

std::string html_text(std::string_view text, std::size_t most_characters) {
  std::string result;
  for (std::size_t count = 0; !text.empty(); ++count) {
    if (count == most_characters) return result + "\u2026";
    const auto byte = static_cast<unsigned char>(text[0]);
    std::size_t used = 1;
    switch (text[0]) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      case '\'': result += "&#39;"; break;
      default:
        if (byte >= 0x20 && byte < 0x7F) {
          result += text[0];
        } else if (const std::size_t length = utf8_length(text); length != 0) {
          result += text.substr(0, length);
          used = length;
        } else {
          result += replacement_character;
        }
    }
    text.remove_prefix(used);
  }
  return result;
}

std::string with_commas(std::uint64_t number) {
  std::string text = fmt::format("{}", number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, 1, ',');
  return text;
}

std::string microseconds(std::uint64_t ps) {
  const std::uint64_t ns = ps / 1000 + (ps % 1000 >= 500 ? 1 : 0);
  return with_commas(ns / 1000) + digits_behind_point(ns % 1000, 3);
}

std::string percent(std::uint64_t part, std::uint64_t whole, unsigned decimals) {
  std::uint64_t one = 1;
  for (unsigned i = 0; i < decimals; ++i) one *= 10;
  __extension__ using Wide = unsigned __int128;
  const Wide scaled = static_cast<Wide>(std::min(part, whole)) * 100 * one;
  const auto share = whole == 0 ? 0 : static_cast<std::uint64_t>((scaled + whole / 2) / whole);
  return fmt::format("{}", share / one) + digits_behind_point(share % one, decimals);
}

TimeUnit unit_for(std::uint64_t longest_ps) {
  constexpr TimeUnit units[] = {{1'000'000'000'000, "s"}, {1'000'000'000, "ms"}, {1'000'000, "\u00b5s"}, {1000, "ns"}};
  for (const TimeUnit unit : units) {
    if (longest_ps / unit.ps >= 5) return unit;
  }
  return {1, "ps"};
}

std::string time_text(std::uint64_t ps, TimeUnit unit) {
  std::string text = with_commas(ps / unit.ps);
  if (std::uint64_t rest = ps % unit.ps; rest != 0) {
    text += '.';
    for (std::uint64_t digit = unit.ps / 10; rest != 0; rest %= digit, digit /= 10) {
      text += static_cast<char>('0' + rest / digit);
    }
  }
  return fmt::format("{} {}", text, unit.name);
}

}  // namespace fenceline
