// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fenceline {

/// The bytes of a text in base64 (RFC 4648, padded); nothing where it is none.
std::optional<std::vector<std::byte>> bytes_of_base64(std::string_view text);
/// The text of bytes, padded.
std::string base64_of(const std::byte* bytes, std::size_t count);

}  // namespace fenceline
