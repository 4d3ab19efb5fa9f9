// SPDX-License-Identifier: Apache-2.0
#include "api/windows_compat/print_format.hpp"

namespace fenceline::windows_compat {
namespace {

template <class Char>
std::basic_string_view<Char> prefix_of_size(std::basic_string_view<Char> at) {
  constexpr Char i64[] = {'I', '6', '4'};
  constexpr Char i32[] = {'I', '3', '2'};
  if (at.substr(0, 3) == std::basic_string_view<Char>(i64, 3)) return at.substr(0, 3);
  if (at.substr(0, 3) == std::basic_string_view<Char>(i32, 3)) return at.substr(0, 3);
  return at.substr(0, !at.empty() && at[0] == Char{'I'} ? 1 : 0);
}

template <class Char>
bool is_one_of(Char letter, std::string_view letters) {
  return letter > 0 && letter < 128 && letters.find(static_cast<char>(letter)) != std::string_view::npos;
}

template <class Char>
std::basic_string<Char> translate(std::basic_string_view<Char> from, bool wide) {
  std::basic_string<Char> to;
  for (std::size_t at = 0; at < from.size();) {
    to += from[at];
    if (from[at++] != Char{'%'}) continue;
    while (at < from.size() && is_one_of(from[at], "-+ #0123456789.*")) to += from[at++];
    const std::basic_string_view<Char> sized = prefix_of_size(from.substr(at));
    at += sized.size();
    if (sized.size() == 3 && sized[1] == Char{'6'}) to.append(2, Char{'l'});
    if (sized.size() == 1) to += Char{'z'};
    const bool narrow = at < from.size() && from[at] == Char{'h'};
    const std::size_t letter = at + (narrow ? 1 : 0);
    if (letter >= from.size()) continue;
    const bool text = is_one_of(from[letter], "sc");
    const bool other_text = is_one_of(from[letter], "SC");
    if (text && narrow) {
      to += from[letter];
    } else if (text && wide) {
      to += Char{'l'};
      to += from[letter];
    } else if (other_text) {  // of the other width than the format
      if (!wide) to += Char{'l'};
      to += static_cast<Char>(from[letter] - 'A' + 'a');
    } else {
      continue;
    }
    at = letter + 1;
  }
  return to;
}

}  // namespace

std::wstring host_format(std::wstring_view microsofts) { return translate(microsofts, true); }

std::string host_format(std::string_view microsofts) { return translate(microsofts, false); }

}  // namespace fenceline::windows_compat
