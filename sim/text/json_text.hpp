// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string_view>

namespace fenceline {

/// Appends `text` as a JSON string with its quotes. Any bytes give valid JSON: each byte that is not UTF-8 becomes
/// U+FFFD, since JSON has no other way to hold it.
void append_json_string(fmt::memory_buffer& out, std::string_view text);

}  // namespace fenceline
