// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fenceline {

/// The pointer (RFC 6901) of a member of the object at `parent`; the root is the empty pointer.
std::string pointer_to(std::string_view parent, std::string_view key);
/// The pointer of an element of the array at `parent`.
std::string pointer_to(std::string_view parent, std::size_t index);

/// The unescaped tokens of a pointer. Nothing, if the text is no pointer: it does not start with `/`, or a `~` in it is
/// not followed by 0 or 1.
std::optional<std::vector<std::string>> split_pointer(std::string_view pointer);

/// `inner` is `outer` or lies below it.
bool pointer_within(std::string_view inner, std::string_view outer);

}  // namespace fenceline
