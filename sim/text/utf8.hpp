// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace fenceline {

/// What stands for bytes that are not UTF-8: U+FFFD.
constexpr std::string_view replacement_character = "\xEF\xBF\xBD";

/// Length of the UTF-8 sequence of several bytes that `text`, not empty, starts with; 0 if there is none.
/// RFC 3629, section 4.
std::size_t utf8_length(std::string_view text);

}  // namespace fenceline
